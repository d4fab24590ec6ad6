import { objectKey } from "../../cluster/kinds/objectName.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member, OwnWake } from "../../config/member/member.ts";
import { ownWakesAnnotation } from "../../config/names/labels.ts";
import { namespaceName, wakeName } from "../../config/names/names.ts";
import type { Phase } from "../../config/schedule.ts";

/**
 * What a run makes of a member's ConfigMap `wake`. Its time is the API server's, and the wakes before it are on the
 * namespace: so a member who makes it anew is not awake for longer. One made by day waits for the sleep.
 */
export function ownWakeOf(
  member: Pick<Member, "name" | "schedule">,
  phase: Phase,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
  now: Date,
): OwnWake | undefined {
  const namespace = namespaceName(member);
  const { created } = managedObjects.get(objectKey("ConfigMap", wakeName, namespace)) ?? {};
  const allowed = member.schedule?.ownWakes;
  if (allowed === undefined || created === undefined || !phase.isAsleep) {
    return undefined;
  }
  const { annotations = {} } = managedObjects.get(objectKey("Namespace", namespace)) ?? {};
  const before = (annotations[ownWakesAnnotation] ?? "").split(" ").filter((time) => Date.parse(time) >= +phase.since);
  const from = Math.max(Date.parse(created), +phase.since);
  const until = new Date(from + allowed.minutes * 60_000);
  return before.length >= allowed.most || until <= now
    ? {}
    : { granted: { until: until.toISOString(), wakes: [...before, new Date(from).toISOString()].join(" ") } };
}
