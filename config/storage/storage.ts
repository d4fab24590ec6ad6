import { z } from "zod";
import type { RulesContext } from "../rule.ts";
import type { Valid } from "../values/issues.ts";
import { given, isMap, unread } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "../values/mistakes.ts";
import { encryptCommand, secretPlaces } from "../values/secretKeys.ts";
import { choiceOf, dnsSubdomain, flag, optional, text } from "../values/values.ts";

/**
 * Storage of members' buckets: an S3 server, or a COSI driver of the cluster.
 * @see https://container-object-storage-interface.sigs.k8s.io/
 */
export type StorageSettings = S3Settings | CosiSettings;

/** An S3 server and its administrator's key. */
export interface S3Settings {
  readonly kind: "s3";
  /** URL, as `https://s3.example.org`. Default: AWS. */
  readonly endpoint?: string;
  /** URL that members' pods use. Default: `endpoint`. */
  readonly appEndpoint?: string;
  readonly region: string;
  /** Whether the bucket is in the URL's path instead of the host name. Default: true if `endpoint` is set. */
  readonly forcePathStyle: boolean;
  /** Access key of a user who may create buckets, set their policies and create users. */
  readonly accessKeyId: string;
  /** Secret key; undefined if the configuration was read without its secrets, as commands outside of Pulumi do. */
  readonly secretAccessKey?: string;
  /** Kind of the server if kubecamp creates members' keys on it. Default: none; keys are given. */
  readonly users?: "versitygw";
  /** URL of the API for users. Default: `endpoint`. */
  readonly usersEndpoint?: string;
}

/** A COSI driver of the cluster, which makes buckets and keys. */
export interface CosiSettings {
  readonly kind: "cosi";
  /** Version of the API that the cluster serves. */
  readonly version: "v1alpha1" | "v1alpha2";
  readonly bucketClassName: string;
  readonly bucketAccessClassName: string;
}

/** As the S3 client accepts it. */
const region = text.regex(
  /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/,
  "must be a region's name: A-Z, a-z, 0-9 and '-', at most 63 characters",
);

export const defaultStorage = { kind: "s3", region: "us-east-1" } as const;

/** An endpoint as the S3 client accepts it; the path is for buckets and object keys. */
const endpoint = text.refine((value) => {
  const { protocol = "", pathname, search, hash, username, password } = URL.parse(value) ?? {};
  const more = `${search}${hash}${username}${password}`;
  return /^https?:$/.test(protocol) && pathname === "/" && more === "";
}, "must be an http or https URL without user, path and query, such as https://s3.example.org");

/** The header of each request contains it, between other values. */
export const accessKeyId = text
  .max(128, "must have at most 128 characters")
  .regex(/^[!-+\--.0-~]+$/, "must be an access key, without blanks, commas and slashes");

/** The encrypted form in the file. In `properties`, docs/reference/settings.md would show it as a key. */
export const encryptedForm = {
  type: "object",
  patternProperties: { "^secure$": { type: "string" } },
  minProperties: 1,
  maxProperties: 1,
};

export const secretAccessKey = text.refine((value) => !/\s/.test(value), "must be a secret key, without blanks");

export const encryptBy = "encrypted: `pulumi config set --secret --path";

/** Rule for messages about a bucket's name. */
export const bucketNameRule =
  "3 to 63 of a-z, 0-9, '-' and '.', with a letter or figure at both ends, no '..', and no IP address";

export const bucketName = text.refine(isBucketName, `must be a bucket's name: ${bucketNameRule}`);

export const storageSchema = z.strictObject(
  {
    kind: optional(choiceOf(["s3", "cosi"]), "`s3`: an S3 server. `cosi`: a COSI driver.", {
      default: defaultStorage.kind,
    }),
    endpoint: optional(endpoint, "S3: the server's URL. Default: AWS.", { examples: ["https://s3.example.org"] }),
    appEndpoint: optional(endpoint, "S3: its URL for members' pods. Default: `endpoint`.", {
      examples: ["http://s3.storage.svc:7070"],
    }),
    region: optional(region, "S3: the region.", { default: defaultStorage.region }),
    forcePathStyle: optional(
      flag,
      "S3: whether the bucket's name is in the path, not in the host. Default: true with an `endpoint`, false with AWS.",
    ),
    accessKeyId: optional(
      accessKeyId,
      "S3, required: access key of an administrator of buckets and, with `users`, of users. Default: none.",
    ),
    secretAccessKey: optional(
      secretAccessKey,
      `S3, required: its secret, ${encryptBy} kubecamp:storage.secretAccessKey\`. Default: none.`,
      { ...encryptedForm },
    ),
    users: optional(
      choiceOf(["versitygw"]),
      "S3: the kind of server on which kubecamp makes users and keys. Default: none; set `bucketKeys`.",
    ),
    usersEndpoint: optional(endpoint, "S3: URL of the API for users. Default: `endpoint`."),
    adopt: optional(
      z.array(bucketName, "must be a list of buckets' names"),
      "S3: existing buckets that entries of `membersFile` may take over. Default: none.",
      { examples: [["course-data"]] },
    ),
    version: optional(
      choiceOf(["v1alpha1", "v1alpha2"]),
      "COSI, required: the cluster's version of `objectstorage.k8s.io`. Default: none.",
    ),
    bucketClassName: optional(dnsSubdomain, "COSI, required: class of buckets. Default: none."),
    bucketAccessClassName: optional(dnsSubdomain, "COSI, required: class of keys. Default: none."),
  },
  "must be a map",
);

export type StorageEntry = z.input<typeof storageSchema>;

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

/** The storage settings with every default filled in. An encrypted value that was not decrypted is empty. */
export function storageSettingsOf(entry: Valid<StorageEntry>): StorageSettings {
  const { kind = defaultStorage.kind, region = defaultStorage.region, accessKeyId = "" } = entry;
  if (kind === "cosi") {
    const { version = "v1alpha1", bucketClassName = "", bucketAccessClassName = "" } = entry;
    return { kind, version, bucketClassName, bucketAccessClassName };
  }
  return {
    kind,
    ...given(entry, "endpoint", "appEndpoint"),
    region,
    forcePathStyle: entry.forcePathStyle ?? entry.endpoint !== undefined,
    accessKeyId,
    ...given(entry, "secretAccessKey", "users", "usersEndpoint"),
  };
}

/**
 * Whether the name follows S3's rules.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
 */
export function isBucketName(name: string): boolean {
  return /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !/\.\.|^\d+\.\d+\.\d+\.\d+$/.test(name);
}
