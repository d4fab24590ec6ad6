import type { KeptHome } from "./member/leavers.ts";
import type { Member, MemberEntry } from "./member/member.ts";
import type { MemberType } from "./member/types.ts";
import type { ManifestFiles } from "./objects/objects.ts";
import type { Settings, SettingsEntry } from "./settings.ts";
import type { Valid } from "./values/issues.ts";
import { plainMistake, type RawMistake } from "./values/mistakes.ts";

/** Finds one sort of mistake in a configuration. `rules.ts` lists all rules. */
export type Rule = (all: RuleContext) => readonly RawMistake[];

/** A member's entry, without its invalid keys. */
export interface Candidate {
  readonly index: number;
  readonly entry: Valid<MemberEntry>;
  /** Keys with a mistake, nested ones included. Their values in `entry` are incomplete. */
  readonly wrong: ReadonlySet<string>;
}

/** The configuration around a member's entry, by which the entry becomes a member. */
export interface MemberContext {
  readonly settings: Settings;
  /** The settings' entry, without its invalid keys. */
  readonly entry: Valid<SettingsEntry>;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly types: ReadonlyMap<string, MemberType>;
  /** Names of all types; undefined if `memberTypes` can't be read and may add more. */
  readonly typeNames: readonly string[] | undefined;
  /** Day of the run in UTC, as `2026-12-31`. */
  readonly today: string;
  /** Whether the list is in a file of its own, which other people may edit. */
  readonly isListElsewhere: boolean;
}

/** A whole configuration, right or wrong, as rules see it. */
export interface RuleContext extends MemberContext {
  /** Whether the value at a path is encrypted in the file; undefined if the file's secrets are not known. */
  readonly isSecret: ((path: readonly PropertyKey[]) => boolean) | undefined;
  /**
   * Whether a setting is right or absent, or a key of it has a right value or none. Otherwise it is wrong or encrypted, and
   * its resolved value may be a default.
   */
  readonly isKnown: (setting: string, key?: string) => boolean;
  readonly candidates: readonly Candidate[];
  /** Members whose entries have no mistake of their own. */
  readonly members: readonly Member[];
  /** Members' namespaces on the cluster; empty without a grace. */
  readonly homes: readonly KeptHome[];
  readonly leavers: readonly Member[];
  readonly files: ManifestFiles | undefined;
  /** Name of an entry in messages: `members[3] (bob)`, with its line if that is known. */
  readonly nameOf: (index: number) => string;
  /** Position of an entry in messages: `members[3]`. */
  readonly placeOf: (index: number) => string;
}

/** Whether a member's host and path are known; the condition to open does not matter here. */
export const hasClearHostPath = ({ entry, wrong }: Candidate) =>
  !["route.host", "route.path"].some((key) => wrong.has(key)) && !(wrong.has("route") && entry.route === undefined);

/** Commands read the configuration without its secrets, and would show or plan something else than a run. */
export const encrypted = (paths: readonly PropertyKey[][], { isSecret }: RuleContext): RawMistake[] =>
  paths
    .filter((path) => isSecret?.(path) === true)
    .map((path) => plainMistake(path, "can't be encrypted; set it without --secret"));

export const membersPaths = ({ candidates }: RuleContext, key: "ci" | "labels"): PropertyKey[][] =>
  candidates.flatMap(({ index, entry, wrong }) =>
    entry[key] === undefined && !wrong.has(key) ? [] : [["members", index, key]],
  );
