import { hasAccess } from "../../config/member/member.ts";
import { dayInMilliseconds, utcDay } from "../../config/values/days.ts";
import { nextSleeps } from "../decisions/sleep.ts";
import { type ComingRow, type Expected, stepBefore } from "./comingRow.ts";

/** The last days of members. A suspended member's is kept in mind, but not told. */
export const expiry: ComingRow<"expires"> = {
  isForAdmins: true,
  of: ({ members, settings: { notify }, now }) => {
    const today = Date.parse(utcDay(now));
    // The last day itself is the environment's, and a day begins at midnight in UTC.
    const leads = notify.expiryDays.map((step) => ({ step, milliseconds: (step + 1) * dayInMilliseconds }));
    return members
      .flatMap(({ name, standing, expires }): Expected<"expires">[] => {
        if (expires === undefined) {
          return [];
        }
        const at = new Date(Date.parse(expires) + dayInMilliseconds);
        const facts = { lastDay: expires, days: (Date.parse(expires) - today) / dayInMilliseconds };
        const step = hasAccess({ standing }) ? stepBefore(at, now, leads) : undefined;
        return [{ member: name, facts, about: expires, at, step, isForgotten: false }];
      })
      .sort((a, b) => a.facts.days - b.facts.days);
  },
};

/** The days on which members who have left the list are removed. */
export const removal: ComingRow<"removal"> = {
  isForAdmins: true,
  of: ({ members, settings: { notify }, now }) => {
    const today = Date.parse(utcDay(now));
    const leads = notify.expiryDays.map((step) => ({ step, milliseconds: step * dayInMilliseconds }));
    return members
      .flatMap(({ name, leaves }): Expected<"removal">[] => {
        if (leaves === undefined) {
          return [];
        }
        const at = new Date(leaves);
        const facts = { day: leaves, days: (at.getTime() - today) / dayInMilliseconds };
        return [{ member: name, facts, about: leaves, at, step: stepBefore(at, now, leads), isForgotten: false }];
      })
      .sort((a, b) => a.facts.days - b.facts.days);
  },
};

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
