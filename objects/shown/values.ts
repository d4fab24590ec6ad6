import { signatureKey, unknown } from "../../config/names/pulumiMarks.ts";
import { isProviderType } from "../../config/names/urns.ts";
import { isMap } from "../../config/values/maps.ts";
import type { Inputs } from "../field.ts";

export const hidden = "(secret)";
const later = "(known after the up)";

/** Pulumi's text in place of a secret that it does not mark. */
const masked = "[secret]";

/** Annotations with whole objects, which may contain secrets. */
const copies = ["kubectl.kubernetes.io/last-applied-configuration"];

/** Whether to hide a value of any kind: a Secret's content, a provider's settings, copies of objects. */
export function isHidden(kind: string, path: readonly string[]): boolean {
  const holds = kind === "Secret" && !["apiVersion", "kind", "metadata", "type", "immutable"].includes(path[0] ?? "");
  return holds || isProviderType(kind) || path.some((key) => copies.includes(key));
}

export function maskedText(value: unknown): string | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  const plain = masking(value);
  return typeof plain === "object" ? JSON.stringify(plain) : String(plain);
}

/** Whether a map stands for a single value that is not plain JSON. */
export const isMarked = (value: Readonly<Record<string, unknown>>) => signatureKey in value;

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

export function marksIn({ metadata }: Inputs, of: "labels" | "annotations"): Inputs {
  const marks = isMap(metadata) ? metadata[of] : undefined;
  return isMap(marks) ? marks : {};
}
