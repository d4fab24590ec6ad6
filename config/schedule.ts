import { Cron } from "croner";
import { z } from "zod";
import type { Member } from "./member/member.ts";
import type { Valid } from "./values/issues.ts";
import { minutesOf, minutesText, mostMinutes } from "./values/minutes.ts";
import { amount, optional, text } from "./values/values.ts";

/** When members sleep: cron lines of five fields, in a time zone. */
export interface SleepSchedule {
  /** Such as `0 20 * * 1-5`. */
  readonly sleep: string;
  readonly wake: string;
  /** A name of the IANA database, such as `Europe/Zurich`. */
  readonly timeZone: string;
  /** How members may wake by themselves. Default: they may not. */
  readonly ownWakes?: OwnWakes;
}

export interface OwnWakes {
  /** How long one lasts. */
  readonly minutes: number;
  /** Most in one sleep. */
  readonly most: number;
}

/** Whether a schedule's members sleep at a moment, and the times around it. */
export type Phase =
  | {
      readonly isAsleep: true;
      readonly since: Date;
      readonly until: Date;
    }
  | {
      readonly isAsleep: false;
      /** When the last sleep ended; undefined if there was none. */
      readonly since: Date | undefined;
      readonly until: Date;
    };

/** Default of schedules; `expires` is in UTC, too. */
export const defaultTimeZone = "UTC";

/**
 * Decided by the schedule and the moment alone, so that a run always comes to the same answer, whatever ran before it and
 * however the clock was set. An hour that daylight saving time skips counts as the one after it; one that it repeats
 * counts once.
 */
export function phaseAt(schedule: SleepSchedule, now: Date): Phase {
  const [sleep, wake] = [schedule.sleep, schedule.wake].map((line) => cronOf(line, schedule.timeZone)) as [Cron, Cron];
  const [slept, woke] = [lastOf(sleep, now), lastOf(wake, now)];
  return slept !== undefined && slept.getTime() > (woke?.getTime() ?? Number.NEGATIVE_INFINITY)
    ? { isAsleep: true, since: firstAfter(sleep, woke, slept), until: nextOf(wake, now) }
    : { isAsleep: false, since: woke && firstAfter(wake, slept, woke), until: nextOf(sleep, now) };
}

/** The moment at which a phase began: a line may come again in it, as that of each night of a weekend. */
function firstAfter(line: Cron, before: Date | undefined, last: Date): Date {
  const first = before === undefined ? null : line.nextRun(new Date(before.getTime() - 1));
  return first === null || first > last ? last : first;
}

/**
 * A moment when both lines of a schedule come; undefined if there is none in the steps that are tried. Days are tried from
 * a fixed one on, so that a configuration is right or wrong whatever the day.
 */
export function commonMoment({ sleep, wake, timeZone }: SleepSchedule): Date | undefined {
  const [a, b] = [cronOf(sleep, timeZone), cronOf(wake, timeZone)];
  let [x, y] = [a.nextRun(firstTried), b.nextRun(firstTried)];
  for (let step = 0; x !== null && y !== null && step < mostSteps; step++) {
    if (x.getTime() === y.getTime()) {
      return x;
    }
    [x, y] = x < y ? [a.nextRun(x), y] : [x, b.nextRun(y)];
  }
  return undefined;
}

/** Why a line is no cron line; undefined if it is one that comes some day. */
export function cronProblem(line: string): string | undefined {
  const fields = line.trim().split(/\s+/);
  if (fields.length === 6 || fields.length === 7) {
    return `has ${fields.length} fields, and must have five: minute, hour, day, month, weekday; leave out the seconds`;
  }
  if (fields.length !== 5 || !fields.every((field) => /^[0-9A-Za-z*,/#-]+$/.test(field))) {
    return "must be a cron line of five fields, such as '0 20 * * 1-5': minute, hour, day, month, weekday";
  }
  try {
    return cronOf(line, "UTC").nextRun() === null
      ? "never comes: there is no such day; set another day or month"
      : undefined;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replace(/^CronPattern: /, "").replace(/\.$/, "") : String(cause);
    return `is no cron line: ${why}`;
  }
}

export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** A moment in a schedule's zone, such as `2026-11-26 20:00 Europe/Zurich`. */
export function momentText(moment: Date, timeZone: string): string {
  // Swedish writes dates as ISO 8601 does.
  const text = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "short" }).format(moment);
  return `${text} ${timeZone}`;
}

const lastMillisecond = 8.64e15;

const firstTried = new Date("2024-01-01T00:00:00Z");

/** A year of days with one sleep each. */
const mostSteps = 2 * 366;

const cronOf = (line: string, timeZone: string) => new Cron(line.trim(), { timezone: timeZone, mode: "5-part" });

