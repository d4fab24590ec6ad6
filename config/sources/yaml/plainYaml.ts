import { isMap, isScalar, isSeq, type Pair, parseAllDocuments, type Scalar } from "yaml";

/** A value that Pulumi's YAML reader reads otherwise than ours, or may. */
export class AmbiguousYaml extends Error {}

/**
 * The values of some of a file's keys, if Pulumi, which reads YAML 1.1 in part, certainly reads the same.
 * @param dayText form that Pulumi gives a date such as `2026-12-31`
 * @throws AmbiguousYaml if that is uncertain, or the file has a mistake
 * @see https://pkg.go.dev/gopkg.in/yaml.v3#readme-compatibility
 */
export function plainYaml(
  text: string,
  keys: readonly string[],
  dayText: (day: string) => string = ambiguous,
): Readonly<Record<string, unknown>> {
  const [document, ...others] = parseAllDocuments(text, { prettyErrors: false });
  const { contents, errors = [], warnings = [] } = document ?? {};
  if (!isMap(contents) || others.length > 0 || errors.length > 0 || warnings.length > 0 || /^%/m.test(text)) {
    throw new AmbiguousYaml();
  }
  // Other keys don't matter, unless they are merged into these.
  const isMeant = ({ key }: Pair) => !isScalar(key) || [...keys, "<<"].includes(String(key.value));
  return Object.fromEntries(contents.items.filter(isMeant).map((pair) => entryOf(pair, { text, dayText })));
}

interface File {
  readonly text: string;
  readonly dayText: (day: string) => string;
}

function ambiguous(): never {
  throw new AmbiguousYaml();
}

/** Aliases and tags are left to Pulumi: readers differ over them. */
function valueIn(node: unknown, file: File): unknown {
  if (isScalar(node) && node.tag === undefined) {
    return scalarOf(node, file);
  }
  if (isSeq(node) && node.tag === undefined) {
    return node.items.map((item) => valueIn(item, file));
  }
  if (isMap(node) && node.tag === undefined) {
    // Pulumi sorts the keys of maps.
    const entries = node.items.map((pair) => entryOf(pair, file));
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  throw new AmbiguousYaml();
}

function entryOf({ key, value }: Pair, file: File): [string, unknown] {
  const name = valueIn(key, { ...file, dayText: ambiguous });
  // Readers differ over the order of merging maps.
  if (typeof name !== "string" || name === "<<" || name === "__proto__") {
    throw new AmbiguousYaml();
  }
  return [name, valueIn(value, file)];
}

function scalarOf({ type, value, range }: Scalar, { text, dayText }: File): unknown {
  const source = text.slice(...(range ?? [0, 0]));
  const isText = typeof value === "string";
  if (type === "BLOCK_LITERAL") {
    return value;
  }
  // Readers differ over joining the lines of a scalar.
  if (/\n/.test(source) || type === "BLOCK_FOLDED") {
    throw new AmbiguousYaml();
  }
  if (type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE") {
    return value;
  }
  if (isText && isDay(source)) {
    return dayText(source);
  }
  if (
    typeof value === "boolean" ||
    (typeof value === "number" && number.test(source)) ||
    (isText && isNoNumber(source))
  ) {
    return value;
  }
  throw new AmbiguousYaml();
}

/** Longer numbers lose digits; other forms are octal, hexadecimal, or a number to only one reader. */
const number = /^-?(0|[1-9]\d{0,14})$|^(0|[1-9]\d{0,8})\.\d{0,5}[1-9]$/;

function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Neither a number nor a time to any reader: a text that begins like one contains a character that neither has. */
const isNoNumber = (text: string) =>
  /^[^-+.<\d]/.test(text) || /^\d+\.\d+\.\d/.test(text) || /[^-+.:\w\s]|[g-np-su-wyG-NP-SU-WY]/.test(text);
