import { z } from "zod";
import type { Member, MemberEntry } from "../member/member.ts";
import type { SettingsEntry } from "../settings.ts";
import type { Valid } from "../values/issues.ts";
import { defined, given, present } from "../values/maps.ts";
import { choiceOf, dayOf, dnsLabel, flag, identity, optional, text } from "../values/values.ts";
import type { BucketKeysEntry, GivenKeys } from "./bucketKeys.ts";
import { bucketName } from "./storage.ts";

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

export const defaultBucket = {
  reclaimPolicy: "Retain",
  versioning: false,
  adopt: false,
} as const satisfies Partial<MemberBucket>;

/** For a bucket without grants. */
export const defaultAcl = "private" satisfies CannedAcl;

export const defaultBucketKeyGeneration = 1;

/** A member's buckets and keys; empty for a member without buckets. */
export function memberBucketsOf(
  { member, buckets, bucketKeyGeneration }: Valid<MemberEntry> & Pick<MemberEntry, "member">,
  { bucketKeys = {} }: Valid<SettingsEntry>,
): Pick<Member, "buckets" | "bucketKeys" | "bucketKeyGeneration"> {
  const declared = present(buckets).flatMap((bucket) => bucketOf(member, bucket) ?? []);
  const keys = Object.hasOwn(bucketKeys, member) ? bucketKeys[member] : undefined;
  if (declared.length === 0) {
    return {};
  }
  return defined({
    buckets: declared,
    bucketKeys: keys && keysOf(keys),
    bucketKeyGeneration: bucketKeyGeneration === defaultBucketKeyGeneration ? undefined : bucketKeyGeneration,
  });
}

const keysOf = (entry: Valid<BucketKeysEntry>): GivenKeys => ({
  accessKeyId: entry.accessKeyId ?? "",
  ...given(entry, "secretAccessKey", "principal"),
});

/** A bucket with its defaults; undefined if its name is not known. */
function bucketOf(member: string, entry: Valid<BucketEntry>): MemberBucket | undefined {
  const { name, grants, policy } = entry;
  return name === undefined
    ? undefined
    : {
        name,
        bucketName: bucketNameOf(member, name, entry),
        reclaimPolicy: entry.reclaimPolicy ?? defaultBucket.reclaimPolicy,
        ...given(entry, "acl"),
        ...defined({
          grants: grants && (present(grants) as readonly BucketGrant[]),
          policy: policy === undefined ? undefined : policyText(policy),
        }),
        versioning: entry.versioning ?? defaultBucket.versioning,
        adopt: entry.adopt ?? defaultBucket.adopt,
      };
}

export const bucketNameOf = (member: string, name: string, { bucketName }: Valid<BucketEntry>) =>
  bucketName ?? `${member}-${name}`;

/** A policy as JSON text. Without quotes, its `Version` is a date in YAML, which Pulumi passes on in another form. */
export const policyText = (policy: NonNullable<Valid<BucketEntry>["policy"]>): string =>
  typeof policy === "string"
    ? policy
    : JSON.stringify(policy, (key, value: unknown) =>
        key === "Version" && typeof value === "string" ? (dayOf(value) ?? value) : value,
      );

/** Far more than any member needs, and few enough for one run. */
const mostBuckets = 100;

/** The group of everyone, with or without a key. */
export const allUsers = "http://acs.amazonaws.com/groups/global/AllUsers";

export const permissions = ["FULL_CONTROL", "READ", "READ_ACP", "WRITE", "WRITE_ACP"] as const;

const grantSchema = z.strictObject(
  {
    grantee: identity.meta({
      description: "A canonical user ID (versitygw: an access key), or a group's URI.",
      examples: [allUsers],
    }),
    permission: choiceOf(permissions).meta({
      description: "`FULL_CONTROL`, `READ`, `READ_ACP`, `WRITE` or `WRITE_ACP`.",
    }),
  },
  "must be a map with grantee and permission",
);

/**
 * Access that a bucket can declare for others, in S3's terms.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html
 */
export const cannedAcls = ["private", "public-read", "public-read-write", "authenticated-read"] as const;

const bucketSchema = z.strictObject(
  {
    name: dnsLabel.meta({
      description: "Name of its Secret and ConfigMap: a DNS label, unique for the member.",
      examples: ["data"],
    }),
    bucketName: optional(
      bucketName,
      "Name on the server, unique in the stack; it can't change. Default: `<member>-<name>`.",
    ),
    reclaimPolicy: optional(
      choiceOf(["Retain", "Delete"]),
      "On removal of the bucket or the member, `Retain` closes and keeps it, `Delete` **deletes it with its objects**.",
      { default: defaultBucket.reclaimPolicy },
    ),
    acl: optional(choiceOf(cannedAcls), "Canned ACL. Default: `private`, or `grants`."),
    grants: optional(
      z.array(grantSchema, "must be a list of grants").max(99, "must have at most 99 grants"),
      "Rights besides the owner's, instead of `acl`.",
      { default: [] },
    ),
    policy: optional(
      z.union([text, z.record(z.string(), z.unknown())], "must be a policy document, as a map or as JSON text"),
      "Further bucket policy, as a map or JSON text. Default: none.",
    ),
    versioning: optional(flag, "Whether to keep overwritten and deleted objects.", {
      default: defaultBucket.versioning,
    }),
    adopt: optional(
      flag,
      "Whether to take over an existing bucket with its contents; in `membersFile`, those of `storage.adopt` only.",
      { default: defaultBucket.adopt },
    ),
    quotaMiB: optional(
      z
        .unknown()
        .refine(
          (value) => value === undefined,
          "is nothing that kubecamp can set: no server whose API it knows has quotas for buckets (AWS and versitygw have none); leave it out, and set it on the server if that has any",
        ),
      "Refused: set a bucket's quota on the server.",
      { not: {} },
    ),
  },
  "must be a map with at least 'name'",
);

/** A bucket in a member's entry. */
export type BucketEntry = z.input<typeof bucketSchema>;

export const bucketsSchema = z
  .array(bucketSchema, "must be a list of buckets")
  .max(mostBuckets, `must have at most ${mostBuckets} buckets`);

export type CannedAcl = (typeof cannedAcls)[number];

export type Permission = (typeof permissions)[number];
