import { isDeepStrictEqual } from "node:util";
import { imageRulesAnnotation, imagesAnnotation, traitsLabel } from "../../config/names/labels.ts";
import { isProviderType } from "../../config/names/urns.ts";
import { isMap } from "../../config/values/maps.ts";
import { type Field, type Inputs, label, ownMark, propertyPath } from "../field.ts";
import { namedTraits, standingField } from "../namespace.ts";
import { fieldOfClass } from "../quotaClasses.ts";
import { plainCount } from "../resourceQuota.ts";
import { caddyFiles } from "../starter/names.ts";
import { fieldAt } from "./fields.ts";
import { hidden, isHidden, isMarked, maskedText, masking } from "./values.ts";

/**
 * One change, in people's units. A list has added and removed entries; any other value has its old and new text,
 * undefined where it is missing.
 */
export interface ShownDifference {
  /** Such as `CPU`, or the kind and path of a field without a name here. */
  readonly what: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
}

interface Versions {
  /** Such as `kubernetes:core/v1:Namespace`; only a provider's matters. */
  readonly type: string;
  readonly kind: string;
  readonly before: Inputs;
  readonly after: Inputs;
  /** Paths in which Pulumi sees a difference, even if their values are not shown. */
  readonly paths: readonly string[];
}

interface ValueDifference {
  readonly path: readonly string[];
  readonly from: unknown;
  readonly to: unknown;
}

/** Differences down to single values and whole lists. Typed or named entries of a list are compared one by one. */
function differing(from: unknown, to: unknown, path: readonly string[] = []): ValueDifference[] {
  if (isDeepStrictEqual(from, to)) {
    return [];
  }
  const key = named.includes(path.at(-1) ?? "") ? "name" : "type";
  const [before, after] = [entries(from, key), entries(to, key)];
  // Reports a map on one side only part by part as well.
  if ((before === undefined && from !== undefined) || (after === undefined && to !== undefined)) {
    return [{ path, from, to }];
  }
  const keys = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return keys.length === 0
    ? [{ path, from, to }]
    : keys.flatMap((key) => differing(before?.[key], after?.[key], [...path, key]));
}

/** Lists whose entries Kubernetes itself identifies by name. */
const named = ["containers", "env", "volumeMounts", "volumes"];

function entries(value: unknown, by: "name" | "type"): Readonly<Record<string, unknown>> | undefined {
  if (!Array.isArray(value)) {
    return isMap(value) && !isMarked(value) ? value : undefined;
  }
  const types = value.map((entry) => (isMap(entry) ? entry[by] : undefined));
  const isTyped = types.every((type) => typeof type === "string") && new Set(types).size === types.length;
  return isTyped && types.length > 0
    ? Object.fromEntries(value.map((entry, at) => [`[${types[at]}]`, entry]))
    : undefined;
}

const traits = label(traitsLabel);

/** All changes of one object, in people's units; empty if it is only applied again. */
export function shownDifferences(step: Versions): ShownDifference[] {
  const { kind, before, after } = step;
  // The plugin adds inputs for itself, such as `__fieldManager`.
  const found = differing(before, after).filter(
    ({ path }) => fieldAt(kind, propertyPath(path)) !== ownMark && !path[0]?.startsWith("__"),
  );
  const counted = kind === "ResourceQuota" ? withoutObjectCounts(found) : found;
  const all = counted.flatMap((each) => differenceOf(each, step));
  const told = isReportedByImages(found) ? all.filter(({ what }) => what !== "rules of images") : all;
  // Some values appear twice in an object.
  const seen = told.filter((one, at) => told.findIndex((other) => isDeepStrictEqual(one, other)) === at);
  return seen.length > 0 ? seen : unseen(step);
}

function withoutObjectCounts(found: readonly ValueDifference[]): readonly ValueDifference[] {
  const nameOf = ({ path }: ValueDifference) => path.at(-1) ?? "";
  const objects = found.find((each) => nameOf(each) === plainCount);
  // Counts of devices come and go with these, and a suspended member's quota holds no Jobs.
  const follows = (each: ValueDifference) => each !== objects && nameOf(each).startsWith("count/");
  return found.filter((each) => objects === undefined || !follows(each) || endsOf(each) !== endsOf(objects));
}

/** Whether there is a count, and whether it allows any, before and after. */
const endsOf = ({ from, to }: ValueDifference) =>
  [from, to].map((count) => (count === undefined || count === "0" ? count : "some")).join(" to ");

