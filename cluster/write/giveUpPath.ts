import type { KubernetesObject } from "@kubernetes/client-node";
import type { Settings } from "../../config/settings.ts";
import { type ApiServer, withApiServer } from "../api/client.ts";
import { OvertakenError } from "../api/errors.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import type { Waiting } from "../api/requests.ts";
import { objectPath, oneOf } from "../kinds/kinds.ts";
import type { ObjectName } from "../kinds/objectName.ts";
import { stackKind } from "../kinds/stackKinds.ts";
import { urlsOf } from "../read/hostPaths.ts";

export interface GivenPath extends ObjectName {
  readonly url: string;
  readonly taker: string;
}

/** Takes routes from their controller; one that has lost the path stays. @throws RunError with object and reason */
export async function giveUpPaths(
  given: readonly GivenPath[],
  { cluster }: Pick<Settings, "cluster">,
  waiting: Partial<Waiting> = {},
): Promise<void> {
  const giveUpAll = async (api: ApiServer) => {
    await Promise.all(given.map((path) => giveUp(path, api)));
  };
  // The run is already under way.
  await withApiServer(findApiTarget(cluster.context), waiting, giveUpAll, "overview");
}

/** Most attempts for an object that others change at the same time; one or two are usual. */
const mostLooks = 5;

async function giveUp(path: GivenPath, api: ApiServer): Promise<void> {
  const { kind, name, namespace, url } = path;
  for (let looks = 1; ; looks++) {
    const [live] = await api.list<KubernetesObject>(oneOf(kind, name, namespace ?? ""));
    if (
      live === undefined ||
      !urlsOf({ annotations: live.metadata?.annotations ?? {}, content: { ...live } }).includes(url)
    ) {
      return;
    }
    const isParked = await api.write(park(path, live.metadata?.resourceVersion)).then(
      () => true,
      (cause) => {
        if (cause instanceof OvertakenError && looks < mostLooks) {
          return false;
        }
        throw cause;
      },
    );
    if (isParked) {
      return;
    }
  }
}

/** The API server refuses the patch if the object has changed since it was read. */
const park = (path: GivenPath, resourceVersion: string | undefined) => ({
  what: `have ${path.kind} '${path.namespace}/${path.name}' give up its path to member '${path.taker}'`,
  method: "PATCH" as const,
  path: objectPath(path),
  body: { metadata: { resourceVersion }, spec: stackKind(path.kind).door?.parked },
});
