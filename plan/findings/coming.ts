import { hasAccess, type Member } from "../../config/member/member.ts";
import { leasesOf } from "../../config/staff.ts";
import { dayInMilliseconds, endOf, utcDay } from "../../config/values/days.ts";
import { isMap, jsonIn } from "../../config/values/maps.ts";
import { subjectText } from "../../objects/rbac/subjects.ts";
import { nextSleeps } from "../decisions/sleep.ts";
import type { Planned } from "../members/plan.ts";
import type { Finding } from "../words/finding.ts";
import { type ComingCode, type ComingFacts, noticeText } from "../words/notices.ts";
import type { ComingRow, Expected, Look } from "./comingRow.ts";
import { quotas } from "./quotas.ts";

/** The nearest threshold that is passed; undefined if none is, or the time has come. */
function stepBefore(at: Date, now: Date, leads: readonly { readonly step: number; readonly milliseconds: number }[]) {
  const left = at.getTime() - now.getTime();
  const passed = leads.filter(({ milliseconds }) => left > 0 && left <= milliseconds).map(({ step }) => step);
  return passed.length === 0 ? undefined : Math.min(...passed);
}

/** What comes on a day of a member's, the next one first. The day itself is still theirs if it comes `after` it, at midnight in UTC. */
const onDays = <C extends "expires" | "removal">(
  after: 0 | 1,
  dayOf: (member: Member) => string | undefined,
  factsOf: (day: string, days: number) => ComingFacts[C],
): ComingRow<C> => ({
  isForAdmins: true,
  of: ({ members, settings: { notify }, now }) => {
    const today = Date.parse(utcDay(now));
    const leads = notify.expiryDays.map((step) => ({ step, milliseconds: (step + after) * dayInMilliseconds }));
    return members
      .flatMap((member) => {
        const day = dayOf(member);
        return day === undefined ? [] : [{ member, day, days: (Date.parse(day) - today) / dayInMilliseconds }];
      })
      .sort((a, b) => a.days - b.days)
      .map(({ member, day, days }) => {
        const at = new Date(Date.parse(day) + after * dayInMilliseconds);
        // The last day of somebody who is suspended is kept in mind, but not told.
        const step = after === 0 || hasAccess(member) ? stepBefore(at, now, leads) : undefined;
        return { member: member.name, facts: factsOf(day, days), about: day, at, step, isForgotten: false };
      });
  },
});

const minute = 60_000;
/** Minutes before a sleep in which it is told: enough to save a file, and too few to forget it. */
const lead = 15;

