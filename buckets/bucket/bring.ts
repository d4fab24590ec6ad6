import { defaultAcl } from "../../config/model/settings/defaults.ts";
import { samePolicy } from "../../config/rules/buckets/bucketPolicy.ts";
import { hasCode, isUnsupported, orElse, type S3, S3Failure } from "../s3/s3.ts";
import { aclWith, isPrivate, sameAcl } from "./acl.ts";
import { type LiveBucket, liveBucket } from "./live.ts";
import type { ServerClients } from "./owner.ts";
import { type BucketSettings, bucketOf } from "./settings.ts";

/**
 * Brings a bucket to its settings. Writes only differences, so that it can be repeated after any failure. The access of an
 * open bucket is changed before anything that may fail; a closed one is opened last.
 * @returns a warning about a setting that the server refuses to change
 */
export async function bring(s3: S3, settings: BucketSettings, live: LiveBucket): Promise<string | undefined> {
  // A user may do everything with an own bucket that has no policy.
  const isUsers = settings.bucketOwner !== undefined && live.owner === settings.bucketOwner;
  const isOpen = isUsers || live.policy !== undefined || !isPrivate(live);
  if (isOpen) await bringAccess(s3, settings, live);
  const note = await bringVersioning(s3, settings, live);
  if (!isOpen) await bringAccess(s3, settings, live);
  return note;
}

/** Whether the settings give nobody access, as while the member is suspended. */
export function isClosed(settings: BucketSettings): boolean {
  return settings.policy === undefined && settings.bucketOwner === undefined && isPrivate(settings);
}

/**
 * Removes the access of all but the owner.
 * @param owner the new owner; undefined if the owner stays
 */
export async function closeTo({ s3, users }: ServerClients, bucket: string, owner: string | undefined): Promise<void> {
  if (owner !== undefined) await users?.giveBucket(bucket, owner);
  const live = await liveBucket(s3, bucket);
  if (live?.policy !== undefined) await s3.deleteBucketPolicy(bucket);
  if (live !== undefined && !isPrivate(live)) await s3.putCannedAcl(bucket, "private");
}

async function bringVersioning(s3: S3, settings: BucketSettings, live: LiveBucket): Promise<string | undefined> {
  const { bucketName, versioning } = settings;
  if (live.versioning === versioning) return undefined;
  try {
    await s3.putBucketVersioning(bucketName, versioning ? "Enabled" : "Suspended");
    return undefined;
  } catch (error) {
    // A member who locks objects can prevent the suspension for ever, and must not stop the run by that.
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
  // On a server without this operation, ACLs are always on.
  if (!isPrivate(settings)) await orElse(s3.putBucketOwnershipControls(bucketName), isUnsupported, undefined);
  if (grants === undefined) {
    await s3.putCannedAcl(bucketName, settings.acl ?? defaultAcl);
    return;
  }
  const { owner } = await s3.getBucketAcl(bucketName);
  await s3.putGrants(bucketName, aclWith(owner, grants));
}
