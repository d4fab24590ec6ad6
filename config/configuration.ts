import { ciOf } from "./member/ci.ts";
import { confinementOf } from "./member/confinement.ts";
import { type KeptHome, keptEntry, leaversOf } from "./member/leavers.ts";
import { checkedEntry, type Member, type MemberEntry } from "./member/member.ts";
import { resolvedMember, withoutClosedKeys } from "./member/resolved.ts";
import { typesIn } from "./member/types.ts";
import { hasGrace } from "./offboarding.ts";
import type { Candidate, MemberContext } from "./rule.ts";
import { rules } from "./rules.ts";
import { type Configuration, checkedSettings, type SettingsFiles, settingsOf } from "./settings.ts";
import { withStaff } from "./staff.ts";
import { hasGivenKeys } from "./storage/bucketKeys.ts";
import { defined, unread } from "./values/maps.ts";
import { type Mistake, valueAt } from "./values/mistakes.ts";
import { nameAt, type Places, reported } from "./values/reported.ts";

export type Parsed = { readonly configuration: Configuration } | { readonly mistakes: readonly Mistake[] };

interface Origin extends Places, SettingsFiles {
  readonly members?: readonly unknown[] | undefined;
  /** Namespaces of members on the cluster. Default: they were not read. */
  readonly homes?: readonly KeptHome[] | undefined;
}

/** Validates a stack's whole configuration: all mistakes, in its order. @param today in UTC, as `2026-12-31` */
export function parseConfiguration(
  stack: string,
  raw: Readonly<Record<string, unknown>>,
  today: string,
  origin: Origin = {},
): Parsed {
  const list = raw.members ?? origin.members;
  const whole = list === undefined ? raw : { ...raw, members: list };
  const { entry, wrongSettings, mistakes: ofSettings } = checkedSettings(raw);
  const settings = settingsOf(stack, entry, origin);
  const isListElsewhere = raw.members === undefined;
  const context = { settings, entry, raw, today, isListElsewhere, ...typesIn(raw.memberTypes, entry) };
  const { candidates, mistakes: ofEntries } = candidatesIn(list, context);
  const resolved = resolvedIn(candidates, context, origin);
  const homes = hasGrace(settings) ? (origin.homes ?? []) : [];
  const { members: leavers, mistakes: ofLeavers } = leaversOf(homes, candidates, context);
  const all = {
    ...context,
    isKnown: (setting: string, key?: string) => {
      const value = raw[setting];
      if (key === undefined || value === unread) {
        return value !== unread && !wrongSettings.has(setting);
      }
      // One wrong element does not hide the mistakes of the others.
      return valueAt(value, [key]) === undefined || valueAt(entry, [setting, key]) !== undefined;
    },
    isSecret: origin.isSecret,
    candidates,
    members: resolved.flatMap(({ member, isRight }) => (isRight ? [member] : [])),
    homes,
    leavers,
    files: origin.objects,
    ...naming(whole, origin),
  };
  const mistakes = [...ofSettings, ...ofEntries, ...ofLeavers, ...rules.flatMap((rule) => rule(all))];
  return mistakes.length > 0
    ? { mistakes: reported(mistakes, whole, origin) }
    : { configuration: finished([...resolved.map(({ member }) => member), ...leavers], context) };
}

/** Members who stand in no list, by entries that no rule judges: those whom `kubecamp verify` makes for a while. */
export function membersBeside(
  entries: readonly MemberEntry[],
  { settings }: Pick<Configuration, "settings">,
  raw: Readonly<Record<string, unknown>>,
  today: string,
): readonly Member[] {
  const { entry } = checkedSettings(raw);
  const context = { settings, entry, raw, today, isListElsewhere: false, ...typesIn(raw.memberTypes, entry) };
  const members = entries.flatMap((each) => {
    const type = context.types.get(each.type);
    return type === undefined ? [] : [resolvedMember(each, type, context)];
  });
  return withStaff(members, settings);
}

function candidatesIn(list: unknown, { typeNames }: MemberContext) {
  const entries = Array.isArray(list) ? list : [];
  const found = entries.map((value, index) => ({ index, ...checkedEntry(value, typeNames, ["members", index]) }));
  return {
    candidates: found.map(({ index, valid, wrong }): Candidate => ({ index, entry: valid, wrong })),
    mistakes: found.flatMap(({ mistakes }) => mistakes),
  };
}

/** The members of entries with a name and a known type. Only encrypted values are missing in them, or wrong ones. */
function resolvedIn(candidates: readonly Candidate[], context: MemberContext, { isSecret }: Places) {
  return candidates.flatMap(({ index, entry, wrong }) => {
    const { member: name } = entry;
    const type = context.types.get(entry.type ?? "");
    if (name === undefined || type === undefined) {
      return [];
    }
    const isKept = hasGrace(context.settings) && isSecret?.(["members", index]) !== true;
    const kept = isKept ? { entry: keptEntry(entry, hasGivenKeys(context, name) === true) } : {};
    return [
      { member: { ...resolvedMember({ ...entry, member: name }, type, context), ...kept }, isRight: wrong.size === 0 },
    ];
  });
}

function naming(whole: unknown, origin: Origin) {
  const entryText = (index: number, name?: string) => {
    const { line } = origin.locate?.(["members", index]) ?? {};
    const details = [name, line === undefined ? undefined : `line ${line}`].filter((detail) => detail !== undefined);
    return `members[${index}]${details.length === 0 ? "" : ` (${details.join(", ")})`}`;
  };
  return {
    nameOf: (index: number) => entryText(index, nameAt(index, whole, origin)),
    placeOf: (index: number) => entryText(index),
  };
}

function finished(members: Configuration["members"], { settings, entry, types }: MemberContext): Configuration {
  const confinement = confinementOf(types.values(), members);
  const ci = ciOf(entry.ci, members, settings);
  const whole = { ...settings, ...defined({ confinement, ci }) };
  return { settings: whole, members: withStaff(withoutClosedKeys(members), whole) };
}