/** The times at which members fall asleep. Only members are told: to admins it is the schedule, each evening. */
const sleep: ComingRow<"sleepsSoon"> = {
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

/** The ends of leases as staff, the next one first; a time counts as its day. */
const leases: ComingRow<"staffEnds"> = {
  isForAdmins: true,
  of: ({ members, settings: { notify }, now }) => {
    const today = Date.parse(utcDay(now));
    const leads = notify.expiryDays.map((step) => ({ step, milliseconds: (step + 1) * dayInMilliseconds }));
    return members
      .flatMap((member) => leasesOf(member).map((lease) => ({ member, lease, at: endOf(lease.until) })))
      .sort((a, b) => a.at.getTime() - b.at.getTime())
      .map(({ member, lease: { role, until, ...subject }, at }) => ({
        member: member.name,
        facts: {
          ...{ who: subjectText(subject), role, until },
          days: (Date.parse(until.slice(0, "2026-12-20".length)) - today) / dayInMilliseconds,
        },
        about: `${subjectText(subject)} ${role} ${until}`,
        at,
        step: stepBefore(at, now, leads),
        isForgotten: false,
      }));
  },
};

const rows: { readonly [C in ComingCode]: ComingRow<C> } = {
  expires: onDays(
    1,
    ({ expires }) => expires,
    (lastDay, days) => ({ lastDay, days }),
  ),
  staffEnds: leases,
  quotaNearlyFull: quotas,
  removal: onDays(
    0,
    ({ leaves }) => leaves,
    (day, days) => ({ day, days }),
  ),
  sleepsSoon: sleep,
};

export interface Coming extends Pick<Expected<ComingCode>, "at" | "step" | "isForgotten"> {
  readonly finding: Finding<ComingCode> & { readonly member: string };
  /** Code and what it is about: tells a member's things apart. */
  readonly key: string;
  readonly isForAdmins: boolean;
}

export const comingCodes = Object.keys(rows) as ComingCode[];

/** Near or not: what has a `step` is to be told at `look.now`. Events, metrics, messages and reports go by this. */
export const comingOf = (look: Look): Coming[] => comingCodes.flatMap((code) => ofKind(code, look));

function ofKind<C extends ComingCode>(code: C, look: Look): Coming[] {
  const { isForAdmins, of } = rows[code];
  return of(look).map(({ member, object, facts, about, at, step, isForgotten }) => ({
    // TypeScript can't see that the facts are those of the code.
    finding: { code, member, ...(object === undefined ? {} : { object }), facts } as Coming["finding"],
    key: `${code} ${about}`,
    ...(at === undefined ? {} : { at }),
    step,
    isForgotten,
    isForAdmins,
  }));
}

export const noticeLook = ({ members, settings, snapshot }: Planned<Look["snapshot"]>, now = new Date()): Look => ({
  members: members.map(({ member }) => member),
  settings,
  snapshot,
  now,
});

export const nearOf = (look: Look, ...codes: readonly ComingCode[]): Finding<ComingCode>[] =>
  codes.flatMap((code) => ofKind(code, look).flatMap(({ step, finding }) => (step === undefined ? [] : [finding])));

interface Telling {
  /** The threshold for which it was told last. */
  readonly step: number;
  readonly text: string;
  /** Channels on which admins have not been told yet. */
  readonly unsent: readonly string[];
}

export type ToldNotices = ReadonlyMap<string, Telling>;

export function toldIn(annotation: string | undefined): ToldNotices {
  const list = jsonIn(annotation ?? "");
  return new Map(
    (Array.isArray(list) ? list : []).flatMap((entry: unknown) => {
      const { key, step, text, unsent = [] } = isMap(entry) ? entry : {};
      return typeof key === "string" && typeof step === "number" && typeof text === "string" && Array.isArray(unsent)
        ? [[key, { step, text, unsent: unsent.map(String) }] as const]
        : [];
    }),
  );
}

export const annotationOf = (told: ToldNotices): string | undefined =>
  told.size === 0
    ? undefined
    : JSON.stringify(
        [...told].map(([key, { step, text, unsent }]) => ({
          key,
          step,
          text,
          ...(unsent.length > 0 ? { unsent } : {}),
        })),
      );

export interface Channels {
  readonly all: readonly string[];
  readonly free: readonly string[];
}

export interface News {
  readonly told: ToldNotices;
  readonly fresh: readonly Coming[];
  readonly messages: ReadonlyMap<string, readonly Coming[]>;
}

export function newsOf(coming: readonly Coming[], before: ToldNotices, { all, free }: Channels): News {
  const fresh: Coming[] = [];
  const messages = new Map<string, Coming[]>();
  const told = new Map<string, Telling>();
  for (const one of coming) {
    const { key, step, isForgotten, isForAdmins, finding } = one;
    const known = isForgotten ? undefined : before.get(key);
    // A clock that is set back brings up an earlier threshold, which is no news.
    const isFresh = step !== undefined && (known === undefined || step < known.step);
    if (isFresh) {
      fresh.push(one);
    }
    const telling = isFresh ? { step, text: noticeText(finding), unsent: isForAdmins ? all : [] } : known;
    if (telling === undefined) {
      continue;
    }
    // A channel that is no longer set gets nothing; and what is no longer near has nobody to warn.
    const waiting = step === undefined ? [] : telling.unsent.filter((channel) => all.includes(channel));
    for (const channel of waiting.filter((each) => free.includes(each))) {
      messages.set(channel, [...(messages.get(channel) ?? []), one]);
    }
    told.set(key, { ...telling, unsent: waiting.filter((channel) => !free.includes(channel)) });
  }
  return { told, fresh, messages };
}

/** The same memory, with some of it still to be sent on a channel that failed. */
export const withUnsent = (told: ToldNotices, keys: readonly string[], channel: string): ToldNotices =>
  new Map(
    [...told].map(([key, telling]) => [
      key,
      keys.includes(key) ? { ...telling, unsent: [...new Set([...telling.unsent, channel])] } : telling,
    ]),
  );
