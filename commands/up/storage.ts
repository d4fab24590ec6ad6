import { isDeepStrictEqual } from "node:util";
import { storageProviderInputs } from "../state/bucketResources.ts";
import type { Look } from "./look.ts";

/** Whether settings of a provider are the same, which Pulumi keeps as texts. */
export function isSameAsText(known: object, declared: object): boolean {
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const texts = (values: object) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, text(value)]));
  return isDeepStrictEqual(texts(known), texts(declared));
}

/** Whether the state has the server of buckets as it is declared, but for the secret key; also that there is none. */
export function isStorageSame({ settings, snapshot, state }: Look): boolean {
  const { root, storage } = state;
  const declared = root && storageProviderInputs({ settings, clusterId: snapshot.id }, root);
  if (declared === undefined || root?.storage === undefined) {
    return declared === undefined && root?.storage === undefined;
  }
  const { __internal: _, version: __, secretAccessKey: ___, ...known } = storage;
  return isSameAsText(known, declared);
}
