import { z } from "zod";
import type { Member, MemberEntry } from "../member/member.ts";
import type { SettingsEntry } from "../settings.ts";
import { dayOf } from "../values/days.ts";
import type { EntryOf, Valid } from "../values/issues.ts";
import { defined, given, present } from "../values/maps.ts";
import { bucketName, choiceOf, dnsLabel, flag, identity, optional, text } from "../values/values.ts";
import { givenKeysOf } from "./bucketKeys.ts";

/** Far more than any member needs, and few enough for one run. */
const mostBuckets = 100;

export const defaultBucket = { reclaimPolicy: "Retain", versioning: false, adopt: false } as const;

/** For a bucket without grants. */
export const defaultAcl = "private" satisfies CannedAcl;

export const defaultBucketKeyGeneration = 1;

/** The group of everyone, with or without a key. */
export const allUsers = "http://acs.amazonaws.com/groups/global/AllUsers";

/** @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html */
const permissions = ["FULL_CONTROL", "READ", "READ_ACP", "WRITE", "WRITE_ACP"] as const;

export type Permission = (typeof permissions)[number];

const cannedAcls = ["private", "public-read", "public-read-write", "authenticated-read"] as const;

export type CannedAcl = (typeof cannedAcls)[number];

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

export type BucketEntry = EntryOf<typeof bucketSchema>;

export const bucketsSchema = z
  .array(bucketSchema, "must be a list of buckets")
  .max(mostBuckets, `must have at most ${mostBuckets} buckets`);

export type MemberBucket = Readonly<ReturnType<typeof bucketOf>>;

export function memberBucketsOf(
  { member, buckets, bucketKeyGeneration }: Valid<MemberEntry> & Pick<MemberEntry, "member">,
  { bucketKeys = {} }: Valid<SettingsEntry>,
): Pick<Member, "buckets" | "bucketKeys" | "bucketKeyGeneration"> {
  const declared = present(buckets).flatMap((bucket) => {
    const name = bucketNameOf(member, bucket);
    return name === undefined ? [] : [bucketOf(bucket, name)];
  });
  const keys = Object.hasOwn(bucketKeys, member) ? bucketKeys[member] : undefined;
  if (declared.length === 0) {
    return {};
  }
  return defined({
    buckets: declared,
    bucketKeys: keys && givenKeysOf(keys),
    bucketKeyGeneration: bucketKeyGeneration === defaultBucketKeyGeneration ? undefined : bucketKeyGeneration,
  });
}

const bucketOf = (entry: BucketEntry, bucketName: string) => ({
  name: entry.name ?? "",
  bucketName,
  ...defaultBucket,
  ...given(entry, "reclaimPolicy", "acl", "versioning", "adopt"),
  ...defined({
    grants:
      entry.grants && present(entry.grants).map(({ grantee = "", permission = "READ" }) => ({ grantee, permission })),
    policy: entry.policy === undefined ? undefined : bucketPolicyText(entry.policy),
  }),
});

/** A bucket's name on the server, which never changes; undefined for a bucket without a valid name. */
export const bucketNameOf = (member: string, { name, bucketName }: BucketEntry) =>
  name && (bucketName ?? `${member}-${name}`);

/** A policy as JSON text. Without quotes, its `Version` is a date in YAML, which Pulumi passes on in another form. */
export const bucketPolicyText = (policy: NonNullable<BucketEntry["policy"]>): string =>
  typeof policy === "string"
    ? policy
    : JSON.stringify(policy, (key, value: unknown) =>
        key === "Version" && typeof value === "string" ? (dayOf(value) ?? value) : value,
      );
