import { nextSleeps } from "../decisions/sleep.ts";
import { type ComingRow, stepBefore } from "./row.ts";

const minute = 60_000;
/** Minutes before a sleep in which it is told: enough to save a file, and too few to forget it. */
const lead = 15;

/** The times at which members fall asleep. Only members are told: to admins it is the schedule, each evening. */
export const sleep: ComingRow<"sleepsSoon"> = {
  isForAdmins: false,
  of: ({ members, snapshot, now }) =>
    [...nextSleeps(members, snapshot, now)].map(([{ name, schedule }, at]) => ({
      member: name,
      facts: {
        at: at.toISOString(),
        timeZone: schedule?.timeZone ?? "UTC",
        minutes: Math.ceil((at.getTime() - now.getTime()) / minute),
      },
      about: at.toISOString(),
      at,
      step: stepBefore(at, now, [{ step: lead, milliseconds: lead * minute }]),
      isForgotten: false,
    })),
};
