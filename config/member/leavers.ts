import { givenTitle } from "../objects/givenKinds.ts";
import type { ArchiveSettings } from "../offboarding.ts";
import type { Candidate, MemberContext } from "../rule.ts";
import { dayAfter, dayOf } from "../values/days.ts";
import { isMap, jsonIn } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueText } from "../values/mistakes.ts";
import { checkedEntry, type Member } from "./member.ts";
import { resolvedMember } from "./resolved.ts";

/** A member's namespace on the cluster, with what runs keep there for the time after the member leaves the list. */
export interface KeptHome {
  readonly member: string;
  readonly protect: boolean;
  /** First day on which a run removes the member, as `2026-12-31`; undefined before a run has seen them missing. */
  readonly leaves?: string;
  /** Mark of an archive that was verified after the member had left; undefined without one. */
  readonly archive?: ArchiveMark;
  readonly isChanged?: true;
  /** Objects that the member was given, as the namespace lists them, except their own; undefined without any. */
  readonly given?: readonly string[];
  readonly entry?: string;
}

/** A verified archive, as the namespace's annotation has it. */
export interface ArchiveMark {
  readonly bucket: string;
  /** Beginning of the keys of its objects, with `/` at the end. */
  readonly prefix: string;
  readonly sha256: string;
  /** The day on the namespace at that time: after another leave, the archive is out of date. */
  readonly leaves: string;
  /** Archived content by the settings (`askedOf`). */
  readonly asked: string;
  /** Digest of the objects that it has (`homeStateOf`). */
  readonly state: string;
}

/** A text with the member's entry may have so many bytes: all annotations of an object together have 256 KiB. */
export const longestEntry = 64 * 1024;

/** Content of an archive by the settings, such as `retain` or `snapshot, secrets`. */
export const askedOf = ({ volumes, secrets }: Pick<ArchiveSettings, "volumes" | "secrets">): string =>
  secrets ? `${volumes}, secrets` : volumes;

/** Whether an archive counts: not one from before they were back in the list, in another bucket, or asked for less. */
export const isCurrent = (
  mark: ArchiveMark | undefined,
  leaves: string | undefined,
  archive: ArchiveSettings,
): boolean =>
  mark !== undefined && mark.leaves === leaves && mark.bucket === archive.bucket && mark.asked === askedOf(archive);

/**
 * A member's entry as text, for the time after they leave the list. It says whether the settings give the member's keys
 * to buckets: these stay closed only as long as the settings have them.
 */
export function keptEntry(entry: object, hasKeys: boolean): string {
  return JSON.stringify({ ...entry, ...(hasKeys ? { hasKeys } : {}) });
}

/** Whether the settings gave the keys of a member with this kept entry. */
export function hadKeys(entry: string): boolean {
  return Object(jsonIn(entry)).hasKeys === true;
}

/**
 * Members who left the list and are in their grace or not archived yet, by the entry that a run has kept. Whoever is
 * protected, or has come to their day and is archived, is not among them: a run removes them, or refuses to.
 * @param candidates entries of the list
 */
export function leaversOf(homes: readonly KeptHome[], candidates: readonly Candidate[], context: MemberContext) {
  const listed = new Set(candidates.map(({ entry: { member } }) => member));
  const { settings, today } = context;
  const { graceDays = 0, removeNow = [], archive } = settings.offboarding;
  const members: Member[] = [];
  const mistakes: RawMistake[] = [];
  for (const home of homes) {
    const { member: name, protect } = home;
    const leaves = removalDay(home, today, graceDays);
    const isDue = removeNow.includes(name) || leaves <= today;
    const isArchived = archive !== undefined && isCurrent(home.archive, home.leaves, archive) && !home.isChanged;
    const isKept = isDue && archive !== undefined && !isArchived;
    // Only a suspended member's namespace can be archived: before that, they could still change it.
    const isUnarchived = isKept && home.leaves !== undefined;
    if (listed.has(name) || protect || (isDue && !isKept)) {
      continue;
    }
    const found = keptMember(home, context);
    if (typeof found === "string") {
      mistakes.push(plainMistake(["members"], unkept(name, leaves, found, archive)));
    } else {
      members.push({ ...found, standing: "suspended", leaves, ...(isUnarchived ? { isUnarchived } : {}) });
    }
  }
  return { members, mistakes };
}

/** A date that a run has set stays, whatever the clock or `graceDays` say by now. */
function removalDay({ leaves }: KeptHome, today: string, graceDays: number): string {
  return (leaves === undefined ? undefined : dayOf(leaves)) ?? dayAfter(today, graceDays);
}

function keptMember({ member: name, entry: text, given = [] }: KeptHome, context: MemberContext): Member | string {
  if (text === undefined) {
    return "no run has kept the entry (none keeps one with 'secure:' values)";
  }
  const { types, typeNames } = context;
  const kept = jsonIn(text);
  if (!isMap(kept)) {
    return "the entry that was kept can't be read";
  }
  const { hasKeys: _, ...asWritten } = kept;
  const { valid, mistakes } = checkedEntry(asWritten, typeNames, []);
  const { member, type = "", ...rest } = valid;
  const known = types.get(type);
  const [mistake] = mistakes;
  if (mistake !== undefined) {
    return `the entry that was kept is not valid any more: ${mistake.message(valueText)}`;
  }
  if (known === undefined) {
    return `the entry that was kept has the type '${type}', which the stack has no more`;
  }
  if (member !== name) {
    return "the entry that was kept is another member's";
  }
  const { objects = [], ...resolved } = resolvedMember({ ...rest, type, member }, known, context);
  // Nothing new: what the platform gives since then could be refused for them, and fail the run for everybody.
  const had = objects.filter((object) => object.isTheirs || given.includes(givenTitle(object.kind, object.name)));
  return { ...resolved, ...(had.length === 0 ? {} : { objects: had }), entry: text };
}

function unkept(name: string, leaves: string, why: string, archive: ArchiveSettings | undefined): string {
  const wayOut =
    archive === undefined
      ? `; or delete everything of '${name}' now: add the name to offboarding.removeNow`
      : ": without it nobody can be suspended and archived (offboarding.archive)";
  return (
    `has no '${name}' any more, who is to be suspended until ${leaves} (offboarding.graceDays), and ${why}. ` +
    `Put the entry back, run 'pulumi up' and then remove it${wayOut}`
  );
}

export function keptSubject({ member, entry }: KeptHome): string | undefined {
  const kept = entry === undefined ? undefined : jsonIn(entry);
  const { subject = member } = isMap(kept) ? kept : {};
  return isMap(kept) && typeof subject === "string" ? subject : undefined;
}
