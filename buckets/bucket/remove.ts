import { Refused } from "../failures.ts";
import { hasCode, type S3 } from "../s3/s3.ts";
import { close } from "./bring.ts";
import { emptyBucket } from "./empty.ts";
import { exists, isGone, liveBucket, tagsOf } from "./live.ts";
import { isFormerly, type Mark, stillOwnedIn, unmarked } from "./mark.ts";
import { type BucketSettings, bucketOf } from "./settings.ts";

/** How often a bucket is emptied that something still writes to. */
const rounds = 3;

/** The way out where a stack has another name than its bucket's tags say. */
const backFirst =
  "if that is this stack by a former name or cluster, put its entry back with 'adopt: true' for one run, and take it out then";

export interface Removal {
  readonly settings: BucketSettings;
  readonly mark: Mark;
  /**
   * Makes the administrator the owner again, and closes the bucket with that.
   * @param owner who owns it now; undefined where the server doesn't say
   */
  readonly takeBack: (owner: string | undefined) => Promise<void>;
  readonly progress: (text: string) => void;
}

/**
 * Lets go of a bucket, as its reclaim policy says. What is not this stack's any more is left alone.
 * @returns what became of it, in words
 */
export async function removeBucket(s3: S3, removal: Removal): Promise<string> {
  const { settings, mark, progress } = removal;
  const { bucketName, reclaimPolicy } = settings;
  const who = bucketOf(settings);
  if (!(await exists(s3, bucketName))) return `${who} is gone already`;
  const tags = await tagsOf(s3, bucketName);
  const owner = tags === undefined ? "mine" : stillOwnedIn(tags, mark, settings);

  if (reclaimPolicy === "Retain") {
    if (owner !== "mine") {
      const left = `${who} is left alone, as open as it is: it is ${owner === "nobody" ? "nobody's" : owner.other} now`;
      return isFormerly(owner) ? `${left}; ${backFirst}` : left;
    }
    // Whoever comes after and has the same name must not find the door open.
    await closeAll(s3, removal);
    if (tags !== undefined) await s3.putBucketTagging(bucketName, unmarked(tags, mark, settings));
    return `${who} stays on the server with all that is in it, closed to all but the server's administrators (reclaimPolicy Retain)`;
  }
  if (owner !== "mine") {
    const whose = owner === "nobody" ? "say nothing of whose it is" : `say that it is ${owner.other}`;
    throw new Refused(
      `${who}: it is not deleted, because its tags ${whose}; ` +
        `delete it yourself, or have Pulumi forget it with 'pulumi state delete'${isFormerly(owner) ? `; ${backFirst}` : ""}`,
    );
  }
  await closeAll(s3, removal);
  const deleted = await emptyAndDelete(s3, settings, progress);
  return `${who} is deleted with ${deleted === 0 ? "no objects" : `${deleted} object${deleted === 1 ? "" : "s"}`} in it`;
}

async function closeAll(s3: S3, { settings, takeBack }: Removal): Promise<void> {
  const { bucketName } = settings;
  await takeBack((await liveBucket(s3, bucketName))?.owner);
  const live = await liveBucket(s3, bucketName);
  if (live !== undefined) await close(s3, bucketName, live);
}

async function emptyAndDelete(s3: S3, settings: BucketSettings, progress: (text: string) => void): Promise<number> {
  const { bucketName } = settings;
  const who = bucketOf(settings);
  let deleted = 0;
  for (let round = 1; ; round++) {
    const before = deleted;
    deleted += await emptyBucket(s3, settings, (count) => progress(`${who}: ${before + count} objects deleted`));
    try {
      await s3.deleteBucket(bucketName);
      return deleted;
    } catch (error) {
      if (isGone(error)) return deleted;
      if (!hasCode(error, "BucketNotEmpty", "VersionedBucketNotEmpty")) throw error;
      if (round === rounds) {
        throw new Refused(
          `${who}: something keeps writing to it; stop what does, then run again, which goes on from here`,
        );
      }
    }
  }
}
