import { hasCode, isElsewhere, isUnsupported, orElse, type S3, type Tags } from "../s3/s3.ts";
import { type DeclaredAcl, declaredAcl } from "./acl.ts";

/** What a bucket is like now, in the words in which it is declared. */
export interface LiveBucket extends DeclaredAcl {
  readonly policy?: string;
  readonly versioning: boolean;
  /** In the server's words; undefined where it has no ACLs, or names nobody. */
  readonly owner?: string;
}

/** A bucket as it is; undefined if the server says that there is none. What a server doesn't have, the bucket doesn't have. */
export async function liveBucket(s3: S3, bucket: string): Promise<LiveBucket | undefined> {
  if (!(await exists(s3, bucket))) return undefined;
  const policy = await orElse(s3.getBucketPolicy(bucket), noPolicy, undefined);
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

/** Whose a bucket is, in the server's words; undefined where it has no ACLs, or names nobody. */
export async function liveOwner(s3: S3, bucket: string): Promise<string | undefined> {
  const acl = await orElse(s3.getBucketAcl(bucket), isUnsupported, undefined);
  return acl?.owner || undefined;
}

/** Only the server's word counts: no answer is no 'no'. */
export async function exists(s3: S3, bucket: string): Promise<boolean> {
  return orElse(
    s3.getBucketLocation(bucket).then(() => true),
    isGone,
    false,
  );
}

/**
 * Whether a question about a bucket failed because its name is somebody else's by now: of what is ours, however much is refused to
 * our access key, the server's list has the name. Where that is refused, too, nobody knows.
 */
export async function isTaken(s3: S3, bucket: string, error: unknown): Promise<boolean> {
  if (!isElsewhere(error)) return false;
  const listed = await s3.listBuckets().catch(() => [bucket]);
  return !listed.includes(bucket);
}

/** What there is to say of such a bucket. */
export const taken =
  "there is another of that name now, which the S3 server's access key may not look at and does not list";

/** A bucket's tags; undefined where the server has no tags for buckets. */
export async function tagsOf(s3: S3, bucket: string): Promise<Tags | undefined> {
  const tags = orElse<Tags, Tags>(s3.getBucketTagging(bucket), (error) => hasCode(error, "NoSuchTagSet"), {});
  return orElse(tags, isUnsupported, undefined);
}

export function isGone(error: unknown): boolean {
  return hasCode(error, "NoSuchBucket");
}

function noPolicy(error: unknown): boolean {
  return hasCode(error, "NoSuchBucketPolicy") || isUnsupported(error);
}
