import type { SleepSchedule } from "../../model/members/schedule.ts";
import { defaultTimeZone } from "../../model/settings/defaults.ts";
import type { Valid } from "../../schema/issues.ts";
import type { MemberEntry } from "../../schema/members/member.ts";
import type { SettingsEntry } from "../../schema/settings.ts";
import { typeEntryOf } from "./limits.ts";

/** When a member sleeps: the member's own schedule, the type's or the stack's; undefined for never. */
export function scheduleOf(entry: Valid<MemberEntry>, stack: Valid<SettingsEntry>): SleepSchedule | undefined {
  const own = entry.schedule ?? typeEntryOf(entry, stack)?.schedule ?? stack.schedule;
  if (own === undefined || own === "off") {
    return undefined;
  }
  const { sleep, wake, timeZone = defaultTimeZone } = own;
  // Incomplete schedules are mistakes, which end the run.
  return sleep === undefined || wake === undefined ? undefined : { sleep, wake, timeZone };
}
