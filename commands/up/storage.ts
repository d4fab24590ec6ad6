import { isDeepStrictEqual } from "node:util";
import { storageProviderInputs } from "./plan/bucketResources.ts";
import type { Look } from "./plan/knownState.ts";

/** Compares settings of a provider, which Pulumi keeps as text. */
export function isSameAsText(known: object, declared: object): boolean {
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const texts = (values: object) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, text(value)]));
  return isDeepStrictEqual(texts(known), texts(declared));
}

/** Whether the state has the declared server of buckets, or none if none is declared; ignores the secret key. */
export function isStorageSame({ settings, snapshot, state }: Look): boolean {
  const { root, storage } = state;
  const declared = root && storageProviderInputs({ settings, clusterId: snapshot.id }, root);
  if (declared === undefined || root?.storage === undefined) {
    return declared === undefined && root?.storage === undefined;
  }
  const { __internal: _, version: __, secretAccessKey: ___, ...known } = storage;
  return isSameAsText(known, declared);
}
