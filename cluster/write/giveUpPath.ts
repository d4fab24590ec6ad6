import type { KubernetesObject } from "@kubernetes/client-node";
import type { Settings } from "../../config/model/settings.ts";
import { type ApiServer, type Waiting, withApiServer } from "../api/client.ts";
import { OvertakenError } from "../api/errors.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { objectPath, oneOf } from "../kinds/kinds.ts";
import { stackKinds } from "../kinds/stackKinds.ts";
import { urlsOf } from "../read/hostPaths.ts";
import type { ObjectName } from "../read/snapshot.ts";

/** What has a path, and gives it up to another member. */
export interface GivenPath extends ObjectName {
  /** The address that it opens until then. */
  readonly url: string;
  /** Name of the member who gets it. */
  readonly taker: string;
}

/**
 * Has routes give up their paths, by taking them from what serves them. The run may be about to apply one of them
 * with another path, or has done so already: what it has applied stays as it is.
 * @throws RunError naming the object and the reason
 */
export async function giveUpPaths(
  given: readonly GivenPath[],
  { cluster }: Pick<Settings, "cluster">,
  waiting: Partial<Waiting> = {},
): Promise<void> {
  const giveUpAll = async (api: ApiServer) => {
    await Promise.all(given.map((path) => giveUp(path, api)));
  };
  // The run is under way by then.
  await withApiServer(findApiTarget(cluster.context), waiting, giveUpAll, "overview");
}

/** How often one is looked at that others change at the same time, which happens once or twice. */
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

/** Refused where it is not the one any more that was looked at. */
const park = (path: GivenPath, resourceVersion: string | undefined) => ({
  what: `have ${path.kind} '${path.namespace}/${path.name}' give up its path to member '${path.taker}'`,
  method: "PATCH" as const,
  path: objectPath(path),
  contentType: "application/merge-patch+json",
  body: { metadata: { resourceVersion }, spec: stackKinds[path.kind].door?.parked },
});
