import { isMap } from "../../../config/model/maps.ts";
import { signatureKey, unknown } from "../../../naming/pulumiMarks.ts";

/** What is declared of an object. */
export type Inputs = Readonly<Record<string, unknown>>;

/** Stands for every value that nobody is to see. */
export const hidden = "(secret)";
const later = "(known after the up)";

/** What Pulumi writes in place of a secret where it marks none. */
const masked = "[secret]";

/** Annotations in which whole objects stand, so maybe with what is secret in them. */
const copies = ["kubectl.kubernetes.io/last-applied-configuration"];

/** Whether a value is not to be shown, whatever it is: all that a Secret holds, and copies of objects. */
export function isHidden(kind: string, path: readonly string[]): boolean {
  const holds = kind === "Secret" && !["apiVersion", "kind", "metadata", "type", "immutable"].includes(path[0] ?? "");
  return holds || kind.startsWith("pulumi:providers:") || path.some((key) => copies.includes(key));
}

/** A value as it is shown, with whatever is secret in it masked. */
export function maskedText(value: unknown): string | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  const plain = masking(value);
  return typeof plain === "object" ? JSON.stringify(plain) : String(plain);
}

/** Whether a map stands for a single value that is not plain JSON. */
export const isMarked = (value: Readonly<Record<string, unknown>>) => signatureKey in value;

/** The same value without what is secret in it. */
export function masking(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(masking);
  }
  if (isMap(value)) {
    return isMarked(value)
      ? hidden
      : Object.fromEntries(
          Object.entries(value).map(([key, inner]) => [key, copies.includes(key) ? hidden : masking(inner)]),
        );
  }
  if (typeof value === "string" && value.includes(masked)) {
    return hidden;
  }
  return value === unknown ? later : value;
}

/** An object's labels or annotations, as its inputs have them. */
export function marksIn({ metadata }: Inputs, of: "labels" | "annotations"): Inputs {
  const marks = isMap(metadata) ? metadata[of] : undefined;
  return isMap(marks) ? marks : {};
}

/** A path as Pulumi writes it: `spec.hard["limits.cpu"]`. */
export function propertyPath(path: readonly string[]): string {
  return path
    .map((key, at) => (/^\w+$/.test(key) ? `${at === 0 ? "" : "."}${key}` : /^\[.*\]$/.test(key) ? key : `["${key}"]`))
    .join("");
}
