import { momentText } from "../../config/schedule.ts";
import type { StaffRole } from "../../config/staff.ts";
import { firstFew } from "../../config/values/sentences.ts";
import {
  inOneSentence,
  lineOf,
  listed,
  memberNames,
  type None,
  type Reason,
  type Reported,
  type WordsOf,
} from "./wording.ts";

/** Facts of what comes, which members and admins are told beforehand. */
export interface ComingFacts {
  /** `days` until the last day: 0 on that day. */
  readonly expires: { readonly lastDay: string; readonly days: number };
  /** The end of access as staff, as a last day or a time; `days` until it, 0 on the day. */
  readonly staffEnds: {
    readonly who: string;
    readonly role: StaffRole;
    readonly until: string;
    readonly days: number;
  };
  /** `days` until the first day on which a run removes a member who has left the list. */
  readonly removal: { readonly day: string; readonly days: number };
  /** When a member's pods stop for a sleep: a moment as ISO 8601 has it, in the schedule's zone, and minutes until then. */
  readonly sleepsSoon: { readonly at: string; readonly timeZone: string; readonly minutes: number };
  readonly quotaNearlyFull: {
    readonly resource: string;
    readonly used: string;
    readonly hard: string;
    /** Part of it that is used; 1 for all. */
    readonly ratio: number;
    /** Objects that a full quota refuses. */
    readonly refused: string;
  };
}

export type ComingCode = keyof ComingFacts;

/** Facts of what the watch reports to the member: its actions, and what comes. */
export interface NoticeFacts extends ComingFacts {
  readonly driftRepaired: { readonly change: "changed" | "deleted" };
  /** `wakeFor`: how long they may yet be awake by themselves, if they may, such as `2h`. */
  readonly fellAsleep: { readonly text: string; readonly wakeFor?: string | undefined };
  readonly routeClosed: Reason;
  readonly routeOpened: { readonly url: string };
  readonly routePending: Reason;
  /** Of a ConfigMap `wake`: how often the schedule lets the member wake in one sleep, and for how long. */
  readonly wakeRefused: { readonly most: number; readonly wakeFor: string };
  readonly wokeUp: None;
}

export type NoticeCode = keyof NoticeFacts;

export const comingWords: WordsOf<ComingFacts> = {
  expires: inOneSentence(
    "Expires soon: ",
    ({ member, facts: { lastDay, days } }) => `${member} on ${lastDay} (${inDays(days)})`,
  ),
  staffEnds: (all) => [
    [...Map.groupBy(all, ({ facts }) => leaseText(facts))]
      .map(([lease, same]) => `Access of staff ends soon: ${lease}, over ${firstFew(memberNames(same), 20)}`)
      .join("\n"),
  ],
  removal: inOneSentence(
    "Removed soon: ",
    ({ member, facts: { day, days } }) => `${member} on ${day} (${inDays(days)})`,
  ),
  sleepsSoon: (all) => [
    [...Map.groupBy(all, ({ facts }) => sleepTimeText(facts))]
      .map(([time, same]) => `Asleep soon: ${firstFew(memberNames(same), 20)} at ${time}`)
      .join("\n"),
  ],
  quotaNearlyFull: listed("Quotas that are nearly full:", (one) => lineOf(one, usedText(one.facts)), 20),
};

/** Such as `in 3 days`. */
function inDays(days: number): string {
  if (days === 0) {
    return "today";
  }
  return days === 1 ? "in 1 day" : `in ${days} days`;
}

/** Such as `group oidc:ta-cs101 (assist) until 2026-12-20 (in 3 days)`. */
const leaseText = ({ who, role, until, days }: ComingFacts["staffEnds"]): string =>
  `${who} (${role}) until ${until} (${inDays(days)})`;

/** Such as `2026-11-26 20:00 Europe/Zurich (in 15 minutes)`. */
const sleepTimeText = ({ at, timeZone, minutes }: ComingFacts["sleepsSoon"]): string =>
  `${momentText(new Date(at), timeZone)} (in ${minutes === 1 ? "1 minute" : `${minutes} minutes`})`;

/** Without the error of a float's last digits, which would make 57 % of 56.99999. */
export const percentOf = (ratio: number): number => Number((ratio * 100).toFixed(6));

/** Such as `limits.cpu 950m of 1 (95 %)`. */
export const usedText = ({ resource, used, hard, ratio }: ComingFacts["quotaNearlyFull"]): string =>
  `${resource} ${used} of ${hard} (${Math.floor(percentOf(ratio))} %)`;

const noticeWords: { readonly [C in NoticeCode]: (notice: Reported<NoticeFacts[C]>) => string } = {
  driftRepaired: ({ object, facts: { change } }) => `${object} was ${change} by hand, and was restored.`,
  expires: ({ facts: { lastDay, days } }) =>
    `The last day of your environment is ${lastDay} in UTC, ${inDays(days)}. After it, you have no access and your pods stop.`,
  fellAsleep: ({ facts: { text, wakeFor } }) =>
    `Your pods are stopped, and new ones refused: ${text}. Everything else stays.${
      wakeFor === undefined ? "" : ` To wake for ${wakeFor}: kubectl create configmap wake.`
    }`,
  staffEnds: ({ facts }) => `Access of staff to your namespace ends: ${leaseText(facts)}.`,
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
  wakeRefused: ({ facts: { most, wakeFor } }) =>
    `Your ConfigMap 'wake' was removed: you may wake for ${wakeFor} ${most === 1 ? "once" : `${most} times`} in one sleep, counted from when you make it.`,
  wokeUp: () => "You are awake: your controllers create your pods again.",
};

export const noticeText = <C extends NoticeCode>(notice: Reported<NoticeFacts[C]> & { readonly code: C }): string =>
  noticeWords[notice.code](notice);
