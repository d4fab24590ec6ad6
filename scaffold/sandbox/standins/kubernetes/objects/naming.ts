/** Names of objects whose program gave them none. */
import { createHash, randomBytes } from "node:crypto";
import { type Props, propsOf, textAt } from "../../../../../buckets/protocol/values.ts";
import { annotation, nameOf, withMetadata } from "./objects.ts";

/** How the engine's `pulumi:autonaming` setting wants names. */
export interface Autonaming {
  disabled: boolean;
  proposedName: string;
}

export function isAutonamed(object: Props): boolean {
  return annotation(object, "autonamed") === "true";
}

/** Keeps the name that an earlier run made up; else makes one from the engine's seed, the same in preview and update. */
export function withName(
  inputs: Props,
  old: Props | undefined,
  urn: string,
  seed: Uint8Array,
  naming?: Autonaming,
): Props {
  if (nameOf(inputs)) return inputs;
  if (textAt(inputs, "metadata", "generateName")) {
    throw new Error("the `.metadata.generateName` field is not supported in Server-Side Apply mode");
  }
  if (old) return isAutonamed(old) ? named(inputs, nameOf(old)) : inputs;
  if (naming?.disabled) {
    throw new Error("autonaming is disabled, resource requires the .metadata.name field to be set");
  }
  return named(inputs, naming?.proposedName || `${urn.split("::").at(-1)}-${suffix(seed)}`);
}

export function newFieldManager(): string {
  return `pulumi-kubernetes-${randomBytes(4).toString("hex")}`;
}

function named(inputs: Props, name: string): Props {
  const annotations = { ...propsOf(propsOf(inputs.metadata).annotations), "pulumi.com/autonamed": "true" };
  return withMetadata(inputs, { name, annotations });
}

function suffix(seed: Uint8Array): string {
  const bytes = seed.length > 0 ? createHash("sha256").update(seed).digest() : randomBytes(4);
  return bytes.subarray(0, 4).toString("hex");
}
