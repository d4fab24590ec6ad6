import { momentText } from "../../config/schedule.ts";
import type { Finding } from "./finding.ts";
import type { ComingFacts, NoticeCode } from "./noticeFacts.ts";

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

const noticeWords: { readonly [C in NoticeCode]: (notice: Finding<C>) => string } = {
  driftRepaired: ({ object, facts: { change } }) => `${object} was ${change} by hand, and was restored.`,
  expires: ({ facts: { lastDay, days } }) =>
    `The last day of your environment is ${lastDay} in UTC, ${inDays(days)}. After it, you have no access and your pods stop.`,
  fellAsleep: ({ facts: { text } }) => `Your pods are stopped, and new ones refused: ${text}. Everything else stays.`,
  quotaNearlyFull: ({ facts }) =>
    facts.ratio < 1
      ? `Your quota is nearly full: ${usedText(facts)}. Once it is, new ${facts.refused} are refused.`
      : `Your quota is full: ${usedText(facts)}. New ${facts.refused} are refused until there is room.`,
  removal: ({ facts: { day, days } }) =>
    `You are no longer in the list. Your environment is deleted with everything in it from ${day} on, ${inDays(days)}.`,
  routeClosed: ({ facts: { reason } }) => `Your path is closed: ${reason}.`,
  routeOpened: ({ facts: { url } }) => `${url} leads to your Service.`,
  routePending: ({ facts: { reason } }) => `Your path is not open: ${reason}.`,
  sleepsSoon: ({ facts }) =>
    `Your pods stop at ${sleepTimeText(facts)}, and new ones are refused until you wake. Everything else stays.`,
  wokeUp: () => "You are awake: your controllers create your pods again.",
};

/** The text for the member. */
export const noticeText = <C extends NoticeCode>(notice: Finding<C>): string =>
  (noticeWords[notice.code] as (notice: Finding<C>) => string)(notice);
