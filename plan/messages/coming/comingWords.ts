import { momentText } from "../../../config/model/members/schedule.ts";
import type { ComingFacts } from "./comingFacts.ts";

/** Such as `in 3 days`. */
export function inDays(days: number): string {
  if (days === 0) {
    return "today";
  }
  return days === 1 ? "in 1 day" : `in ${days} days`;
}

/** Such as `2026-11-26 20:00 Europe/Zurich (in 15 minutes)`. */
export const sleepTimeText = ({ at, timeZone, minutes }: ComingFacts["sleepsSoon"]): string =>
  `${momentText(new Date(at), timeZone)} (in ${minutes === 1 ? "1 minute" : `${minutes} minutes`})`;

/** Without the error of a float's last digits, which would make 57 % of 56.99999. */
export const percentOf = (ratio: number): number => Number((ratio * 100).toFixed(6));

/** Such as `limits.cpu 950m of 1 (95 %)`. */
export const usedText = ({ resource, used, hard, ratio }: ComingFacts["quotaNearlyFull"]): string =>
  `${resource} ${used} of ${hard} (${Math.floor(percentOf(ratio))} %)`;
