import { samePolicy } from "../../config/bucketPolicy.ts";
import { isUnsupported, orElse, type S3 } from "../s3/s3.ts";
import { aclWith, isPrivate, sameAcl } from "./acl.ts";
import type { LiveBucket } from "./live.ts";
import type { BucketSettings } from "./settings.ts";

/** Makes a bucket as declared. Writes what differs and nothing else, so that it can be done again after any failure. */
export async function bring(s3: S3, settings: BucketSettings, live: LiveBucket): Promise<void> {
  const { bucketName, versioning, policy } = settings;
  if (live.versioning !== versioning) {
    await s3.putBucketVersioning(bucketName, versioning ? "Enabled" : "Suspended");
  }
  if (!sameAcl(live, settings)) await bringAcl(s3, settings);
  if (!samePolicy(live.policy, policy)) {
    await (policy === undefined ? s3.deleteBucketPolicy(bucketName) : s3.putBucketPolicy(bucketName, policy));
  }
}

/** Takes away whatever lets others in. */
export async function close(s3: S3, bucket: string, live: LiveBucket): Promise<void> {
  if (live.policy !== undefined) await s3.deleteBucketPolicy(bucket);
  if (!isPrivate(live)) await s3.putCannedAcl(bucket, "private");
}

async function bringAcl(s3: S3, settings: BucketSettings): Promise<void> {
  const { bucketName, grants } = settings;
  // Where ACLs can't be turned off, there is nothing to turn them on with.
  if (!isPrivate(settings)) await orElse(s3.putBucketOwnershipControls(bucketName), isUnsupported, undefined);
  if (grants === undefined) {
    await s3.putCannedAcl(bucketName, settings.acl ?? "private");
    return;
  }
  const { owner } = await s3.getBucketAcl(bucketName);
  await s3.putGrants(bucketName, aclWith(owner, grants));
}
