import { boardFindings } from "./board.ts";
import { budgetFindings } from "./budgets.ts";
import { ciOf } from "./member/ci.ts";
import { ciFindings } from "./member/ciRules.ts";
import { confinementOf } from "./member/confinement.ts";
import { confinementFindings } from "./member/confinementRules.ts";
import { figureFindings } from "./member/figures.ts";
import { graceFindings, leaverFindings, leaverKeyFindings } from "./member/leaverRules.ts";
import { type KeptHome, keptEntry, leaversOf } from "./member/leavers.ts";
import { lengthFindings, listFindings, nestedSettings } from "./member/list.ts";
import { memberSchemaWith } from "./member/member.ts";
import { resolvedMember, withoutClosedKeys } from "./member/resolved.ts";
import { memberFindings } from "./member/rules.ts";
import { builtInMemberTypes, memberTypesOf, typeName } from "./member/types.ts";
import { metadataFindings } from "./network.ts";
import { notifyFindings } from "./notify.ts";
import { givenFindings } from "./objects/givenRules.ts";
import { objectKindFindings } from "./objects/kindProblem.ts";
import { type ManifestFiles, objectFindings } from "./objects/objects.ts";
import { hasGrace } from "./offboarding.ts";
import { oidcFindings } from "./oidc.ts";
import { hostFindings } from "./route/hosts.ts";
import { loginSubjectFindings, signInFindings } from "./route/loginRules.ts";
import { pathFindings } from "./route/paths.ts";
import { routeFindings } from "./route/rules.ts";
import type { Candidate, RulesContext } from "./rule.ts";
import { type Configuration, settingsOf, settingsSchema } from "./settings.ts";
import { stackFindings } from "./shards.ts";
import { staffFindings, withStaff } from "./staff.ts";
import { starterFindings } from "./starter.ts";
import { bucketKeyFindings, hasGivenKeys } from "./storage/bucketKeys.ts";
import { bucketFindings } from "./storage/bucketRules.ts";
import { storageFindings } from "./storage/storage.ts";
import { checked } from "./values/issues.ts";
import { isMap, unread } from "./values/maps.ts";
import { type Mistake, pathText, type RawMistake, valueAt, valueText } from "./values/mistakes.ts";
import { isSecretPlace } from "./values/secretKeys.ts";

/** A valid configuration, or all its mistakes. */
export type Parsed = { readonly configuration: Configuration } | { readonly mistakes: readonly Mistake[] };

/** Facts about the files of a configuration. */
interface Origin {
  /** Entries of the members file; undefined without one. */
  readonly members?: readonly unknown[] | undefined;
  /** Pages in the folder of `starter.pagesFolder`; undefined without one. */
  readonly pages?: Readonly<Record<string, string>> | undefined;
  /** Namespaces of members on the cluster. Default: they were not read. */
  readonly homes?: readonly KeptHome[] | undefined;
  /** The files of `objects`. Default: none could be read. */
  readonly objects?: ManifestFiles | undefined;
  /** File and line of a value. */
  locate?: (path: readonly PropertyKey[]) => Pick<Mistake, "file" | "line">;
  /** The figures of the number at a path, as the file has them. Default: a message writes the number anew. */
  figuresAt?: (path: readonly PropertyKey[]) => string | undefined;
  /** Whether the value at a path contains encrypted parts in the file: no message may show it. */
  isSecret?: ((path: readonly PropertyKey[]) => boolean) | undefined;
}

/**
 * Validates a stack's whole configuration and reports all mistakes, in the order of the configuration.
 * @param stack name of the Pulumi stack
 * @param raw the values under `kubecamp:`, by key
 * @param today the day of the run in UTC, as `2026-12-31`
 */
