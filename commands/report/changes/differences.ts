import { isDeepStrictEqual } from "node:util";
import {
  appliedAnnotation,
  archiveAnnotation,
  entryAnnotation,
  fillsInLabel,
  givenAwayAnnotation,
  imageRulesAnnotation,
  imagesAnnotation,
  madeAnnotation,
  pagesAnnotation,
  starterAnnotation,
  starterImageAnnotation,
  traitsLabel,
  vetoAnnotation,
} from "../../../naming/labels.ts";
import { isProviderType } from "../../../naming/urns.ts";
import { caddyFiles } from "../../../plan/decisions/starter/names.ts";
import { type Field, propertyPath } from "../../../plan/objects/field.ts";
import { type Differing, differing } from "../comparing.ts";
import type { ShownDifference } from "../model.ts";
import type { Step } from "../steps.ts";
import { fieldOfClass, fields, fieldsOfAll, plainCount } from "./fields.ts";
import { hidden, isHidden, maskedText, masking } from "./values.ts";

/** kubecamp's own labels and annotations, which differ exactly if another field does. */
const marks = [
  ...[
    appliedAnnotation,
    givenAwayAnnotation,
    archiveAnnotation,
    entryAnnotation,
    madeAnnotation,
    starterAnnotation,
    starterImageAnnotation,
    vetoAnnotation,
  ].map((name) => ["metadata", "annotations", name]),
  ["spec", "template", "metadata", "annotations", pagesAnnotation],
  ["metadata", "labels", fillsInLabel],
].map(propertyPath);
const traits = propertyPath(["metadata", "labels", traitsLabel]);

/** All changes of one object, in people's units; empty if it is only applied again. */
export function shownDifferences(step: Pick<Step, "type" | "kind" | "before" | "after" | "paths">): ShownDifference[] {
  const { kind, before, after } = step;
  const found = differing(before, after).filter(({ path }) => !marks.includes(propertyPath(path)) && !isInternal(path));
  const told = kind === "ResourceQuota" ? withoutObjectCounts(found) : found;
  const all = told.flatMap((each) => differenceOf(each, step));
  const seen = unique(isReportedByImages(found) ? all.filter(({ what }) => what !== "rules of images") : all);
  return seen.length > 0 ? seen : unseen(step);
}

/** A quota's differences with one object count in place of a dozen, where `maxObjects` has changed. */
function withoutObjectCounts(found: readonly Differing[]): readonly Differing[] {
  const nameOf = ({ path }: Differing) => path.at(-1) ?? "";
  const objects = found.find((each) => nameOf(each) === plainCount);
  // Counts of devices come and go with these, and a suspended member's quota holds no Jobs.
  const follows = (each: Differing) => each !== objects && nameOf(each).startsWith("count/");
  return found.filter((each) => objects === undefined || !follows(each) || endsOf(each) !== endsOf(objects));
}

/** Whether there is a count, and whether it allows any, before and after. */
const endsOf = ({ from, to }: Differing) =>
  [from, to].map((count) => (count === undefined || count === "0" ? count : "some")).join(" to ");

/** Inputs that the plugin adds for itself. */
const isInternal = ([key = ""]: readonly string[]) => key.startsWith("__");

function differenceOf(
  { path, from, to }: Differing,
  { type, kind, before, after }: Pick<Step, "type" | "kind" | "before" | "after">,
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
    return [
      {
        what: `starter page ${file}`,
        ...(from === undefined ? { to: "there" } : to === undefined ? { from: "there" } : {}),
      },
    ];
  }
  const ofClass = kind === "ResourceQuota" ? fieldOfClass(path) : undefined;
  const field = fields[kind]?.[where] ?? fieldsOfAll[where] ?? ofClass;
  if (field === undefined) {
    return Array.isArray(from) && Array.isArray(to)
      ? [{ what, ...compared(from, to) }]
      : [{ what, from: maskedText(from), to: maskedText(to) }];
  }
  return [{ what: field.what, ...valuesIn(field, [from, before], [to, after]) }];
}

/** A page, or a file of its web server. */
const isStarterFile = (name: string) => name.endsWith(".md") || (Object.values(caddyFiles) as string[]).includes(name);

function valuesIn(
  { text = (value) => value, list, entry }: Field,
  [from, before]: readonly [unknown, Step["before"]],
  [to, after]: readonly [unknown, Step["after"]],
): Omit<ShownDifference, "what"> {
  return list === undefined
    ? { from: text(maskedText(from), before), to: text(maskedText(to), after) }
    : compared(list(from), list(to), entry);
}

/** New and removed entries of a list; both lists in full if only their order differs. */
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

/** The label contains the role at home, the view of others, and whether there is a quota. */
function traitsChanged(from: unknown, to: unknown): ShownDifference[] {
  const [before, after] = [from, to].map((value) => (typeof value === "string" ? value.split(".") : []));
  return ["role at home", "view of others", "held by"].flatMap((what, at) => {
    const [was, is] = [before?.[at], after?.[at]].map((value) =>
      value === "none" ? undefined : (traitWords[value ?? ""] ?? value),
    );
    return was === is ? [] : [{ what, from: was, to: is }];
  });
}

const traitWords: Readonly<Record<string, string>> = { free: "no quota" };

/** The rules follow from the list of images, so one of them is enough. */
function isReportedByImages(found: readonly Differing[]): boolean {
  const has = (name: string) => found.some(({ path }) => path.at(-1) === name);
  return has(imagesAnnotation) && has(imageRulesAnnotation);
}

/** Some values appear twice in an object. */
function unique(all: readonly ShownDifference[]): ShownDifference[] {
  return all.filter((one, at) => all.findIndex((other) => isDeepStrictEqual(one, other)) === at);
}

/** Paths where Pulumi sees a difference but shows equal values: in a secret, or in a live object. */
function unseen({ kind, paths }: Pick<Step, "kind" | "paths">): ShownDifference[] {
  return paths
    .filter((path) => ![...marks, "metadata", "metadata.annotations"].includes(path))
    .map((path) => ({ what: `${kind} ${path}` }));
}
