import { z } from "zod";
import { defaultStorage } from "../defaults.ts";
import type { RulesContext } from "../member/rules.ts";
import { isMap, unread } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "../values/mistakes.ts";
import { encryptCommand, secretPlaces } from "../values/secretKeys.ts";
import { choiceOf, dnsSubdomain, flag, identity, optional, text } from "../values/values.ts";
import { bucketName } from "./buckets.ts";

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

/** A member's bucket. */
export interface MemberBucket {
  /** A DNS label; also the name of the bucket's Secret and ConfigMap in the member's namespace. */
  readonly name: string;
  /** Name on the server; never changes. Default: the member's name, `-` and `name`. */
  readonly bucketName: string;
  /** Treatment of the bucket after its declaration is removed. */
  readonly reclaimPolicy: "Retain" | "Delete";
  /** Default: `private`. */
  readonly acl?: CannedAcl;
  /** Grants to use instead of `acl`. */
  readonly grants?: readonly BucketGrant[];
  /** Bucket policy as JSON text, added to the one that lets the member in. */
  readonly policy?: string;
  readonly versioning: boolean;
  /** Whether to take over an existing bucket of that name, with its content. */
  readonly adopt: boolean;
}

/**
 * A grant to others.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html
 */
export interface BucketGrant {
  /** Canonical user ID (with versitygw: an access key), or a group's URI. */
  readonly grantee: string;
  readonly permission: Permission;
}

/** Keys that somebody else made for a member. */
export interface GivenKeys {
  readonly accessKeyId: string;
  /** Undefined if the configuration was read without its secrets. */
  readonly secretAccessKey?: string;
  /**
   * Principal in bucket policies, such as an ARN; each of the member's buckets lets it in. Default: kubecamp lets
   * nobody in.
   */
  readonly principal?: string;
}

/**
 * Access that a bucket can declare for others, in S3's terms.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html
 */
export const cannedAcls = ["private", "public-read", "public-read-write", "authenticated-read"] as const;
export type CannedAcl = (typeof cannedAcls)[number];
export const permissions = ["FULL_CONTROL", "READ", "READ_ACP", "WRITE", "WRITE_ACP"] as const;
export type Permission = (typeof permissions)[number];

/** The group of everyone, with or without a key. */
export const allUsers = "http://acs.amazonaws.com/groups/global/AllUsers";

/** An endpoint as the S3 client accepts it; the path is for buckets and object keys. */
const endpoint = text.refine((value) => {
  const { protocol = "", pathname, search, hash, username, password } = URL.parse(value) ?? {};
  const more = `${search}${hash}${username}${password}`;
  return /^https?:$/.test(protocol) && pathname === "/" && more === "";
}, "must be an http or https URL without user, path and query, such as https://s3.example.org");

/** As the S3 client accepts it. */
const region = text.regex(
  /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/,
  "must be a region's name: A-Z, a-z, 0-9 and '-', at most 63 characters",
);

/** The header of each request contains it, between other values. */
const accessKeyId = text
  .max(128, "must have at most 128 characters")
  .regex(/^[!-+\--.0-~]+$/, "must be an access key, without blanks, commas and slashes");

/** The encrypted form in the file. In `properties`, docs/reference/settings.md would show it as a key. */
export const encryptedForm = {
  type: "object",
  patternProperties: { "^secure$": { type: "string" } },
  minProperties: 1,
  maxProperties: 1,
};

const secretAccessKey = text.refine((value) => !/\s/.test(value), "must be a secret key, without blanks");

const encrypted = "encrypted: `pulumi config set --secret --path";

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
      `S3, required: its secret, ${encrypted} kubecamp:storage.secretAccessKey\`. Default: none.`,
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

export const bucketKeysSchema = z.record(
  z.string(),
  z.strictObject(
    {
      accessKeyId: accessKeyId.meta({ description: "Access key.", examples: ["AKIAEXAMPLE"] }),
      secretAccessKey: secretAccessKey.meta({
        description: `Its secret, ${encrypted} kubecamp:bucketKeys.<member>.secretAccessKey\`.`,
        ...encryptedForm,
      }),
      principal: optional(
        identity,
        "User whom bucket policies let in, such as `arn:aws:iam::123456789012:user/alice`. Default: none; give access on the server.",
      ),
    },
    "must be a map with accessKeyId and secretAccessKey",
  ),
  "must be a map of keys by members' names",
);

/** Keys that somebody else made for a member. */
export type BucketKeysEntry = z.input<typeof bucketKeysSchema>[string];

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
