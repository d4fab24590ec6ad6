import { z } from "zod";
import { commonMoment, cronProblem, isTimeZone, momentText, type SleepSchedule } from "../../model/members/schedule.ts";
import { defaultTimeZone } from "../../model/settings/defaults.ts";
import { optional, text } from "../values.ts";

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
  },
  "must be a map with sleep and wake",
);

export const scheduleSchema = parts.superRefine((entry, context) => {
  const { sleep, wake, timeZone = defaultTimeZone } = entry;
  const problem = isRight(entry) ? problemOf({ sleep, wake, timeZone }) : undefined;
  if (problem !== undefined) {
    context.addIssue({ code: "custom", path: ["wake"], message: problem });
  }
});

/** Schedule of a type or a member. */
export const ownScheduleSchema = z.union(
  [z.literal("off"), scheduleSchema],
  "must be off, or a map with sleep and wake",
);

/** Lists have the same schedule many times. */
const known = new Map<string, string | undefined>();

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
