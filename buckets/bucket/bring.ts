import { defaultAcl } from "../../config/model/defaults.ts";
import { samePolicy } from "../../config/rules/buckets/bucketPolicy.ts";
import { hasCode, isUnsupported, orElse, type S3, S3Failure } from "../s3/s3.ts";
import { aclWith, isPrivate, sameAcl } from "./acl.ts";
import type { LiveBucket } from "./live.ts";
import { type BucketSettings, bucketOf } from "./settings.ts";

/**
 * Makes a bucket as declared. Writes what differs and nothing else, so that it can be done again after any failure. What lets
 * somebody in now is changed before anything that may fail; what lets nobody in is opened once all else is as declared.
 * @returns what there is to say of what could not be done
 */
export async function bring(s3: S3, settings: BucketSettings, live: LiveBucket): Promise<string | undefined> {
  // A user may do anything with a bucket of theirs that has no policy.
  const isUsers = settings.bucketOwner !== undefined && live.owner === settings.bucketOwner;
  const isOpen = isUsers || live.policy !== undefined || !isPrivate(live);
  if (isOpen) await bringAccess(s3, settings, live);
  const note = await bringVersioning(s3, settings, live);
  if (!isOpen) await bringAccess(s3, settings, live);
  return note;
}

/** Whether nothing that is declared of a bucket lets anybody in, as while its member is suspended. */
export function isClosed(settings: BucketSettings): boolean {
  return settings.policy === undefined && settings.bucketOwner === undefined && isPrivate(settings);
}

/** Takes away whatever lets others in. */
export async function close(s3: S3, bucket: string, live: LiveBucket): Promise<void> {
  if (live.policy !== undefined) await s3.deleteBucketPolicy(bucket);
  if (!isPrivate(live)) await s3.putCannedAcl(bucket, "private");
}

async function bringVersioning(s3: S3, settings: BucketSettings, live: LiveBucket): Promise<string | undefined> {
  const { bucketName, versioning } = settings;
  if (live.versioning === versioning) return undefined;
  try {
    await s3.putBucketVersioning(bucketName, versioning ? "Enabled" : "Suspended");
    return undefined;
  } catch (error) {
    // Whoever may lock its objects keeps the server from ever suspending it, and must not stop a run by that.
    if (!(error instanceof S3Failure && hasCode(error, "InvalidBucketState"))) throw error;
    return (
      `${bucketOf(settings)}: its versioning stays as it is, because the server refuses to change it (${error.message}), as it ` +
      "does of a bucket whose objects are locked; set 'versioning: true' if that is meant"
    );
  }
}

async function bringAccess(s3: S3, settings: BucketSettings, live: LiveBucket): Promise<void> {
  const { bucketName, policy } = settings;
  const differs = !samePolicy(live.policy, policy);
  if (differs && policy === undefined) await s3.deleteBucketPolicy(bucketName);
  if (!sameAcl(live, settings)) await bringAcl(s3, settings);
  if (differs && policy !== undefined) await s3.putBucketPolicy(bucketName, policy);
}

async function bringAcl(s3: S3, settings: BucketSettings): Promise<void> {
  const { bucketName, grants } = settings;
  // Where ACLs can't be turned off, there is nothing to turn them on with.
  if (!isPrivate(settings)) await orElse(s3.putBucketOwnershipControls(bucketName), isUnsupported, undefined);
  if (grants === undefined) {
    await s3.putCannedAcl(bucketName, settings.acl ?? defaultAcl);
    return;
  }
  const { owner } = await s3.getBucketAcl(bucketName);
  await s3.putGrants(bucketName, aclWith(owner, grants));
}