function differenceOf(
  { path, from, to }: ValueDifference,
  { type, kind, before, after }: Omit<Versions, "paths">,
): ShownDifference[] {
  const where = propertyPath(path);
  const what = [kind, where].join(" ").trim();
  if (isHidden(isProviderType(type) ? type : kind, path)) {
    return [{ what, from: from === undefined ? undefined : hidden, to: to === undefined ? undefined : hidden }];
  }
  if (kind === "Namespace" && where === traits) {
    return traitsChanged(from, to);
  }
  const file = kind === "ConfigMap" && path[0] === "data" ? path[1] : undefined;
  if (file !== undefined && isStarterFile(file)) {
    // Pages are too long to be shown.
    const [was, is] = [from, to].map((page) => (page === undefined ? undefined : "there"));
    return [{ what: `starter page ${file}`, ...(was === is ? {} : { from: was, to: is }) }];
  }
  const ofClass = kind === "ResourceQuota" ? fieldOfClass(path[2] ?? "") : undefined;
  const field = fieldAt(kind, where) ?? ofClass;
  if (field === undefined) {
    return Array.isArray(from) && Array.isArray(to)
      ? [{ what, ...compared(from, to) }]
      : [{ what, from: maskedText(from), to: maskedText(to) }];
  }
  return [{ what: field.what, ...valuesIn(field, [from, before], [to, after]) }];
}

const isStarterFile = (name: string) => name.endsWith(".md") || (Object.values(caddyFiles) as string[]).includes(name);

function valuesIn(
  { text = (value) => value, list, entry }: Field,
  [from, before]: readonly [unknown, Inputs],
  [to, after]: readonly [unknown, Inputs],
): Omit<ShownDifference, "what"> {
  return list === undefined
    ? { from: text(maskedText(from), before), to: text(maskedText(to), after) }
    : compared(list(from), list(to), entry);
}

function compared(
  from: readonly unknown[],
  to: readonly unknown[],
  entry?: Field["entry"],
): Omit<ShownDifference, "what"> {
  const lacks = (list: readonly unknown[]) => (one: unknown) => !list.some((other) => isDeepStrictEqual(one, other));
  const [added, removed] = [to.filter(lacks(from)), from.filter(lacks(to))];
  if (added.length + removed.length === 0) {
    return { from: maskedText(from), to: maskedText(to) };
  }
  const words = (list: readonly unknown[]) => list.map((one) => (entry?.(masking(one)) ?? maskedText(one)) || "");
  const isAlike = words(added).some((text) => words(removed).includes(text));
  const texts = isAlike ? (list: readonly unknown[]) => list.map((one) => maskedText(one) ?? "") : words;
  return { added: texts(added), removed: texts(removed) };
}

function traitsChanged(from: unknown, to: unknown): ShownDifference[] {
  const [was, is] = [namedTraits(from), namedTraits(to)];
  return Object.keys(is).flatMap((what) => (was[what] === is[what] ? [] : [{ what, from: was[what], to: is[what] }]));
}

/** The rules follow from the list of images, so one of them is enough. */
function isReportedByImages(found: readonly ValueDifference[]): boolean {
  const has = (name: string) => found.some(({ path }) => path.at(-1) === name);
  return has(imagesAnnotation) && has(imageRulesAnnotation);
}

/** Paths where Pulumi sees a difference but shows equal values: in a secret, or in a live object. */
function unseen({ kind, paths }: Pick<Versions, "kind" | "paths">): ShownDifference[] {
  return paths
    .filter((path) => fieldAt(kind, path) !== ownMark && !["metadata", "metadata.annotations"].includes(path))
    .map((path) => ({ what: `${kind} ${path}` }));
}

/** Such as `CPU 500m → 1.5`, `images: + nginx, − redis` or `suspended`. */
export function differenceText({ what, from, to, added, removed }: ShownDifference): string {
  if (added !== undefined || removed !== undefined) {
    const signed = [...(added ?? []).map((one) => `+ ${one}`), ...(removed ?? []).map((one) => `− ${one}`)];
    return `${what}: ${signed.join(", ")}`;
  }
  if (what === standingField && to !== undefined && from !== to) {
    return to === "active" ? "active again" : to;
  }
  return from === to ? `${what} changes, which is not shown` : `${what} ${from ?? "none"} → ${to ?? "none"}`;
}

export const differenceLines = (all: readonly ShownDifference[]) => all.map(differenceText).join("\n");
