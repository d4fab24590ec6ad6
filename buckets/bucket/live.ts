import type { S3 } from "../s3/awsS3.ts";
import { hasCode, isElsewhere, isUnsupported, orElse } from "../s3/failures.ts";
import type { Tags } from "../s3/s3.ts";
import { type DeclaredAcl, declaredAcl } from "./acl.ts";

export interface LiveBucket extends DeclaredAcl {
  readonly policy?: string;
  readonly versioning: boolean;
  readonly owner?: string;
}

/** The bucket on the server; undefined if the server says that there is none. Unsupported settings count as unset. */
export async function liveBucket(s3: S3, bucket: string): Promise<LiveBucket | undefined> {
  if (!(await exists(s3, bucket))) {
    return undefined;
  }
  const isUnset = (error: unknown) => hasCode(error, "NoSuchBucketPolicy") || isUnsupported(error);
  const policy = await orElse(s3.getBucketPolicy(bucket), isUnset, undefined);
  const acl = await orElse(s3.getBucketAcl(bucket), isUnsupported, undefined);
  const versioning = await orElse(s3.getBucketVersioning(bucket), isUnsupported, undefined);
  return {
    ...(policy === undefined ? {} : { policy }),
    ...(acl === undefined
      ? { acl: "private" }
      : { ...declaredAcl(acl), ...(acl.owner === "" ? {} : { owner: acl.owner }) }),
    versioning: versioning === "Enabled",
  };
}

/** The server's name of a bucket's owner; undefined if it has no ACLs or names nobody. */
export async function liveOwner(s3: S3, bucket: string): Promise<string | undefined> {
  const acl = await orElse(s3.getBucketAcl(bucket), isUnsupported, undefined);
  return acl?.owner || undefined;
}

/** False only if the server says so: without an answer it throws. */
export async function exists(s3: S3, bucket: string): Promise<boolean> {
  const found = s3.getBucketLocation(bucket).then(() => true);
  return orElse(found, isGone, false);
}

/** Whether the bucket's name is somebody else's by now: the server lists our own even if it refuses all else. */
export async function isTaken(s3: S3, bucket: string, error: unknown): Promise<boolean> {
  if (!isElsewhere(error)) {
    return false;
  }
  const listed = await s3.listBuckets().catch(() => [bucket]);
  return !listed.includes(bucket);
}

export const taken =
  "another bucket has that name now, and the S3 server's access key may not read it and does not list it";

/** A bucket's tags; undefined if the server has no tags for buckets. */
export async function tagsOf(s3: S3, bucket: string): Promise<Tags | undefined> {
  const tags = orElse<Tags, Tags>(s3.getBucketTagging(bucket), (error) => hasCode(error, "NoSuchTagSet"), {});
  return orElse(tags, isUnsupported, undefined);
}

export const isGone = (error: unknown): boolean => hasCode(error, "NoSuchBucket");
