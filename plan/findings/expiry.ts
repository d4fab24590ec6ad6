import type { Member } from "../../config/model/settings.ts";
import type { Finding } from "../messages/finding.ts";

/** How long before the last day somebody is told. */
const noticeDays = 14;

/** Whose last day (in UTC) is near, or is today. */
export function expiring(members: readonly Member[], now: Date): Finding[] {
  const today = now.toISOString().slice(0, 10);
  return members
    .flatMap(({ name, standing, expires }) =>
      standing === "active" && expires !== undefined ? [{ name, expires, days: daysBetween(today, expires) }] : [],
    )
    .filter(({ days }) => days >= 0 && days <= noticeDays)
    .sort((a, b) => a.days - b.days)
    .map(({ name, expires, days }) => ({ code: "expires", member: name, facts: { lastDay: expires, days } }));
}

/** A day of UTC always has as many milliseconds. */
function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}
