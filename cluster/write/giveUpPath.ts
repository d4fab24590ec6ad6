import type { KubernetesObject } from "@kubernetes/client-node";
import type { Settings } from "../../config/model/settings.ts";
import { parkedClass } from "../../naming/names.ts";
import { type ApiServer, type Waiting, withApiServer } from "../api/client.ts";
import { OvertakenError } from "../api/errors.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { objectPath, oneOf } from "../kinds/kinds.ts";
import { urlsOf } from "../read/hostPaths.ts";
import type { ObjectName } from "../read/snapshot.ts";

/** An Ingress that gives its path up to another member. */
export interface GivenPath extends ObjectName {
  /** The address that it opens until then. */
  readonly url: string;
  /** Name of the member who gets it. */
  readonly taker: string;
}

/**
 * Has Ingresses give up their paths, by taking them out of the controller's class. The run may be about to apply one of them
 * with another path, or has done so already: what it has applied stays as it is.
 * @throws RunError naming the Ingress and the reason
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

/** How often an Ingress is looked at that others change at the same time, which happens once or twice. */
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

/** Refused where the Ingress is not the one any more that was looked at. */
const park = (path: GivenPath, resourceVersion: string | undefined) => ({
  what: `have Ingress '${path.namespace}/${path.name}' give up its path to member '${path.taker}'`,
  method: "PATCH" as const,
  path: objectPath(path),
  contentType: "application/merge-patch+json",
  body: { metadata: { resourceVersion }, spec: { ingressClassName: parkedClass } },
});