export function parseConfiguration(
  stack: string,
  raw: Readonly<Record<string, unknown>>,
  today: string,
  origin: Origin = {},
): Parsed {
  const { members: inStack, ...settingsOnly } = raw;
  const { kubecamp: nested, ...besides } = settingsOnly;
  const isNested = isMap(nested) && nested !== unread;
  const others = isNested ? besides : settingsOnly;
  const list = inStack ?? origin.members;
  const { valid: entry, wrong: wrongSettings, findings: ofSettings } = checked(settingsSchema, others, []);
  const findings: RawMistake[] = [
    ...stackFindings(stack),
    ...ofSettings,
    ...(isNested ? [nestedSettings] : []),
    ...listFindings(raw),
    ...lengthFindings(raw),
  ];
  // A type with a mistake still counts as a known type.
  const named = Object.keys(typeof others.memberTypes === "object" ? (others.memberTypes ?? {}) : {});
  const memberTypes = { ...Object.fromEntries(named.map((name) => [name, {}])), ...entry.memberTypes };
  const types = memberTypesOf({ memberTypes });
  const typeNames = others.memberTypes === unread ? undefined : typeNamesOf(types);
  const candidates: Candidate[] = [];
  const schema = memberSchemaWith(typeNames);
  for (const [index, value] of Array.isArray(list) ? list.entries() : []) {
    const { valid, wrong, findings: ofEntry } = checked(schema, value, ["members", index]);
    candidates.push({ index, entry: valid, wrong });
    findings.push(...ofEntry);
  }
  const whole = { ...raw, ...(list === undefined ? {} : { members: list }) };
  const settings = settingsOf(stack, entry, origin.pages, origin.objects);
  const entryText = (index: number, ...details: (string | undefined)[]) => {
    const { line } = origin.locate?.(["members", index]) ?? {};
    const reported = [...details, line === undefined ? undefined : `line ${line}`].filter(
      (detail) => detail !== undefined,
    );
    return `members[${index}]${reported.length === 0 ? "" : ` (${reported.join(", ")})`}`;
  };
  const context: RulesContext = {
    settings,
    raw: others,
    isSecret: origin.isSecret,
    entry,
    wrongSettings,
    types,
    typeNames,
    today,
    isListElsewhere: inStack === undefined,
    nameOf: (index) => entryText(index, nameAt(index, whole, origin)),
    placeOf: (index) => entryText(index),
  };
  const keeps = hasGrace(settings);
  const resolved = candidates.flatMap(({ index, entry, wrong }) => {
    const { member, ...rest } = entry;
    const type = types.get(rest.type ?? "");
    const isKept = keeps && origin.isSecret?.(["members", index]) !== true;
    // Only encrypted values are missing here; any other absence is a mistake.
    return member === undefined || type === undefined
      ? []
      : [
          {
            member: {
              ...resolvedMember({ ...rest, member }, type, context),
              ...(isKept ? { entry: keptEntry(entry, hasGivenKeys(context, member) === true) } : {}),
            },
            isRight: wrong.size === 0,
          },
        ];
  });
  const homes = keeps ? (origin.homes ?? []) : [];
  const listed = new Set(candidates.flatMap(({ entry: { member } }) => member ?? []));
  const leavers = leaversOf(homes, listed, context);
  const all = [
    ...findings,
    ...routeFindings(others.route, entry),
    ...oidcFindings(others.oidc, entry.oidc),
    ...memberFindings(candidates, context),
    ...metadataFindings(candidates, context),
    ...hostFindings(candidates, context),
    ...pathFindings(candidates, context),
    ...loginSubjectFindings(candidates, context),
    ...signInFindings(candidates, context),
    ...figureFindings(candidates, context),
    ...budgetFindings(candidates, context),
    ...staffFindings(candidates, context),
    ...ciFindings(candidates, context),
    ...confinementFindings(candidates, context),
    ...starterFindings(candidates, context),
    ...storageFindings(context),
    ...notifyFindings(context),
    ...boardFindings(candidates, context),
    ...bucketFindings(candidates, context),
    ...bucketKeyFindings(candidates, context),
    ...leaverKeyFindings(leavers.members, context),
    ...objectKindFindings(context),
    ...objectFindings(candidates, context, origin.objects),
    ...graceFindings(candidates, context, homes),
    ...leaverFindings(candidates, context, leavers.members),
    ...leavers.mistakes,
    ...givenFindings(
      resolved.filter(({ isRight }) => isRight).map(({ member }) => member),
      context,
    ),
  ];
  if (all.length > 0) {
    return { mistakes: inOrder(all, whole).map((finding) => mistakeOf(finding, whole, origin)) };
  }
  const members = [...resolved.map(({ member }) => member), ...leavers.members];
  const confinement = confinementOf(types.values(), members);
  const ci = ciOf(entry.ci, members, settings);
  const of = {
    ...settings,
    ...(confinement === undefined ? {} : { confinement }),
    ...(ci === undefined ? {} : { ci }),
  };
  return { configuration: { settings: of, members: withStaff(withoutClosedKeys(members), of) } };
}

