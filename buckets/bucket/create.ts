import { Refused } from "../failures.ts";
import { hasCode, isOutOfReach, type S3 } from "../s3/s3.ts";
import { isPrivate } from "./acl.ts";
import { exists, tagsOf } from "./live.ts";
import { formerly, isFormerly, type Mark, marked, markTags, ownerIn, stillOwnedIn, type Whose } from "./mark.ts";
import { type BucketSettings, bucketOf } from "./settings.ts";

/** How a new bucket is come by: made, or there already and ours to go on with. */
export type Start =
  | "make"
  | "go on"
  /** @param from whose it was, in words; undefined for nobody's */
  | { readonly adopt: true; readonly from: string | undefined };

/**
 * What a creation will begin with. Asks, and changes nothing, so that previews can do it too.
 * @throws if there is a bucket of that name that is not for this stack to have
 */
export async function startOf(s3: S3, settings: BucketSettings, mark: Mark): Promise<Start> {
  const { bucketName, adopt } = settings;
  const who = bucketOf(settings);
  const there = await exists(s3, bucketName).catch((error: unknown) => {
    if (isOutOfReach(error)) {
      const why = "there is a bucket of that name that the S3 server's access key may not look at";
      throw new Refused(`${who}: ${why}; take another bucketName, or give the key the rights if it is yours`);
    }
    throw error;
  });
  if (!there) return "make";
  const tags = await tagsOf(s3, bucketName);
  const owner = tags === undefined ? "nobody" : ownerIn(tags, mark, settings);
  if (owner === "mine") return "go on";
  if (owner !== "nobody") {
    if (adopt && isFormerly(owner)) return { adopt, from: owner.other };
    const wayOut =
      "take another bucketName, or have that stack give it up (reclaimPolicy Retain, then remove it there)";
    throw new Refused(`${who}: there is one already, ${owner.other}; ${withFormer(wayOut, owner)}`);
  }
  if (adopt) return { adopt, from: undefined };
  throw new Refused(
    `${who}: there is one already that this stack has not made; take another bucketName, ` +
      "or set 'adopt: true' to take it over with all that is in it",
  );
}

/** Makes a bucket that bears its mark from the first moment, where the server can do that. */
export async function makeBucket(s3: S3, settings: BucketSettings, mark: Mark): Promise<void> {
  const { bucketName } = settings;
  const acls = !isPrivate(settings);
  try {
    await s3.createBucket(bucketName, { tags: markTags(mark, settings), acls });
  } catch (error) {
    // A request whose answer got lost was sent again; or somebody was quicker, and then that is what there is to say.
    if (hasCode(error, "BucketAlreadyOwnedByYou", "BucketAlreadyExists")) {
      if ((await startOf(s3, settings, mark)) !== "make") return;
    }
    // Tags in this request are newer than most servers.
    if (!hasCode(error, "MalformedXML", "InvalidRequest", "NotImplemented")) throw error;
    await s3.createBucket(bucketName, { tags: {}, acls });
  }
}

/**
 * Makes sure that a bucket which is to be changed is this stack's.
 * @returns whose it was, in words, where it is taken over from another stack
 * @throws if it is not this stack's any more: somebody may have made another of that name
 */
export async function stillOurs(s3: S3, settings: BucketSettings, mark: Mark): Promise<string | undefined> {
  const tags = await tagsOf(s3, settings.bucketName);
  const owner = tags === undefined ? "mine" : stillOwnedIn(tags, mark, settings);
  if (owner === "mine" || (owner === "nobody" && settings.adopt)) return undefined;
  if (settings.adopt && isFormerly(owner)) return owner.other;
  const who = bucketOf(settings);
  throw new Refused(
    owner === "nobody"
      ? `${who}: its tags don't say any more that it is this stack's; set 'adopt: true' to take it over again`
      : `${who}: it is ${owner.other} now; ${withFormer("take another bucketName, or have that stack give it up", owner)}`,
  );
}

function withFormer(wayOut: string, owner: Whose): string {
  return isFormerly(owner) ? `${wayOut}; ${formerly}` : wayOut;
}

/**
 * Writes the mark where it is missing or says something else.
 * @returns what there is to say of a server where that can't be done
 */
export async function markBucket(s3: S3, settings: BucketSettings, mark: Mark): Promise<string | undefined> {
  const tags = await tagsOf(s3, settings.bucketName);
  if (tags === undefined) {
    return (
      `${bucketOf(settings)}: this S3 server has no tags for buckets, so nothing on it says whose it is; ` +
      "if a run is killed while it makes one, the next needs 'adopt: true'"
    );
  }
  const wanted = marked(tags, mark, settings);
  const same = Object.keys({ ...wanted, ...tags }).every((key) => wanted[key] === tags[key]);
  if (!same) await s3.putBucketTagging(settings.bucketName, wanted);
  return undefined;
}
