import type { MemberEntry } from "./member/member.ts";
import type { MemberType } from "./member/types.ts";
import type { Settings, SettingsEntry } from "./settings.ts";
import type { Valid } from "./values/issues.ts";
import { plainMistake, type RawMistake } from "./values/mistakes.ts";

/** A member's entry, without its invalid keys. */
export interface Candidate {
  /** Index in the list. */
  readonly index: number;
  readonly entry: Valid<MemberEntry>;
  /** Keys with a mistake, nested ones included. Their values in `entry` are incomplete. */
  readonly wrong: ReadonlySet<string>;
}

/** Context in which the rules check entries. */
export interface RulesContext extends MemberContext {
  /** The settings as configured. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** Whether the value at a path is encrypted in the file; undefined if the file's secrets are not known. */
  readonly isSecret: ((path: readonly PropertyKey[]) => boolean) | undefined;
  /** Settings that are invalid or encrypted; their resolved values may be defaults. */
  readonly wrongSettings: ReadonlySet<string>;
  readonly types: ReadonlyMap<string, MemberType>;
  /** Names of all types; undefined if `memberTypes` can't be read and may add more. */
  readonly typeNames: readonly string[] | undefined;
  /** Name of an entry in messages: `members[3] (bob)`, with its line if that is known. */
  readonly nameOf: (index: number) => string;
  /** Position of an entry in messages: `members[3]`. */
  readonly placeOf: (index: number) => string;
}

/** Context in which a member's entry is resolved. */
export interface MemberContext {
  readonly settings: Settings;
  readonly entry: Valid<SettingsEntry>;
  /** Day of the run in UTC, as `2026-12-31`. */
  readonly today: string;
  /** Whether the list is in a file of its own, which other people may edit. */
  readonly isListElsewhere: boolean;
}

/** Whether a member's host and path are known; the condition to open does not matter here. */
export const hasClearHostPath = ({ entry, wrong }: Candidate) =>
  !["route.host", "route.path"].some((key) => wrong.has(key)) && !(wrong.has("route") && entry.route === undefined);

/**
 * Mistakes: settings that are encrypted. Commands read the configuration without its secrets, and would show or plan
 * something else than a run.
 */
export const encrypted = (paths: readonly PropertyKey[][], { isSecret }: RulesContext): RawMistake[] =>
  paths
    .filter((path) => isSecret?.(path) === true)
    .map((path) => plainMistake(path, "can't be encrypted; set it without --secret"));

/** Paths of a key in the entries that set it. */
export const membersPaths = (candidates: readonly Candidate[], key: "ci" | "labels"): PropertyKey[][] =>
  candidates.flatMap(({ index, entry, wrong }) =>
    entry[key] === undefined && !wrong.has(key) ? [] : [["members", index, key]],
  );
