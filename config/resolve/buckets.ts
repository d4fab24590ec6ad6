import { defined, given, present } from "../model/maps.ts";
import { hasAccess, type Member } from "../model/members/member.ts";
import { defaultBucket, defaultBucketKeyGeneration, defaultStorage } from "../model/settings/defaults.ts";
import type { BucketGrant, GivenKeys, MemberBucket, StorageSettings } from "../model/settings/storage.ts";
import { policyWithout } from "../rules/buckets/policyWithout.ts";
import type { BucketEntry } from "../schema/buckets.ts";
import type { Valid } from "../schema/issues.ts";
import type { MemberEntry } from "../schema/members/member.ts";
import type { SettingsEntry } from "../schema/settings.ts";
import type { BucketKeysEntry, StorageEntry } from "../schema/storage.ts";
import { dayOf } from "../schema/values.ts";

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
