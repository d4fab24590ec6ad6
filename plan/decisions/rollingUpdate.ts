import type { V1Deployment, V1ResourceQuota } from "@kubernetes/client-node";
import { keyOf } from "../../cluster/kinds/objectName.ts";
import { quantityValue } from "../../cluster/kinds/quantity.ts";
import { type ClusterSnapshot, liveOf, type ManagedObject } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import type { StarterMode } from "../../config/member/types.ts";
import type { Settings } from "../../config/settings.ts";
import { type StarterShare, starterFits, starterShares } from "../../config/starter.ts";
import { starterObject } from "../../objects/starter/names.ts";
import { oneMore, podTemplate, type RollingUpdate } from "../../objects/starter/starterDeployment.ts";
import { holdsPods } from "../live/difference.ts";
import { quotaKey } from "./quotaHeadroom.ts";

/**
 * One pod more if there is room: the old one stays until the new one is ready, which it never is with an image that
 * can't be pulled. One fewer if the member's own pods fill the quota: no new pod fits before an old one has gone. Use
 * of the quota should not show in each preview: only a run that replaces pods, or finds that none can be replaced,
 * reads it; until then, the strategy stays as that run left it.
 */
export function rollingUpdate(
  member: Member,
  mode: StarterMode,
  settings: Settings,
  snapshot: Pick<ClusterSnapshot, "managedObjects">,
): RollingUpdate {
  const live = liveOf(starterObject(member, "Deployment"), snapshot)?.content as V1Deployment | undefined;
  const last = live && lastOf(live);
  if (live !== undefined && last !== undefined) {
    const replaces = !holdsPods(live.spec?.template, podTemplate(member, mode, settings));
    if (!replaces && !(isStuck(live) && isActive(member))) {
      return last;
    }
  }
  return hasHeadroomForPod(member, settings, snapshot) ? oneMore : oneFewer(member, settings);
}

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

/** Also one more if the limits themselves have room: the rollout goes on once some is freed. */
const oneFewer = ({ limits }: Member, { starter }: Pick<Settings, "starter">): RollingUpdate => ({
  maxSurge: starterFits(starter, limits, starter.replicas + 1) ? 1 : 0,
  maxUnavailable: 1,
});

function lastOf({ spec }: V1Deployment): RollingUpdate | undefined {
  const { maxSurge, maxUnavailable } = spec?.strategy?.rollingUpdate ?? {};
  const isOurs =
    (maxSurge === 1 && maxUnavailable === 0) || ((maxSurge === 0 || maxSurge === 1) && maxUnavailable === 1);
  return isOurs ? { maxSurge, maxUnavailable } : undefined;
}

/** Whether pods are still to be replaced, and no extra pod exists. False in the watch, which has no status. */
function isStuck({ spec, status }: V1Deployment): boolean {
  const { replicas = 1 } = spec ?? {};
  return status !== undefined && (status.updatedReplicas ?? 0) < replicas && (status.replicas ?? 0) <= replicas;
}

/** A suspended member has no pods to replace. */
const isActive = ({ standing }: Member): boolean => standing === "active";

const mebibyte = 1024 ** 2;

const resources: Readonly<Record<StarterShare["key"], readonly [resource: string, unit: number]>> = {
  maxCPUm: ["limits.cpu", 1 / 1000],
  maxMemoryMiB: ["limits.memory", mebibyte],
  maxPods: ["pods", 1],
  maxEphemeralStorageMiB: ["limits.ephemeral-storage", mebibyte],
};

/** Beside the present use of the quota. Without a live one, nothing is in use. */
function hasHeadroomForPod(
  member: Pick<Member, "name" | "type" | "limits">,
  { starter }: Pick<Settings, "starter">,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
): boolean {
  if (!member.type.quota) {
    return true;
  }
  const quota = managedObjects.get(quotaKey(member));
  const { hard = {}, used = {} } = (quota?.content as Pick<V1ResourceQuota, "status"> | undefined)?.status ?? {};
  const fits = (resource: string, more: number, most: number) => {
    const live = quantityValue(hard[resource] ?? "") ?? Number.POSITIVE_INFINITY;
    const now = quantityValue(used[resource] ?? "") ?? 0;
    return now + more <= Math.min(live, most) * (1 + Number.EPSILON);
  };
  return (
    starterFits(starter, member.limits, starter.replicas + 1) &&
    fits("count/pods", 1, Number.POSITIVE_INFINITY) &&
    starterShares(starter, member.limits).every(({ key, each, most }) => {
      const [resource, unit] = resources[key];
      return fits(resource, each * unit, most * unit);
    })
  );
}
