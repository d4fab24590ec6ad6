import { compare } from "../../cluster/kinds/compare.ts";
import { grants, type Right, type Rule, textOf } from "./rights.ts";

/** The order in which they are read best; what is no verb goes by its letters. */
const order = ["get", "list", "watch", "create", "patch", "update", "delete", "deletecollection", "escalate", "bind"];

/** Rights without those that another of them includes. */
export function leastOf(rights: readonly Right[]): Right[] {
  const each = [...new Map(rights.map((right) => [textOf(right), right])).values()];
  return each.filter((right) => !each.some((other) => other !== right && grants([other], right)));
}

/** Those that some others do not include. */
export const beyond = (rights: readonly Right[], others: readonly Right[]): Right[] =>
  rights.filter((right) => !grants(others, right));

/** As few rules as grant just these rights, in whatever namespace the role is. */
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

/** Makes one of rules that differ in one field alone. */
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

/** Some of a role's rules, under a comment that says why. */
export interface Section {
  /** Lines without their `#`. Default: none. */
  readonly comment?: string;
  readonly rights: readonly Right[];
}

/** The lines of `rules:`. */
export const rulesText = (sections: readonly Section[]): string =>
  sections
    .filter(({ rights }) => rights.length > 0)
    .map(({ comment = "", rights }) => [...commentLines(comment, "  "), ...rulesOf(rights).map(ruleText)].join("\n"))
    .join("\n\n");

/** A comment and what it is about: rights to some resources, or with some verbs. */
export interface Heading {
  readonly comment: string;
  readonly resources?: readonly string[];
  readonly verbs?: readonly string[];
}

/** Each right under the heading that says most of it; in their order. */
export function sectionsOf(rights: readonly Right[], headings: readonly Heading[]): Section[] {
  const fits = ({ verb, resource }: Right, { resources = [resource], verbs = [verb] }: Heading) =>
    resources.includes(resource) && verbs.includes(verb);
  const closest = headings.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length);
  const under = Map.groupBy(rights, (right) => closest.find((heading) => fits(right, heading)));
  return headings.map((heading) => ({ comment: heading.comment, rights: under.get(heading) ?? [] }));
}

/** A comment as it stands in YAML. */
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

/** A stack's own names are told by what follows them: docs/run/watch-in-cluster.md has people change the stack by that. */
const quoted = (name: string) => (/^[a-z-]+$/.test(name) && !name.endsWith("-prod") ? name : `"${name}"`);
