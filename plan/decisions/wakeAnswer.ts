import { objectKey } from "../../cluster/kinds/objectName.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member, WakeAnswer } from "../../config/member/member.ts";
import { awakeUntilAnnotation, ownWakesAnnotation } from "../../config/names/labels.ts";
import { namespaceName, wakeName } from "../../config/names/names.ts";
import { type Phase, wakeForText } from "../../config/schedule.ts";

/**
 * What a run makes of a member's ConfigMap `wake`. Its time is the API server's, and the wakes before it are on the
 * namespace: so a member who makes it anew is not awake for longer. One made by day waits for the sleep. One that is
 * being deleted is over: a finalizer of the member's might keep it for ever.
 */
export function wakeAnswerOf(
  member: Pick<Member, "name" | "schedule">,
  phase: Phase,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
  now: Date,
): WakeAnswer | undefined {
  const namespace = namespaceName(member);
  const { created, terminating } = managedObjects.get(objectKey("ConfigMap", wakeName, namespace)) ?? {};
  const allowed = member.schedule?.ownWakes;
  if (allowed === undefined || created === undefined || terminating || !phase.isAsleep) {
    return undefined;
  }
  const { annotations = {} } = managedObjects.get(objectKey("Namespace", namespace)) ?? {};
  const from = Math.max(Date.parse(created), +phase.since);
  // A run that was killed may have noted this one.
  const before = wakesSince(annotations, +phase.since).filter((time) => time !== from);
  const until = Math.min(from + allowed.minutes * 60_000, +phase.until);
  if (before.length >= allowed.most || until <= +now) {
    return {};
  }
  const kept = Date.parse(annotations[awakeUntilAnnotation] ?? "") || 0;
  const wakes = [...before, from].map((time) => new Date(time).toISOString()).join(" ");
  return { granted: { until: new Date(Math.max(until, kept)).toISOString(), wakes } };
}

/** How long a member asleep may yet be awake by themselves in this sleep, such as `2h`; undefined if they may not. */
export function wakeLeft(
  member: Pick<Member, "name" | "type" | "schedule" | "sleep">,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
): string | undefined {
  const { schedule, sleep } = member;
  const { annotations = {} } = managedObjects.get(objectKey("Namespace", namespaceName(member))) ?? {};
  const most = schedule?.ownWakes?.most ?? 0;
  return sleep !== undefined && wakesSince(annotations, Date.parse(sleep.since)).length < most
    ? wakeForText(member)
    : undefined;
}

const wakesSince = ({ [ownWakesAnnotation]: noted = "" }: Readonly<Record<string, string>>, since: number): number[] =>
  noted.split(" ").flatMap((text) => {
    const time = Date.parse(text);
    return time >= since ? [time] : [];
  });
