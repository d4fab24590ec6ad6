import { z } from "zod";
import { unread } from "./maps.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "./mistakes.ts";
import { nearest } from "./nearest.ts";

/** The usable parts of a value: those that are valid by themselves. */
export type Valid<T> = T extends readonly (infer Item)[]
  ? (Valid<Item> | undefined)[]
  : string extends keyof T
    ? { [K in keyof T]: Valid<T[K]> }
    : T extends object
      ? { [K in keyof T]?: Valid<Exclude<T[K], undefined>> | undefined }
      : T;

export type EntryOf<S extends z.ZodType> = Valid<Exclude<z.input<S>, undefined>>;

/**
 * Checks a value against its schema, part by part, so that one mistake does not hide others.
 * @param at path of the value in the configuration
 * @param figures keys of figures that are compared with others. An invalid one becomes NaN rather than its default: no
 * comparison with NaN holds, so nothing is reported as contradicting it
 * @returns `wrong`: keys that are invalid or encrypted, nested ones included, as `route` and `route.host`
 */
export function checked<S extends z.ZodObject>(
  schema: S,
  value: unknown,
  { at, figures }: { readonly at: readonly PropertyKey[]; readonly figures: object },
) {
  const parsed = schema.safeParse(value);
  const unsaid = droppedPaths(value);
  if (parsed.success && unsaid.length === 0) {
    return { valid: parsed.data as Valid<z.output<S>>, wrong: new Set<string>(), mistakes: [] };
  }
  const issues = (parsed.error?.issues ?? []).flatMap((issue) => unfolded(issue, schema, value));
  const places = issues.filter(({ code }) => code !== "unrecognized_keys").map(({ path }) => path);
  return {
    valid: without(value, places, figures) as Valid<z.output<S>>,
    wrong: new Set(places.flatMap((path) => (path.length === 0 ? Object.keys(schema.shape) : wayTo(path)))),
    mistakes: [
      ...issues.flatMap((issue) => mistakesOf(issue, schema, value, at)),
      ...unsaid.map((path) => plainMistake([...at, ...path], unknownKey)),
    ],
  };
}

/** The path and all its parents: `route`, then `route.host`. */
const wayTo = (path: readonly PropertyKey[]) => path.map((_, at) => path.slice(0, at + 1).join("."));

type Issue = z.core.$ZodIssue;

const unknownKey = "is no setting here";

/** zod drops this key from most maps without an error. A selector that lost a label would match more pods. */
const dropped = "__proto__";

function droppedPaths(value: unknown): PropertyKey[][] {
  if (typeof value !== "object" || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, inner]) =>
    key === dropped ? [[key]] : droppedPaths(inner).map((path) => [Array.isArray(value) ? Number(key) : key, ...path]),
  );
}

/**
 * For a union, the mistakes of the branch that was meant: the first whose mistakes are below its top. For a refused
 * key, also the mistakes of its value, which zod does not check.
 */
function unfolded(issue: Issue, schema: z.core.$ZodType, root: unknown): Issue[] {
  const value = valueAt(root, issue.path);
  if (value === unread) {
    return [issue];
  }
  const within = (inner: Issue) => unfolded({ ...inner, path: [...issue.path, ...inner.path] }, schema, root);
  if (issue.code === "invalid_key") {
    const there = schemasAt(schema, issue.path).map((inner) => z.safeParse(inner, value));
    // One branch of a union is enough.
    const isRight = there.some(({ success }) => success);
    return [issue, ...(isRight ? [] : there.flatMap(({ error }) => (error?.issues ?? []).flatMap(within)))];
  }
  const meant =
    issue.code === "invalid_union"
      ? issue.errors.find((found) => found.some(({ path }) => path.length > 0))
      : undefined;
  return meant === undefined ? [issue] : meant.flatMap(within);
}

function mistakesOf(issue: Issue, schema: z.ZodType, root: unknown, at: readonly PropertyKey[]): RawMistake[] {
  const path = [...at, ...issue.path];
  const value = valueAt(root, issue.path);
  // A map may be encrypted as a whole; its content can't be checked then.
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

function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  return schemasAt(schema, path).flatMap((at) => (at instanceof z.ZodObject ? Object.keys(at.shape) : []));
}

export function schemasAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly z.core.$ZodType[] {
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

function without(value: unknown, places: readonly (readonly PropertyKey[])[], figures: object): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return {};
  }
  const copy = structuredClone(value);
  for (const path of places.toReversed()) {
    const parent = valueAt(copy, path.slice(0, -1));
    const key = path.at(-1);
    if (typeof parent === "object" && parent !== null && key !== undefined) {
      Reflect.deleteProperty(parent, key);
      if (Object.hasOwn(figures, key)) {
        Reflect.set(parent, key, Number.NaN);
      }
    }
  }
  return copy;
}
