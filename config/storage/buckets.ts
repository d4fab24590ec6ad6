import { z } from "zod";
import { defaultBucket, defaultBucketKeyGeneration, defaultStorage } from "../defaults.ts";
import { hasAccess, type Member, type MemberEntry } from "../member/member.ts";
import type { SettingsEntry } from "../settings.ts";
import type { Valid } from "../values/issues.ts";
import { defined, given, present } from "../values/maps.ts";
import { choiceOf, dayOf, dnsLabel, flag, identity, optional, text } from "../values/values.ts";
import { policyWithout } from "./bucketPolicy.ts";
import {
  allUsers,
  type BucketGrant,
  type BucketKeysEntry,
  cannedAcls,
  type GivenKeys,
  type MemberBucket,
  permissions,
  type StorageEntry,
  type StorageSettings,
} from "./storage.ts";

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

/**
 * Members, without access for those who are suspended or expired: removes their given keys from the policies and grants
 * of all buckets. Keys that kubecamp makes need no removal: they open nothing meanwhile.
 */
export function withoutClosedKeys(members: readonly Member[]): readonly Member[] {
  const closed: ReadonlySet<string> = new Set(
    members
      .filter((member) => !hasAccess(member))
      .flatMap(({ bucketKeys }) => [bucketKeys?.accessKeyId, bucketKeys?.principal])
      .flatMap((key) => (key ? [key] : [])),
  );
  return closed.size === 0
    ? members
    : members.map((member) =>
        member.buckets === undefined
          ? member
          : { ...member, buckets: member.buckets.map((bucket) => bucketWithout(bucket, closed)) },
      );
}

function bucketWithout({ policy, grants, ...bucket }: MemberBucket, closed: ReadonlySet<string>): MemberBucket {
  const left = policy === undefined ? undefined : policyWithout(policy, closed);
  return {
    ...bucket,
    ...(grants === undefined ? {} : { grants: grants.filter(({ grantee }) => !closed.has(grantee)) }),
    ...(left === undefined ? {} : { policy: left }),
  };
}

/**
 * Whether the name follows S3's rules.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
 */
export function isBucketName(name: string): boolean {
  return /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !/\.\.|^\d+\.\d+\.\d+\.\d+$/.test(name);
}

/** Rule for messages about a bucket's name. */
export const bucketNameRule =
  "3 to 63 of a-z, 0-9, '-' and '.', with a letter or figure at both ends, no '..', and no IP address";

export const bucketName = text.refine(isBucketName, `must be a bucket's name: ${bucketNameRule}`);

/** Far more than any member needs, and few enough for one run. */
const mostBuckets = 100;

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
