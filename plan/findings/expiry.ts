import type { Member } from "../../config/model/settings.ts";

/** How long before the last day somebody is told. */
const noticeDays = 14;

/** One warning for all whose last day (in UTC) is near, or is today; none when nobody's is. */
export function expiryWarning(members: readonly Member[], now: Date): string | undefined {
  const today = now.toISOString().slice(0, 10);
  const soon = members
    .flatMap(({ name, standing, expires }) =>
      standing === "active" && expires !== undefined ? [{ name, expires, days: daysBetween(today, expires) }] : [],
    )
    .filter(({ days }) => days >= 0 && days <= noticeDays)
    .sort((a, b) => a.days - b.days)
    .map(({ name, expires, days }) => `${name} on ${expires} (${inDays(days)})`);
  return soon.length === 0 ? undefined : `Expires soon: ${soon.join(", ")}`;
}

/** A day of UTC always has as many milliseconds. */
function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

function inDays(days: number): string {
  if (days === 0) {
    return "today";
  }
  return days === 1 ? "in 1 day" : `in ${days} days`;
}
