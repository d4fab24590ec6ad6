import type { Member } from "../../config/model/member.ts";
import type { Finding } from "../messages/finding.ts";

/** Days before the last day from which the expiry is reported. */
const noticeDays = 14;

/** Active members whose last day (in UTC) is near or today. */
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

/** Days between two dates in UTC, where every day has the same length. */
function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}
