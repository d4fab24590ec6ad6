/** The conditions of the annotation `pulumi.com/waitFor`: `jsonpath={.status.phase}=Running`, `condition=Ready`. */

import { at, isProps, type Props, propsOf, type Value } from "../../../../../buckets/protocol/values.ts";
import { annotation } from "../objects/objects.ts";

export type Condition = (live: Props) => boolean;

/** All conditions of the object; none if it has no such annotation. */
export function waitForConditions(object: Props): Condition[] {
  const text = annotation(object, "waitFor");
  if (!text) return [];
  const expressions = parseList(text);
  if (expressions.length === 0) throw new Error("at least one condition must be specified");
  return expressions.map((expression) => {
    if (expression.startsWith("jsonpath=")) return jsonPathCondition(expression.slice("jsonpath=".length));
    if (expression.startsWith("condition=")) return statusCondition(expression.slice("condition=".length));
    throw new Error(`expected a "jsonpath=" or "condition=" prefix, got ${JSON.stringify(expression)}`);
  });
}

function parseList(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(String) : [text];
  } catch {
    return [text];
  }
}

function statusCondition(expression: string): Condition {
  const [type = "", wanted = "True"] = expression.split("=");
  return (live) => {
    const conditions = at(live, "status", "conditions");
    const found = (Array.isArray(conditions) ? conditions : []).map(propsOf).find((each) => same(each.type, type));
    if (!found || !isCurrent(live, found.observedGeneration ?? at(live, "status", "observedGeneration"))) return false;
    return same(found.status, wanted);
  };
}

function jsonPathCondition(expression: string): Condition {
  const [, path = "", wanted] = /^\{\s*(.*?)\s*\}(?:=(.+))?$/.exec(expression) ?? [];
  if (!path) throw new Error(`format should be {.path}=value or {.path}, got ${JSON.stringify(expression)}`);
  const steps = parsePath(path);
  return (live) => {
    if (!isCurrent(live, at(live, "status", "observedGeneration"))) return false;
    const [found] = steps.reduce<Value[]>((values, step) => values.flatMap(step), [live]);
    if (found === undefined || wanted === undefined) return found !== undefined;
    if (typeof found === "object" && found !== null) {
      throw new Error(`"{${path}}" has a non-primitive value (${JSON.stringify(found)})`);
    }
    return String(found) === wanted;
  };
}

type Step = (value: Value) => Value[];
const steps: [RegExp, (match: RegExpExecArray) => Step][] = [
  [
    /^\[\?\(@\.([\w.-]+)\s*==\s*["']([^"']*)["']\)\]/,
    ([, key = "", wanted]) =>
      (value) =>
        children(value).filter((item) => String(at(item, ...key.split("."))) === wanted),
  ],
  [/^(?:\.\*|\[\*\])/, () => children],
  [
    /^\[(\d+)\]/,
    ([, index]) =>
      (value) =>
        defined(at(value, Number(index))),
  ],
  [
    /^(?:\.([\w-]+)|\[["']([^"']+)["']\])/,
    ([, dotted, quoted]) =>
      (value) =>
        defined(at(value, dotted ?? quoted ?? "")),
  ],
];

function parsePath(path: string): Step[] {
  const parsed: Step[] = [];
  for (let rest = path.replace(/^\$/, ""); rest; ) {
    const match = steps.flatMap(([pattern, make]) => {
      const found = pattern.exec(rest);
      return found ? [{ length: found[0].length, step: make(found) }] : [];
    })[0];
    if (!match) throw new Error(`the sandbox's stand-in cannot read ${JSON.stringify(rest)} in the JSONPath {${path}}`);
    parsed.push(match.step);
    rest = rest.slice(match.length);
  }
  return parsed;
}

function children(value: Value): Value[] {
  return Array.isArray(value) ? value : isProps(value) ? Object.values(value) : [];
}

function defined(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value];
}

function isCurrent(live: Props, observed: Value | undefined): boolean {
  return observed === undefined || Number(observed) >= Number(at(live, "metadata", "generation") ?? 0);
}

function same(value: Value | undefined, wanted: string): boolean {
  return String(value).toLowerCase() === wanted.toLowerCase();
}
