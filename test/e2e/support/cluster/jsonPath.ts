/** The part of kubectl's output templates that tests use: https://kubernetes.io/docs/reference/kubectl/jsonpath/ */

type Key = string | number;
type Step = (data: unknown) => string;

const wildcard = "*";
const tag = /\{(?:range (?<range>[^{}]+)|(?<end>end)|'(?<single>[^'{}]*)'|"(?<double>[^"{}]*)"|(?<path>[.[][^{}]*))\}/y;
const segment = /\.((?:\\.|[\w/-])+)|\['([^'.\\]+)'\]|\[(\d+|\*)\]/y;

/** @returns what prints data as the template says; undefined for a template with anything else in it */
export function template(text: string): Step | undefined {
  let at = 0;
  /** Up to its `{end}`, or up to the end of the text. */
  const sequence = (isRange: boolean): Step | undefined => {
    const steps: Step[] = [];
    while (at < text.length) {
      if (text[at] !== "{") {
        const next = text.indexOf("{", at);
        const literal = text.slice(at, next < 0 ? text.length : next);
        at += literal.length;
        steps.push(() => literal);
        continue;
      }
      tag.lastIndex = at;
      const { range, end, single, double, path } = tag.exec(text)?.groups ?? {};
      at = tag.lastIndex;
      const literal = single ?? double;
      if (end !== undefined) return isRange ? joined(steps) : undefined;
      if (literal !== undefined) {
        const written = literal.replaceAll("\\n", "\n").replaceAll("\\t", "\t");
        steps.push(() => written);
        continue;
      }
      const keys = keysOf(range ?? path ?? "");
      if (keys === undefined) return undefined;
      if (range === undefined) {
        steps.push((data) => valuesAt(data, keys).map(printed).join(" "));
        continue;
      }
      const each = sequence(true);
      if (each === undefined) return undefined;
      steps.push((data) => valuesAt(data, keys).map(each).join(""));
    }
    return isRange ? undefined : joined(steps);
  };
  return sequence(false);
}

const joined =
  (steps: readonly Step[]): Step =>
  (data) =>
    steps.map((step) => step(data)).join("");

function keysOf(path: string): readonly Key[] | undefined {
  const keys: Key[] = [];
  segment.lastIndex = 0;
  for (let at = 0; at < path.length; at = segment.lastIndex) {
    const [, plain, named, index] = segment.exec(path) ?? [];
    const name = plain ?? named;
    if (name !== undefined) keys.push(name.replaceAll(/\\(.)/g, "$1"));
    else if (index !== undefined) keys.push(index === wildcard ? wildcard : Number(index));
    else return undefined;
  }
  return keys.length === 0 ? undefined : keys;
}

/** What is not there is left out. */
function valuesAt(data: unknown, keys: readonly Key[]): readonly unknown[] {
  let values: readonly unknown[] = [data];
  for (const key of keys) {
    values = values.flatMap((value) => (key === wildcard ? Object.values(Object(value)) : [Object(value)[key]]));
    values = values.filter((value) => value !== undefined && value !== null);
  }
  return values;
}

/** Go writes the keys of an object in alphabetical order. */
function printed(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value, inOrder) : String(value);
}

function inOrder(_: string, value: unknown): unknown {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMap ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value;
}
