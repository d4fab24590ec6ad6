import type { S3 } from "../s3/awsS3.ts";
import { hasCode, isOutOfReach, Refused } from "../s3/failures.ts";
import { isPrivate } from "./acl.ts";
import { exists, liveOwner, tagsOf } from "./live.ts";
import { formerly, isFormerly, type Mark, type MarkOwner, markTags, ownerIn, withOwnership } from "./mark.ts";
import { type BucketSettings, belongsTo, bucketOf, type ServerClients } from "./settings.ts";

/** How to begin; a bucket that is taken over comes from a former owner, in words, if one is known. */
type Start = "make" | "go on" | { readonly from: string | undefined };

export interface Creator {
  readonly mark: Mark;
  /** The administrator's access key. */
  readonly administrator: string;
}

/** How a creation will begin. Changes nothing, so that previews can call it. */
export async function startOf(asked: ServerClients, settings: BucketSettings, creator: Creator): Promise<Start> {
  const { s3 } = asked;
  const { bucketName, adopt } = settings;
  const { mark } = creator;
  const who = bucketOf(settings);
  const there = await exists(s3, bucketName).catch((error: unknown) => {
    if (isOutOfReach(error)) {
      const why = "a bucket of that name exists, and the S3 server's access key may not read it";
      throw new Refused(`${who}: ${why}; choose another bucketName, or give the key the rights if it is yours`);
    }
    throw error;
  });
  if (!there) {
    return "make";
  }
  const tags = await tagsOf(s3, bucketName);
  const whose = tags === undefined ? "nobody" : ownerIn(tags, mark, settings);
  if (whose === "mine") {
    return markedStart(asked, settings, creator);
  }
  if (whose !== "nobody") {
    if (adopt && isFormerly(whose)) {
      return { from: `its tags say that it is ${whose.other}` };
    }
    const wayOut =
      "choose another bucketName, or have that stack give it up (reclaimPolicy Retain, then remove it there)";
    throw new Refused(`${who}: it exists already, ${whose.other}; ${withFormer(wayOut, whose)}`);
  }
  if (adopt) {
    return { from: undefined };
  }
  throw new Refused(
    `${who}: it exists already, and this stack has not made it; choose another bucketName, ` +
      "or set 'adopt: true' to take it over with all that is in it",
  );
}

/** For a bucket with this resource's tags, which everybody can write to a bucket of their own. */
async function markedStart(
  { s3, users }: ServerClients,
  settings: BucketSettings,
  { administrator }: Creator,
): Promise<Start> {
  const { bucketName, bucketOwner, adopt } = settings;
  const owner = await liveOwner(s3, bucketName);
  const belongs = await belongsTo(owner, { s3, users }, { administrator, declared: bucketOwner });
  if (belongs === "ours") {
    return "go on";
  }
  if (adopt) {
    return { from: belongs === "unknown" ? undefined : `it belongs to '${owner}' on the server` };
  }
  const who = bucketOf(settings);
  throw new Refused(
    belongs === "unknown"
      ? `${who}: it exists already, with this stack's tags, but its owner can't be checked, since the S3 ` +
          "server does not tell its access key who it is; give the key the right to list its buckets " +
          "(s3:ListAllMyBuckets), or set 'adopt: true' if the bucket is yours"
      : `${who}: it exists already, with this stack's tags, but it belongs to '${owner}' on the server; choose ` +
          "another bucketName, or set 'adopt: true' to take it over with all that is in it",
  );
}

/** Makes a bucket, with its ownership tags from the first moment if the server supports that. */
export async function makeBucket(asked: ServerClients, settings: BucketSettings, creator: Creator): Promise<void> {
  const { s3 } = asked;
  const { mark } = creator;
  const { bucketName } = settings;
  const acls = !isPrivate(settings);
  try {
    await s3.createBucket(bucketName, { tags: markTags(mark, settings), acls });
  } catch (error) {
    // Either a request was repeated because its answer was lost, or another creator was faster: then startOf throws.
    if (hasCode(error, "BucketAlreadyOwnedByYou", "BucketAlreadyExists")) {
      if ((await startOf(asked, settings, creator)) !== "make") {
        return;
      }
    }
    // Most servers don't know tags in this request, which are new.
    if (!hasCode(error, "MalformedXML", "InvalidRequest", "NotImplemented")) {
      throw error;
    }
    await s3.createBucket(bucketName, { tags: {}, acls });
  }
}

export function withFormer(wayOut: string, owner: MarkOwner): string {
  return isFormerly(owner) ? `${wayOut}; ${formerly}` : wayOut;
}

/** Writes the ownership tags if they are missing or differ. @returns a warning if the server has no tags for buckets */
export async function markBucket(s3: S3, settings: BucketSettings, mark: Mark): Promise<string | undefined> {
  const tags = await tagsOf(s3, settings.bucketName);
  if (tags === undefined) {
    return (
      `${bucketOf(settings)}: this S3 server has no tags for buckets, so nothing on it names its owner; ` +
      "if a run is killed while it makes one, the next needs 'adopt: true'"
    );
  }
  const wanted = withOwnership(tags, mark, settings);
  const same = Object.keys({ ...wanted, ...tags }).every((key) => wanted[key] === tags[key]);
  if (!same) {
    await s3.putBucketTagging(settings.bucketName, wanted);
  }
  return undefined;
}
