import { inParallel } from "../../cluster/inParallel.ts";
import { isOutOfReach, orElse, type S3 } from "../s3/s3.ts";
import { type Count, countObjects } from "./empty.ts";
import { isGone, tagsOf } from "./live.ts";
import { ownBucket } from "./mark.ts";

/** A bucket of this stack that it declares no more. */
export interface LeavingBucket {
  readonly bucketName: string;
  readonly member: string;
  readonly reclaimPolicy: "Retain" | "Delete";
  /** What will be deleted; undefined where the bucket stays. */
  readonly deletes?: Count;
}

/** Requests at a time. */
const most = 8;

/**
 * The stack's buckets on the server, known by their tags, that it declares no more: a run lets go of them. On a server
 * without tags for buckets there are none to be seen.
 */
export async function leavingBuckets(s3: S3, stack: string, declared: readonly string[]): Promise<LeavingBucket[]> {
  const candidates = (await s3.listBuckets()).filter((name) => !declared.includes(name));
  const found = await inParallel(candidates, most, async (bucketName): Promise<LeavingBucket | undefined> => {
    // What may not be looked at is nothing that this stack could delete.
    const tags = await orElse(tagsOf(s3, bucketName), (error) => isGone(error) || isOutOfReach(error), undefined);
    const own = tags === undefined ? undefined : ownBucket(tags, stack);
    if (own === undefined) return undefined;
    if (own.reclaimPolicy === "Retain") return { bucketName, ...own };
    return { bucketName, ...own, deletes: await countObjects(s3, bucketName) };
  });
  return found.filter((bucket) => bucket !== undefined);
}