/**
 * Names of types in a fixed order: the built-in ones, then the stack's. Pulumi sorts keys, while a file has them in any
 * order.
 */
function typeNamesOf(types: ReadonlyMap<string, unknown>): string[] {
  const builtIn = Object.keys(builtInMemberTypes);
  const own = [...types.keys()].filter((name) => !builtIn.includes(name) && typeName.safeParse(name).success);
  return [...builtIn, ...own.sort()];
}

function mistakeOf({ path, message }: RawMistake, root: unknown, origin: Origin): Mistake {
  const { locate, isSecret, figuresAt } = origin;
  // YAML makes 202312000000 of 2.02312E+11, which nobody finds in the file.
  const shown = (value: unknown) => (value === valueAt(root, path) ? figuresAt?.(path) : undefined) ?? valueText(value);
  const show = isSecret?.(path) === true || isSecretPlace(path) ? () => "[secret]" : shown;
  const [list, index, key] = path;
  // An index alone is hard to find in a long list.
  const inside = list === "members" && typeof index === "number" && key !== undefined && key !== "member";
  const name = inside ? nameAt(index, root, { isSecret }) : undefined;
  const whose = name === undefined ? "" : ` (member '${name}')`;
  return { ...locate?.(path), path: pathText(path), message: `${message(show)}${whose}` };
}

/** Name of the member at an index, valid or not; undefined if there is none to show. */
function nameAt(index: number, root: unknown, { isSecret }: Origin): string | undefined {
  const place = ["members", index, "member"];
  const name = valueAt(root, place);
  return typeof name === "string" && isSecret?.(place) !== true
    ? JSON.stringify(name).slice(1, -1).slice(0, 60)
    : undefined;
}

/** Sorts mistakes by the order of their values in the configuration. */
function inOrder(findings: readonly RawMistake[], root: unknown): RawMistake[] {
  const orders = new Map<unknown, ReadonlyMap<string, number>>();
  /** Positions of a path's keys in their parents; -1 for an absent key. */
  const stepsTo = (path: readonly PropertyKey[]): number[] =>
    path.map((key, at) => {
      if (typeof key === "number") {
        return key;
      }
      const parent = valueAt(root, path.slice(0, at));
      const order = orders.get(parent) ?? new Map(Object.keys(parent ?? {}).map((child, place) => [child, place]));
      orders.set(parent, order);
      return order.get(String(key)) ?? -1;
    });
  return findings
    .map((finding) => ({ finding, place: stepsTo(finding.path) }))
    .sort((a, b) => compared(a.place, b.place))
    .map(({ finding }) => finding);
}

function compared(a: readonly number[], b: readonly number[]): number {
  const depth = a.findIndex((step, at) => step !== b[at]);
  const [ofA, ofB] = [a[depth], b[depth]];
  return ofA === undefined || ofB === undefined ? a.length - b.length : ofA - ofB;
}
