import { z } from "zod";
import { nearest } from "../model/nearest.ts";
import { unread } from "../model/unread.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "../sources/mistakes.ts";
import { limits } from "./member.ts";

/** What can be used of a value in which some parts are wrong: each part that is right by itself. */
export type Valid<T> = T extends readonly (infer Item)[]
  ? (Valid<Item> | undefined)[]
  : string extends keyof T
    ? { [K in keyof T]: Valid<T[K]> }
    : T extends object
      ? { [K in keyof T]?: Valid<Exclude<T[K], undefined>> | undefined }
      : T;

/** A value that has been held against its schema. */
export interface Checked<T> {
  readonly valid: Valid<T>;
  /**
   * The keys in which something is wrong or not to be read, also those in maps, as `route` and `route.host`; what `valid`
   * has of them is not all of it.
   */
  readonly wrong: ReadonlySet<string>;
  readonly findings: readonly RawMistake[];
}

/**
 * Holds a value against its schema, part by part, so that a mistake in one keeps nothing else from being looked at.
 * @param at where the value stands in the configuration
 */
export function checked<S extends z.ZodObject>(
  schema: S,
  value: unknown,
  at: readonly PropertyKey[],
): Checked<z.output<S>> {
  const parsed = schema.safeParse(value);
  const unsaid = droppedPaths(value);
  if (parsed.success && unsaid.length === 0) {
    return { valid: parsed.data as Valid<z.output<S>>, wrong: new Set(), findings: [] };
  }
  const issues = (parsed.error?.issues ?? []).flatMap((issue) => unfolded(issue, schema, value));
  const places = issues.filter(({ code }) => code !== "unrecognized_keys").map(({ path }) => path);
  return {
    valid: without(value, places) as Valid<z.output<S>>,
    wrong: new Set(places.flatMap((path) => (path.length === 0 ? Object.keys(schema.shape) : wayTo(path)))),
    findings: [
      ...issues.flatMap((issue) => findingsOf(issue, schema, value, at)),
      ...unsaid.map((path) => plainMistake([...at, ...path], unknownKey)),
    ],
  };
}

/** `route`, then `route.host`. */
const wayTo = (path: readonly PropertyKey[]) => path.map((_, at) => path.slice(0, at + 1).join("."));

type Issue = z.core.$ZodIssue;

const unknownKey = "is no setting here";

/**
 * The key that zod leaves out of most maps without a word, though a selector that has lost a label fits more pods than
 * it says.
 */
const dropped = "__proto__";

/** Every place where that key stands. */
function droppedPaths(value: unknown): PropertyKey[][] {
  if (typeof value !== "object" || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, inner]) =>
    key === dropped ? [[key]] : droppedPaths(inner).map((path) => [Array.isArray(value) ? Number(key) : key, ...path]),
  );
}

/**
 * Of a choice between shapes, the mistakes of the shape that was meant: the one of which more than the outside is right.
 * Of a key that is refused, also those of what stands there, which zod does not look at.
 */
function unfolded(issue: Issue, schema: z.core.$ZodType, root: unknown): Issue[] {
  const value = valueAt(root, issue.path);
  if (value === unread) {
    return [issue];
  }
  const within = (inner: Issue) => unfolded({ ...inner, path: [...issue.path, ...inner.path] }, schema, root);
  if (issue.code === "invalid_key") {
    const there = schemasAt(schema, issue.path).flatMap((inner) => z.safeParse(inner, value).error?.issues ?? []);
    return [issue, ...there.flatMap(within)];
  }
  const meant =
    issue.code === "invalid_union"
      ? issue.errors.find((found) => found.some(({ path }) => path.length > 0))
      : undefined;
  return meant === undefined ? [issue] : meant.flatMap(within);
}

function findingsOf(issue: Issue, schema: z.ZodType, root: unknown, at: readonly PropertyKey[]): RawMistake[] {
  const path = [...at, ...issue.path];
  const value = valueAt(root, issue.path);
  // A map may be encrypted as a whole, and then nothing of what is in it can be judged either.
  if (value === unread || issue.path.some((_, depth) => valueAt(root, issue.path.slice(0, depth)) === unread)) {
    return [];
  }
  if (issue.code === "unrecognized_keys") {
    const words = keysAt(schema, issue.path);
    return issue.keys
      .filter((key) => key !== dropped)
      .map((key) => plainMistake([...path, key], unknownKey + nearest(key, words)));
  }
  if (issue.code === "invalid_key") {
    const key = issue.path.at(-1);
    return [valueMistake(path, key, issue.issues[0]?.message ?? issue.message)];
  }
  const meant =
    issue.code === "invalid_value" && typeof value === "string" ? nearest(value, issue.values.map(String)) : "";
  if (value === undefined || value === null) {
    return [plainMistake(path, `is ${value === null ? "empty" : "missing"}: ${issue.message}`)];
  }
  return [valueMistake(path, value, `${issue.message}${meant}`)];
}

/** The keys that a schema has a place for at a path. */
function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  return schemasAt(schema, path).flatMap((at) => (at instanceof z.ZodObject ? Object.keys(at.shape) : []));
}

/** What a schema has for the value at a path: several where there is a choice. */
function schemasAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly z.core.$ZodType[] {
  const [key, ...rest] = path;
  if (schema instanceof z.ZodOptional) {
    return schemasAt(schema.unwrap(), path);
  }
  if (schema instanceof z.ZodUnion) {
    return schema.options.flatMap((option) => schemasAt(option, path));
  }
  if (key === undefined) {
    return [schema];
  }
  if (schema instanceof z.ZodRecord) {
    return schemasAt(schema.valueType, rest);
  }
  if (schema instanceof z.ZodArray) {
    return schemasAt(schema.element as z.core.$ZodType, rest);
  }
  const inner: z.core.$ZodType | undefined = schema instanceof z.ZodObject ? schema.shape[String(key)] : undefined;
  return inner === undefined ? [] : schemasAt(inner, rest);
}

/**
 * A copy of a value without what stands at some places. A wrong limit becomes NaN instead: it is not the default, it is
 * unknown, and since no comparison with NaN holds, nothing is made out to contradict it.
 */
function without(value: unknown, places: readonly (readonly PropertyKey[])[]): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return {};
  }
  const copy = structuredClone(value);
  for (const path of places.toReversed()) {
    const parent = valueAt(copy, path.slice(0, -1));
    const key = path.at(-1);
    if (typeof parent === "object" && parent !== null && key !== undefined) {
      Reflect.deleteProperty(parent, key);
      if (Object.hasOwn(limits, key)) {
        Reflect.set(parent, key, Number.NaN);
      }
    }
  }
  return copy;
}
