import { stringify } from "yaml";
import { memberSchema } from "../../../config/schema/members/member.ts";
import { dayOf } from "../../../config/schema/values.ts";

/** A member's entry as values. */
export type Entry = Readonly<Record<string, unknown>>;

/** Pulumi's reader takes some plain words of YAML 1.1, such as `yes` and `1_000`, for other values: they get quotes. */
const options = { lineWidth: 0, compat: "yaml-1.1" } as const;

const order = Object.keys(memberSchema.shape);
const rank = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);

/** The keys of a new entry, in the order of the reference. */
const pairsOf = (entry: Entry) => Object.entries(entry).sort(([a], [b]) => rank(a) - rank(b));

/** A value on one line. @param key the entry's key, if it is a value of the entry itself */
export function inlineText(value: unknown, key?: string): string {
  // A date is plain, as the documentation writes it; the schema takes both forms.
  if (key === "expires" && typeof value === "string" && dayOf(value) === value) {
    return value;
  }
  const text = stringify(value, { ...options, collectionStyle: "flow" }).trimEnd();
  return text.includes("\n") || (typeof value === "string" && /[,[\]{}]/.test(text) && !/^["']/.test(text))
    ? JSON.stringify(value)
    : text;
}

/** A key with its value in a map in braces, or on a line of its own if the value is no map or list. */
const inlinePair = (key: string, value: unknown) => `${inlineText(key)}: ${inlineText(value, key)}`;

/** Lines of a key with its value in a map without braces. */
export function pairLines(key: string, value: unknown, isTop: boolean): string[] {
  return typeof value === "object" && value !== null
    ? stringify({ [key]: value }, options)
        .trimEnd()
        .split("\n")
    : [`${inlineText(key)}: ${inlineText(value, isTop ? key : undefined)}`];
}

/** An entry in braces: `{ member: bob, type: user }`. */
export const bracedEntry = (entry: Entry) =>
  `{ ${pairsOf(entry)
    .map(([key, value]) => inlinePair(key, value))
    .join(", ")} }`;

/** A pair to add to a map in braces. */
export const bracedPair = (key: string, value: unknown, isTop: boolean) =>
  isTop ? inlinePair(key, value) : `${inlineText(key)}: ${inlineText(value)}`;

/** Lines of an entry without braces, the first one with the dash. */
export function entryLines(entry: Entry): string[] {
  const lines = pairsOf(entry).flatMap(([key, value]) => pairLines(key, value, true));
  return lines.map((line, at) => `${at === 0 ? "- " : "  "}${line}`);
}
