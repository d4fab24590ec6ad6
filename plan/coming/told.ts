import { isMap, jsonIn } from "../../config/values/maps.ts";
import { noticeText } from "../messages/coming/noticeWords.ts";
import type { Coming } from "./coming.ts";

/** Something that a member was told. */
interface Telling {
  /** The threshold for which it was told last. */
  readonly step: number;
  /** Earlier notices of the member. */
  readonly text: string;
  /** Channels on which admins have not been told yet. */
  readonly unsent: readonly string[];
}

/** All that was told about a member and has not passed, by key. */
export type Told = ReadonlyMap<string, Telling>;

/** Notices in the namespace's annotation; none if kubecamp has not written it. */
export function toldIn(annotation: string | undefined): Told {
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

/** The annotation's value; undefined if there is nothing to remember. */
export const annotationOf = (told: Told): string | undefined =>
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

/** Channels to admins by name: all, and those that take a message now. */
export interface Channels {
  readonly all: readonly string[];
  readonly free: readonly string[];
}

/** New notices of one member, and the annotation to write before they are sent. */
export interface News {
  readonly told: Told;
  /** To tell the member. */
  readonly fresh: readonly Coming[];
  /** To tell admins, by channel. */
  readonly messages: ReadonlyMap<string, readonly Coming[]>;
}

/** @param coming all that comes to the member */
export function newsOf(coming: readonly Coming[], before: Told, { all, free }: Channels): News {
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
export const withUnsent = (told: Told, keys: readonly string[], channel: string): Told =>
  new Map(
    [...told].map(([key, telling]) => [
      key,
      keys.includes(key) ? { ...telling, unsent: [...new Set([...telling.unsent, channel])] } : telling,
    ]),
  );
