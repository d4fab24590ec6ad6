import { compare } from "../../../cluster/kinds/compare.ts";
import { grants, type Right, type Rule, textOf } from "./rights.ts";

/** Order of verbs in rules; other words are sorted by name. */
const order = ["get", "list", "watch", "create", "patch", "update", "delete", "deletecollection", "escalate", "bind"];

/** Rights without those that another one includes. */
export function leastOf(rights: readonly Right[]): Right[] {
  const each = [...new Map(rights.map((right) => [textOf(right), right])).values()];
  return each.filter((right) => !each.some((other) => other !== right && grants([other], right)));
}

/** Rights that the others don't include. */
export const beyond = (rights: readonly Right[], others: readonly Right[]): Right[] =>
  rights.filter((right) => !grants(others, right));

/** The fewest rules that grant exactly these rights, in the namespace of their role. */
export function rulesOf(rights: readonly Right[]): Rule[] {
  const single = rights.map(
    ({ group, resource, name, verb }): Rule => ({
      apiGroups: [group],
      resources: [resource],
      ...(name === undefined ? {} : { resourceNames: [name] }),
      verbs: [verb],
    }),
  );
  const merged = (["verbs", "resourceNames", "resources"] as const).reduce(mergedBy, single);
  return merged.toSorted((a, b) => compare(keyOf(a, "verbs"), keyOf(b, "verbs")));
}

const keyOf = (rule: Rule, without: keyof Rule) => JSON.stringify({ ...rule, [without]: rule[without] && [] });

/** Merges rules that differ in one field only. */
function mergedBy(rules: readonly Rule[], field: keyof Rule): Rule[] {
  const alike = Map.groupBy(rules, (rule) => keyOf(rule, field));
  return [...alike.values()].flatMap(([first, ...others]) => {
    if (first?.[field] === undefined) {
      return first === undefined ? [] : [first];
    }
    const all = [...new Set([first, ...others].flatMap((rule) => rule[field] ?? []))];
    const sorted = all.sort((a, b) => order.indexOf(a) - order.indexOf(b) || compare(a, b));
    return [{ ...first, [field]: sorted }];
  });
}

/** A group of a role's rules, under one comment. */
export interface Section {
  /** Lines without `#`. Default: none. */
  readonly comment?: string;
  readonly rights: readonly Right[];
}

/** The lines below `rules:`. */
export const rulesText = (sections: readonly Section[]): string =>
  sections
    .filter(({ rights }) => rights.length > 0)
    .map(({ comment = "", rights }) => [...commentLines(comment, "  "), ...rulesOf(rights).map(ruleText)].join("\n"))
    .join("\n\n");

/** A comment, and the resources or verbs of the rights that it covers. Default: all. */
export interface Heading {
  readonly comment: string;
  readonly resources?: readonly string[];
  readonly verbs?: readonly string[];
}

/** Groups rights under the most specific matching heading, in the headings' order. */
export function sectionsOf(rights: readonly Right[], headings: readonly Heading[]): Section[] {
  const fits = ({ verb, resource }: Right, { resources = [resource], verbs = [verb] }: Heading) =>
    resources.includes(resource) && verbs.includes(verb);
  const closest = headings.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length);
  const under = Map.groupBy(rights, (right) => closest.find((heading) => fits(right, heading)));
  return headings.map((heading) => ({ comment: heading.comment, rights: under.get(heading) ?? [] }));
}

/** A comment's lines in YAML. */
export const commentLines = (text: string, indent = ""): string[] =>
  text === ""
    ? []
    : text
        .trim()
        .split("\n")
        .map((line) => `${indent}# ${line}`.trimEnd());

function ruleText({ apiGroups, resources, resourceNames, verbs }: Rule): string {
  return [
    `  - apiGroups: [${apiGroups.map((group) => group || '""').join(", ")}]`,
    `    resources: [${resources.join(", ")}]`,
    ...(resourceNames === undefined ? [] : [`    resourceNames: [${resourceNames.map(quoted).join(", ")}]`]),
    `    verbs: [${verbs.join(", ")}]`,
  ].join("\n");
}

/** Quotes names that end in the stack's: docs/run/watch-in-cluster.md has people replace `-prod"`. */
const quoted = (name: string) => (/^[a-z-]+$/.test(name) && !name.endsWith("-prod") ? name : `"${name}"`);
