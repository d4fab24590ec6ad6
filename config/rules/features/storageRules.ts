import { isMap, unread } from "../../model/maps.ts";
import { encryptCommand, secretPlaces } from "../../model/secretKeys.ts";
import { defaultStorage } from "../../model/settings/defaults.ts";
import type { StorageEntry } from "../../schema/storage.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "../../sources/mistakes.ts";
import type { RulesContext } from "../rules.ts";

const s3Keys = [
  "endpoint",
  "appEndpoint",
  "region",
  "forcePathStyle",
  "accessKeyId",
  "secretAccessKey",
  "users",
  "usersEndpoint",
  "adopt",
] as const satisfies readonly (keyof StorageEntry)[];

const cosiKeys = {
  version: "the version of objectstorage.k8s.io that the cluster serves, v1alpha1 or v1alpha2",
  bucketClassName: "the BucketClass of members' buckets",
  bucketAccessClassName: "the BucketAccessClass of members' keys",
} as const satisfies Partial<Record<keyof StorageEntry, string>>;

/** Whether a key of `storage` is valid or absent, so that its value or default is known. */
export function isClear({ raw: { storage }, entry }: Pick<RulesContext, "raw" | "entry">, key: keyof StorageEntry) {
  return storage !== unread && (!isMap(storage) || storage[key] === undefined || entry.storage?.[key] !== undefined);
}

/** Mistakes: settings of `storage` that contradict each other, and secret keys in plain text. */
export function storageFindings(context: RulesContext): RawMistake[] {
  return [...ofServer(context), ...plainTexts(context)];
}

function ofServer(context: RulesContext): RawMistake[] {
  const { storage: raw } = context.raw;
  const { kind = defaultStorage.kind, users } = context.entry.storage ?? {};
  if (!isMap(raw) || !isClear(context, "kind")) {
    return [];
  }
  const has = (key: keyof StorageEntry) => (raw[key] ?? undefined) !== undefined;
  const reported = (key: keyof StorageEntry, message: string): RawMistake[] =>
    has(key) && raw[key] !== unread ? [valueMistake(["storage", key], raw[key], message)] : [];
  const missing = (key: keyof StorageEntry, message: string): RawMistake[] =>
    raw[key] === undefined ? [plainMistake(["storage", key], `is missing: ${message}`)] : [];
  if (kind === "cosi") {
    const useless = "is for kind: s3; leave it out: with cosi the driver knows the server";
    return [
      ...s3Keys.flatMap((key) => reported(key, useless)),
      ...(Object.entries(cosiKeys) as [keyof StorageEntry, string][]).flatMap(([key, what]) =>
        missing(key, `kind: cosi needs ${what}; set it, or leave kind out`),
      ),
    ];
  }
  const noAddress = users !== undefined && !has("endpoint") && !has("usersEndpoint");
  return [
    ...(Object.keys(cosiKeys) as (keyof StorageEntry)[]).flatMap((key) =>
      reported(key, "is for kind: cosi; leave it out, or set kind: cosi"),
    ),
    ...missing("accessKeyId", "kubecamp makes buckets with an access key and its secret; set it, or kind: cosi"),
    ...missing(
      "secretAccessKey",
      `it goes with accessKeyId; set it: ${encryptCommand(["storage", "secretAccessKey"])}`,
    ),
    ...(noAddress
      ? reported("users", "needs an API for users, which AWS does not have; set endpoint, or leave users out")
      : []),
    ...(has("users") ? [] : reported("usersEndpoint", "is for users; set that, or leave it out")),
  ];
}

/** Anyone who can read the file, or its history, could use these keys. */
function plainTexts({ raw, isSecret }: RulesContext): RawMistake[] {
  return secretPlaces(raw)
    .filter((path) => typeof valueAt(raw, path) === "string" && isSecret?.(path) === false)
    .map((path) =>
      plainMistake(
        path,
        `is plain text here; make another if anybody else could read it, and encrypt it: ${encryptCommand(path)}`,
      ),
    );
}
