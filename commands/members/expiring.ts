import { dayInMilliseconds } from "../../config/model/days.ts";
import type { MemberOverview } from "./overview/overview.ts";

/** States of members with access. */
const withAccess: readonly MemberOverview["state"][] = ["ready", "pending", "asleep"];

/**
 * Whether a member has access, and their last day is today or in the next days.
 * @param today the day in UTC, as `2026-12-31`
 */
export function isExpiring({ state, expires }: MemberOverview, today: string, days: number): boolean {
  const left = expires === undefined ? Number.NaN : (Date.parse(expires) - Date.parse(today)) / dayInMilliseconds;
  return withAccess.includes(state) && left >= 0 && left <= days;
}
