import { objectKey } from "../../cluster/kinds/objectName.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { hasAccess, type Member, mayRun } from "../../config/member/member.ts";
import { awakeUntilAnnotation, sleptAnnotation } from "../../config/names/labels.ts";
import { namespaceName, wakeName } from "../../config/names/names.ts";
import { type Phase, phaseAt, type SleepSchedule } from "../../config/schedule.ts";
import { leasesOf } from "../../config/staff.ts";
import { endOf } from "../../config/values/days.ts";
import { wakeAnswerOf } from "./wakeAnswer.ts";

type Live = Pick<ClusterSnapshot, "managedObjects">;

/**
 * By schedules, `awake-until`, members' ConfigMaps `wake` and the moment: the next run puts right what earlier ones or a
 * wrong clock left.
 */
export function atMoment(members: readonly Member[], { managedObjects }: Live, now: Date): readonly Member[] {
  if (members.every(({ schedule }) => schedule === undefined)) {
    return members;
  }
  const phaseOf = phases(now);
  return members.map((member) => {
    const { schedule } = member;
    if (schedule === undefined || !mayRun(member)) {
      return member;
    }
    const phase = phaseOf(schedule);
    const wakeAnswer = wakeAnswerOf(member, phase, { managedObjects }, now);
    const asking = wakeAnswer === undefined ? member : { ...member, wakeAnswer };
    const isKeptAwake = now.getTime() < (awakeUntil(asking, { managedObjects })?.getTime() ?? 0);
    return phase.isAsleep && !isKeptAwake ? asleep(asking, phase.since, phase.until) : asking;
  });
}

/** Last sleeping copy of each member, used again while the times are equal; members never change in place. */
const last = new WeakMap<Member, Member>();

/** A member asleep: one object for a whole night, so that the watch compares the same objects at each look. */
function asleep(member: Member, from: Date, to: Date): Member {
  const sleep = { since: from.toISOString(), until: to.toISOString() };
  const before = last.get(member);
  if (before?.sleep?.since === sleep.since && before.sleep.until === sleep.until) {
    return before;
  }
  const made: Member = { ...member, standing: "asleep", sleep };
  last.set(member, made);
  return made;
}

/** When the next of these members falls asleep or wakes, or a lease over them ends; undefined if nothing of it comes. */
export function nextMoment(members: readonly Member[], live: Live, now: Date): Date | undefined {
  const phaseOf = phases(now);
  const moments = members.flatMap((member) => [
    ...(member.schedule === undefined ? [] : [phaseOf(member.schedule).until, awakeUntil(member, live) ?? now]),
    ...leasesOf(member).map(({ until }) => endOf(until)),
  ]);
  const next = Math.min(...moments.map((moment) => moment.getTime()).filter((time) => time > now.getTime()));
  return Number.isFinite(next) ? new Date(next) : undefined;
}

/** When each of these members (as `atMoment` gives them) falls asleep next, if they have a schedule and are awake. */
export function nextSleeps(members: readonly Member[], live: Live, now: Date): ReadonlyMap<Member, Date> {
  const phaseOf = phases(now);
  return new Map(
    members.flatMap((member): [Member, Date][] => {
      const { schedule } = member;
      if (schedule === undefined || !mayRun(member)) {
        return [];
      }
      const kept = awakeUntil(member, live);
      if (kept !== undefined && kept > now) {
        return [[member, sleepAfter(schedule, kept)]];
      }
      const { isAsleep, until } = phaseOf(schedule);
      if (isAsleep) {
        return [];
      }
      const asked = askedByDay(member, schedule, until, live);
      return [[member, asked === undefined ? until : sleepAfter(schedule, asked)]];
    }),
  );
}

/** When a member falls asleep who is awake until a moment. */
function sleepAfter(schedule: SleepSchedule, awake: Date): Date {
  const phase = phaseAt(schedule, awake);
  return phase.isAsleep ? awake : phase.until;
}

/** Until when a ConfigMap `wake` that is there by day will keep a member awake in the sleep to come. */
function askedByDay(
  member: Pick<Member, "name" | "schedule">,
  schedule: SleepSchedule,
  sleep: Date,
  live: Live,
): Date | undefined {
  if (!live.managedObjects.has(objectKey("ConfigMap", wakeName, namespaceName(member)))) {
    return undefined;
  }
  const { granted } = wakeAnswerOf(member, phaseAt(schedule, sleep), live, sleep) ?? {};
  return granted && new Date(granted.until);
}

/** Until when `kubecamp members wake`, or they themselves, keep a member awake; undefined if neither does. */
function awakeUntil(member: Pick<Member, "name" | "wakeAnswer">, live: Live): Date | undefined {
  // An answer is never before the time that the namespace has (`wakeAnswerOf`).
  const text = member.wakeAnswer?.granted?.until ?? annotationOf(member, awakeUntilAnnotation, live);
  const until = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(until) ? undefined : new Date(until);
}

/** Whether a run has put the member to sleep, and none has seen to it since that their controllers make pods again. */
const hasSlept = (member: Pick<Member, "name">, live: Live): boolean =>
  annotationOf(member, sleptAnnotation, live) !== undefined;

/** Whether what a run does beside the objects to have a member sleep, or wake, is yet to be done. */
export const isBetween = (member: Member, live: Live): boolean =>
  hasAccess(member) &&
  (member.wakeAnswer?.granted !== undefined || (member.standing === "asleep") !== hasSlept(member, live));

/** Phases at a moment; most members have the same schedule. */
function phases(now: Date): (schedule: SleepSchedule) => Phase {
  const known = new Map<string, Phase>();
  return (schedule) => {
    const key = [schedule.sleep, schedule.wake, schedule.timeZone].join("\n");
    const phase = known.get(key) ?? phaseAt(schedule, now);
    known.set(key, phase);
    return phase;
  };
}

function annotationOf(member: Pick<Member, "name">, key: string, { managedObjects }: Live): string | undefined {
  return managedObjects.get(objectKey("Namespace", namespaceName(member)))?.annotations[key];
}
