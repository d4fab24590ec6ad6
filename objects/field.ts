import { quantityValue } from "../cluster/kinds/quantity.ts";
import { isMap } from "../config/values/maps.ts";

export type Inputs = Readonly<Record<string, unknown>>;

export interface Field {
  readonly what: string;
  /** Text of a single value, or of a missing one, given the rest of the object. Default: the value. */
  readonly text?: (value: string | undefined, object: Inputs) => string | undefined;
  /** Entries of a list that is compared entry by entry. */
  readonly list?: (value: unknown) => readonly unknown[];
  /** Short text of an entry; undefined if there is none. */
  readonly entry?: (entry: unknown) => string | undefined;
}

export type Fields = Readonly<Record<string, Field>>;

/** A mark of kubecamp's own that differs exactly if another field does, so that reports leave it out. */
export const ownMark: Field = { what: "" };

/** A path in Pulumi's form: `spec.hard["limits.cpu"]`. */
export function propertyPath(path: readonly string[]): string {
  const stepOf = (key: string) => (/^\[.*\]$/.test(key) ? key : `["${key}"]`);
  return path.map((key, at) => (/^\w+$/.test(key) ? `${at === 0 ? "" : "."}${key}` : stepOf(key))).join("");
}

export const label = (name: string) => propertyPath(["metadata", "labels", name]);
export const annotation = (name: string) => propertyPath(["metadata", "annotations", name]);

export const ownAnnotations = (...names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [annotation(name), ownMark]));

const quantity = (what: string, textOf: (value: number) => string): Field => ({
  what,
  text: (quantity) => {
    const value = quantityValue(quantity ?? "");
    return value === undefined ? quantity : textOf(value);
  },
});

/** `500m`, `1`, `1.5`, as in Kubernetes: the field's name says that these are CPUs. */
export const cpu = (what: string) =>
  quantity(what, (cpus) => {
    const millicores = Math.round(cpus * 1000);
    return millicores > 0 && millicores < 1000 ? `${millicores}m` : String(millicores / 1000);
  });

/** `500 MiB`, `2 GiB`, `1.5 GiB`; a larger unit only where hundredths of it are exact. */
export const memory = (what: string) =>
  quantity(what, (bytes) => {
    const larger = ["GiB", "TiB"].map((unit, at) => ({ unit, amount: bytes / 1024 ** (3 + at) }));
    const fit = larger.findLast(({ amount }) => amount >= 1 && Number.isInteger(amount * 100));
    return fit === undefined ? `${bytes / 1024 ** 2} MiB` : `${fit.amount} ${fit.unit}`;
  });

/** `2k` becomes `2000`. */
export const count = (what: string) => quantity(what, String);

/** A list in one text. */
export const split = (what: string, separator: string): Field => ({
  what,
  list: (value) => (typeof value === "string" && value !== "" ? value.split(separator) : []),
});

/** @param entry short text of an entry; undefined if there is none */
export const list = (what: string, entry: (entry: Inputs) => string | undefined): Field => ({
  what,
  list: (value) => (Array.isArray(value) ? value : []),
  entry: (one) => (isMap(one) ? entry(one) : undefined),
});