/** The last moment of a line, `now` included, which croner leaves out. */
function lastOf(cron: Cron, now: Date): Date | undefined {
  return cron.previousRuns(1, new Date(now.getTime() + 1))[0];
}

/** A line of which `cronProblem` finds nothing always comes again. */
function nextOf(cron: Cron, now: Date): Date {
  return cron.nextRun(now) ?? new Date(lastMillisecond);
}

const defaultWakes = 1;

const isTime = (time: string) => (minutesOf(time) ?? Number.POSITIVE_INFINITY) <= mostMinutes;

const cronLine = z.string("must be a cron line, such as '0 20 * * 1-5'").superRefine((line, context) => {
  const problem = cronProblem(line);
  if (problem !== undefined) {
    context.addIssue(problem);
  }
});

/** A schedule can't be checked as a whole before its parts are right. */
const isRight = ({ sleep, wake, timeZone = defaultTimeZone }: z.input<typeof parts>) =>
  cronProblem(sleep) === undefined && cronProblem(wake) === undefined && isTimeZone(timeZone);

const parts = z.strictObject(
  {
    sleep: cronLine.meta({
      description: "When members fall asleep: minute, hour, day of the month, month, day of the week.",
      examples: ["0 20 * * 1-5"],
    }),
    wake: cronLine.meta({ description: "When members wake, in the same form.", examples: ["0 7 * * 1-5"] }),
    timeZone: optional(
      text.refine(isTimeZone, "is no time zone of the IANA database, such as Europe/Zurich"),
      "Time zone of both.",
      { default: defaultTimeZone, examples: ["Europe/Zurich"] },
    ),
    wakeFor: optional(
      text.refine(isTime, "must be hours and minutes, at most 24h, such as 2h, 45m or 1h30m"),
      "How long members wake if they make a ConfigMap `wake`. Default: they can't. See [sleep.md](../run/sleep.md#members-who-wake-themselves).",
      { examples: ["2h"] },
    ),
    wakes: optional(amount(1, 100, "wakes"), "How often they may do so in one sleep.", {
      default: defaultWakes,
      examples: [2],
    }),
  },
  "must be a map with sleep and wake",
);

const schedule = parts.superRefine((entry, context) => {
  const { sleep, wake, timeZone = defaultTimeZone } = entry;
  const problem = isRight(entry) ? problemOf({ sleep, wake, timeZone }) : undefined;
  if (problem !== undefined) {
    context.addIssue({ code: "custom", path: ["wake"], message: problem });
  }
  if (entry.wakes !== undefined && entry.wakeFor === undefined) {
    context.addIssue({ code: "custom", path: ["wakes"], message: "needs wakeFor, such as 2h" });
  }
});

export const scheduleSchema = optional(
  schedule,
  "When members sleep, without pods, unless the type or the member has another schedule. Default: never. See [sleep.md](../run/sleep.md).",
  { examples: [{ sleep: "0 20 * * 1-5", wake: "0 7 * * 1-5", timeZone: "Europe/Zurich" }] },
);

/** Lists have the same schedule many times. */
const known = new Map<string, string | undefined>();

export const ownScheduleSchema = z.union([z.literal("off"), schedule], "must be off, or a map with sleep and wake");

function problemOf({ sleep, wake, timeZone }: SleepSchedule): string | undefined {
  const key = JSON.stringify([sleep, wake, timeZone]);
  if (!known.has(key)) {
    const both = commonMoment({ sleep, wake, timeZone });
    known.set(
      key,
      both && `comes when sleep does, such as at ${momentText(both, timeZone)}; set one of them to another time`,
    );
  }
  return known.get(key);
}

/** @returns undefined if they may not wake by themselves */
export function ownWakesOf({
  wakeFor,
  wakes = defaultWakes,
}: Valid<Pick<z.input<typeof parts>, "wakeFor" | "wakes">>): OwnWakes | undefined {
  const minutes = wakeFor === undefined ? undefined : minutesOf(wakeFor);
  return minutes === undefined ? undefined : { minutes, most: wakes };
}

/** How long the member may be awake by themselves, such as `2h`; undefined if they may not, or make no ConfigMaps. */
export const wakeForText = ({ schedule, type }: Pick<Member, "schedule" | "type">): string | undefined =>
  type.home === "edit" ? schedule?.ownWakes && minutesText(schedule.ownWakes.minutes) : undefined;

/** Why the member has no pods and no path, such as `asleep since 2026-11-26 20:00, until 2026-11-27 07:00 Europe/Zurich`. */
export function sleepText({ sleep, schedule }: Pick<Member, "sleep" | "schedule">): string {
  const zone = schedule?.timeZone ?? "UTC";
  const [since, until] = [sleep?.since ?? "", sleep?.until ?? ""].map((time) => momentText(new Date(time), zone));
  return `asleep since ${since?.replace(` ${zone}`, "")}, until ${until}`;
}
