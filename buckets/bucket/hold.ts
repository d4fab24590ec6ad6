import { principalsIn, samePolicy } from "../../config/storage/bucketPolicy.ts";
import { defaultAcl } from "../../config/storage/buckets.ts";
import type { S3 } from "../s3/awsS3.ts";
import { isMadeKey } from "../s3/credentials.ts";
import { hasCode, isUnsupported, orElse, S3Failure } from "../s3/failures.ts";
import type { Tags } from "../s3/s3.ts";
import { aclWith, isPrivate, sameAcl } from "./acl.ts";
import type { Creator } from "./create.ts";
import { isTaken, type LiveBucket, liveBucket, tagsOf, taken } from "./live.ts";
import { isFormerly, type MarkOwner, stillOwnedIn } from "./mark.ts";
import { type BucketSettings, belongsTo, bucketOf, type ServerClients } from "./settings.ts";

/** State of a bucket that is in Pulumi's state; `why` says in words why it is not ours. */
export type Hold =
  | { readonly is: "gone" }
  /** Deleted, and made again by somebody else, out of the administrator's reach. */
  | { readonly is: "taken"; readonly why: string }
  /** Deleted, and made again by somebody else on the server. */
  | { readonly is: "another's"; readonly owner: string; readonly why: string }
  /** Its tags name another stack, truly or because somebody wrote them. */
  | { readonly is: "claimed"; readonly live: LiveBucket; readonly by: Exclude<MarkOwner, string>; readonly why: string }
  | {
      readonly is: "ours";
      readonly live: LiveBucket;
      readonly tags: Tags | undefined;
      /** Whether its tags say so. Whoever may write tags can remove them. */
      readonly isMarked: boolean;
      /** Whether the server confirms the owner, or reports none. */
      readonly isKnown: boolean;
      readonly note?: string;
    };

/**
 * Inspects a bucket without changing it.
 * @param settings as declared; an owner found by a refresh is no proof that the bucket is ours
 */
export async function holdOf(asked: ServerClients, settings: BucketSettings, holder: Creator): Promise<Hold> {
  try {
    return await found(asked, settings, holder);
  } catch (error) {
    if (await isTaken(asked.s3, settings.bucketName, error)) {
      return { is: "taken", why: taken };
    }
    throw error;
  }
}

async function found(asked: ServerClients, settings: BucketSettings, holder: Creator): Promise<Hold> {
  const { bucketName, bucketOwner, adopt } = settings;
  const { mark, administrator } = holder;
  const who = bucketOf(settings);
  const live = await liveBucket(asked.s3, bucketName);
  if (live === undefined) {
    return { is: "gone" };
  }
  const { owner = "" } = live;
  const belongs = await belongsTo(live.owner, asked, { administrator, declared: bucketOwner });
  const isAnothers = belongs === "another's";
  const theirs = `it belongs to '${owner}' on the server`;
  if (isAnothers && !adopt) {
    return { is: "another's", owner, why: theirs };
  }
  const isKnown = belongs !== "unknown";
  const tags = await tagsOf(asked.s3, bucketName);
  const whose = tags === undefined ? "mine" : stillOwnedIn(tags, mark, settings);
  const ours = { is: "ours", live, tags, isKnown } as const;
  const takenOver = (why: string) => `${who} is taken over: ${why} (adopt)`;
  if (typeof whose === "object") {
    const why = `its tags say that it is ${whose.other}`;
    return adopt && isFormerly(whose)
      ? { ...ours, isMarked: true, note: takenOver(why) }
      : { is: "claimed", live, by: whose, why };
  }
  const isMarked = whose === "mine";
  if (isAnothers) {
    return { ...ours, isMarked, note: takenOver(theirs) };
  }
  const note = `${who}: it does not have this stack's tags; they are restored`;
  return { ...ours, isMarked, ...(isMarked || adopt ? {} : { note }) };
}

