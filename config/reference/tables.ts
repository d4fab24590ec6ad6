import { stringify } from "yaml";
import type { JsonSchema } from "./jsonSchema.ts";

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

/** A value on one line of YAML. */
export const inline = (value: unknown): string => stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trimEnd();

/**
 * Every key of an object with its meaning and default, nested keys included.
 * @param elsewhere keys that another section explains; those that begin with one that ends in a dot, too
 */
export function keysTable(schema: JsonSchema, elsewhere: readonly string[] = []): string {
  const isElsewhere = (cell: string) =>
    elsewhere.some((key) => cell === `\`${key}\`` || (key.endsWith(".") && cell.startsWith(`\`${key}`)));
  const rows = keyRows(schema, "").filter(([key = ""]) => !isElsewhere(key));
  return markdownTable(["key", "meaning", "default"], rows);
}

/** Lists whose entries get a row for each key. The descriptions of other lists explain theirs. */
const listsOfMaps = ["buckets", "ci", "grants"];

function keyRows(schema: JsonSchema, prefix: string): string[][] {
  return Object.entries(propertiesOf(schema)).flatMap(([key, value]) => {
    const { meaning, standard } = explained(value);
    const required = schema.required?.includes(key) === true;
    // The limits of a type have the same keys as the setting `defaults`, which documents them once.
    const entries = listsOfMaps.includes(key) ? keyRows(value.items as JsonSchema, `${prefix}${key}[].`) : [];
    const below = key === "defaults" ? [] : [...keyRows(value, `${prefix}${key}.`), ...entries];
    return [[`\`${prefix}${key}\``, meaning, required ? "required" : standard], ...below];
  });
}

function propertiesOf({ properties, anyOf = [] }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const either = [{ properties }, ...anyOf].find((schema) => schema.properties !== undefined);
  return (either?.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
}

/** A default that is no plain value is in words at the end of the description. */
function explained({ description = "", default: value }: JsonSchema): { meaning: string; standard: string } {
  const [, meaning = description, words] = /^(.*?)(?: Default: (.*)\.)?$/.exec(description) ?? [];
  if (words !== undefined) {
    return { meaning, standard: words };
  }
  const nothing = value === undefined || (Array.isArray(value) && value.length === 0);
  return { meaning, standard: nothing ? "none" : `\`${inline(value)}\`` };
}
