import { dayInMilliseconds, utcDay } from "../../config/model/days.ts";
import { type ComingRow, type Expected, stepBefore } from "./row.ts";

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
