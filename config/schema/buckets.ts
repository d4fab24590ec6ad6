import { z } from "zod";
import { defaultBucket } from "../model/settings/defaults.ts";
import { allUsers, cannedAcls, permissions } from "../model/settings/storage.ts";
import { choiceOf, dnsLabel, flag, identity, optional, text } from "./values.ts";

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
