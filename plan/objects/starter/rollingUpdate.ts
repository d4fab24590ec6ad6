import type { V1Deployment } from "@kubernetes/client-node";
import { type ClusterSnapshot, keyOf, liveOf, type ManagedObject } from "../../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../../config/model/settings.ts";
import { starterFits } from "../../../config/rules/starterShares.ts";
import { holdsPods } from "../../compare/difference.ts";
import { quotaKey } from "../../decisions/quotaHeadroom.ts";
import { starterObject } from "../../decisions/starter/names.ts";
import { hasHeadroomForPod } from "../../decisions/starter/podHeadroom.ts";

/** How many pods there may be more, and fewer, while others take their place. */
export interface RollingUpdate {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/**
 * One more pod for a moment where there is room for it: the old one stays until the new one is ready, which it never is with
 * an image that can't be pulled. A quota may be full of the member's own pods, and then none could be made before an old one
 * has gone: it is one fewer.
 *
 * What is used changes all the time, and nobody wants to see that in each preview: so it is asked only by a run that has
 * pods replaced, or finds that none can be. Until then, all stays as that has left it.
 * @param template of its pods, as it is declared
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment
 */
export function rollingUpdate(
  member: Member,
  template: object,
  settings: Pick<Settings, "starter">,
  snapshot: Pick<ClusterSnapshot, "managedObjects">,
): RollingUpdate {
  const live = liveOf(starterObject(member, "Deployment"), snapshot)?.content as V1Deployment | undefined;
  const last = live && lastOf(live);
  if (live !== undefined && last !== undefined && !(replaces(live, template) || (isStuck(live) && isActive(member)))) {
    return last;
  }
  return hasHeadroomForPod(member, settings, snapshot) ? oneMore : oneFewer(member, settings);
}

/** The live objects that it goes by. */
export const rollingObjects = (
  member: Member,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
): ReadonlyMap<string, ManagedObject> =>
  new Map(
    [keyOf(starterObject(member, "Deployment")), quotaKey(member)].flatMap((key) => {
      const live = managedObjects.get(key);
      return live === undefined ? [] : [[key, live]];
    }),
  );

const oneMore: RollingUpdate = { maxSurge: 1, maxUnavailable: 0 };

/** Also one more where the figures themselves have room: whatever frees some lets it go on. */
const oneFewer = ({ limits }: Member, { starter }: Pick<Settings, "starter">): RollingUpdate => ({
  maxSurge: starterFits(starter, limits, starter.replicas + 1) ? 1 : 0,
  maxUnavailable: 1,
});

/** What a run has declared; undefined where it is something else by now. */
function lastOf({ spec }: V1Deployment): RollingUpdate | undefined {
  const { maxSurge, maxUnavailable } = spec?.strategy?.rollingUpdate ?? {};
  const isOurs =
    (maxSurge === 1 && maxUnavailable === 0) || ((maxSurge === 0 || maxSurge === 1) && maxUnavailable === 1);
  return isOurs ? { maxSurge, maxUnavailable } : undefined;
}

const replaces = ({ spec }: V1Deployment, template: object): boolean => !holdsPods(spec?.template, template);

/** Whether pods are still to be replaced, and there is not even one more than there are to be; the watch knows no status. */
function isStuck({ spec, status }: V1Deployment): boolean {
  const { replicas = 1 } = spec ?? {};
  return status !== undefined && (status.updatedReplicas ?? 0) < replicas && (status.replicas ?? 0) <= replicas;
}

/** Who is suspended has no pods that could be replaced. */
const isActive = ({ standing }: Member): boolean => standing === "active";