/** Whether a bucket with another stack's tags was taken over by it, and lets others in. In doubt, it was not. */
export function isTakenOver(last: BucketSettings, { owner, policy }: LiveBucket): boolean {
  const isUsers = owner !== undefined && isMadeKey(owner);
  if (last.bucketOwner !== undefined) {
    return isUsers && owner !== last.bucketOwner;
  }
  if (last.policy === undefined || policy === undefined) {
    return isUsers;
  }
  const before = principalsIn(last.policy);
  return !samePolicy(policy, last.policy) && ![...principalsIn(policy)].some((each) => before.has(each));
}

export const othersLetIn = "it gives access to others than this stack has declared";

/**
 * Brings a bucket to its settings. Writes only differences, so that it can be repeated after any failure. The access of an
 * open bucket is changed before anything that may fail; a closed one is opened last.
 * @returns a warning about a setting that the server refuses to change
 */
export async function bring(s3: S3, settings: BucketSettings, live: LiveBucket): Promise<string | undefined> {
  // A user may do everything with an own bucket that has no policy.
  const isUsers = settings.bucketOwner !== undefined && live.owner === settings.bucketOwner;
  const isOpen = isUsers || live.policy !== undefined || !isPrivate(live);
  if (isOpen) {
    await bringAccess(s3, settings, live);
  }
  const note = await bringVersioning(s3, settings, live);
  if (!isOpen) {
    await bringAccess(s3, settings, live);
  }
  return note;
}

/** Whether the settings give nobody access, as while the member is suspended. */
export function isClosed(settings: BucketSettings): boolean {
  return settings.policy === undefined && settings.bucketOwner === undefined && isPrivate(settings);
}

/** Removes the access of all but the owner. @param owner the new owner; undefined if the owner stays */
export async function closeTo({ s3, users }: ServerClients, bucket: string, owner: string | undefined): Promise<void> {
  if (owner !== undefined) {
    await users?.giveBucket(bucket, owner);
  }
  const live = await liveBucket(s3, bucket);
  if (live?.policy !== undefined) {
    await s3.deleteBucketPolicy(bucket);
  }
  if (live !== undefined && !isPrivate(live)) {
    await s3.putCannedAcl(bucket, "private");
  }
}

async function bringVersioning(s3: S3, settings: BucketSettings, live: LiveBucket): Promise<string | undefined> {
  const { bucketName, versioning } = settings;
  if (live.versioning === versioning) {
    return undefined;
  }
  try {
    await s3.putBucketVersioning(bucketName, versioning ? "Enabled" : "Suspended");
    return undefined;
  } catch (error) {
    // A member who locks objects can prevent the suspension for ever, and must not stop the run by that.
    if (!(error instanceof S3Failure && hasCode(error, "InvalidBucketState"))) {
      throw error;
    }
    return (
      `${bucketOf(settings)}: its versioning stays as it is, because the server refuses to change it (${error.message}), as it ` +
      "does of a bucket whose objects are locked; set 'versioning: true' if that is meant"
    );
  }
}

async function bringAccess(s3: S3, settings: BucketSettings, live: LiveBucket): Promise<void> {
  const { bucketName, policy } = settings;
  const differs = !samePolicy(live.policy, policy);
  if (differs && policy === undefined) {
    await s3.deleteBucketPolicy(bucketName);
  }
  if (!sameAcl(live, settings)) {
    await bringAcl(s3, settings);
  }
  if (differs && policy !== undefined) {
    await s3.putBucketPolicy(bucketName, policy);
  }
}

async function bringAcl(s3: S3, settings: BucketSettings): Promise<void> {
  const { bucketName, grants } = settings;
  // On a server without this operation, ACLs are always on.
  if (!isPrivate(settings)) {
    await orElse(s3.putBucketOwnershipControls(bucketName), isUnsupported, undefined);
  }
  if (grants === undefined) {
    await s3.putCannedAcl(bucketName, settings.acl ?? defaultAcl);
    return;
  }
  const { owner } = await s3.getBucketAcl(bucketName);
  await s3.putGrants(bucketName, aclWith(owner, grants));
}
