import { inParallel } from "../../cluster/kinds/inParallel.ts";
import { isElsewhere, orElse, S3Failure } from "../s3/s3.ts";
import { belongsTo, type ServerClients } from "./belongs.ts";
import { isGone, liveOwner, tagsOf } from "./live.ts";
import { type OwnBucket, ownBucket } from "./mark.ts";
import { type Count, countObjects } from "./pages.ts";

/** A bucket that this stack no longer declares. */
export interface LeavingBucket {
  readonly bucketName: string;
  readonly member: string;
  readonly reclaimPolicy: "Retain" | "Delete";
  /** Objects to be deleted; undefined if the bucket stays. */
  readonly deletes?: Count;
}

interface Leaving<Bucket = LeavingBucket> {
  readonly buckets: readonly Bucket[];
  /** Buckets that could not be read and may be this stack's, with their errors. */
  readonly unseen: readonly { readonly bucketName: string; readonly error: S3Failure }[];
}

/** Concurrent requests. */
const most = 8;

/** After so many buckets without an answer the others are skipped: each takes minutes to fail. */
const mostSilent = 8;

/** Selects a stack's buckets. */
export interface StackBuckets {
  readonly stack: string;
  /** The administrator's access key. */
  readonly administrator: string;
  /** Names of the declared buckets. */
  readonly declared: readonly string[];
}

/**
 * The stack's buckets on the server that it no longer declares and that a run will release, found by their tags and owner.
 * Empty on a server without tags for buckets.
 */
export async function undeclaredBuckets(asked: ServerClients, of: StackBuckets): Promise<Leaving> {
  return undeclared(asked, of, async (bucketName, { member, reclaimPolicy }) => {
    const bucket = { bucketName, member, reclaimPolicy };
    return reclaimPolicy === "Retain" ? bucket : { ...bucket, deletes: await countObjects(asked.s3, bucketName) };
  });
}

/** A bucket with the contents of its ownership tags. */
export interface Marked extends OwnBucket {
  readonly bucketName: string;
}

/** The same with the resources that the tags name, and without a count of objects. */
export function markedBuckets(asked: ServerClients, of: StackBuckets): Promise<Leaving<Marked>> {
  return undeclared(asked, of, async (bucketName, own) => ({ bucketName, ...own }));
}

async function undeclared<Bucket>(
  asked: ServerClients,
  of: StackBuckets,
  described: (bucketName: string, own: OwnBucket) => Promise<Bucket>,
): Promise<Leaving<Bucket>> {
  const candidates = (await asked.s3.listBuckets()).filter((name) => !of.declared.includes(name));
  const unseen: { bucketName: string; error: S3Failure }[] = [];
  const found = await inParallel(candidates, most, async (bucketName): Promise<Bucket | undefined> => {
    const silent = unseen.filter(({ error }) => error.status === undefined);
    if (silent.length >= mostSilent && silent[0] !== undefined) {
      unseen.push({ bucketName, error: silent[0].error });
      return undefined;
    }
    try {
      const own = await ownOnServer(asked, of, bucketName);
      return own === undefined ? undefined : await described(bucketName, own);
    } catch (error) {
      if (!(error instanceof S3Failure)) throw error;
      unseen.push({ bucketName, error });
      return undefined;
    }
  });
  return { buckets: found.filter((bucket) => bucket !== undefined), unseen };
}

async function ownOnServer(
  asked: ServerClients,
  { stack, administrator }: StackBuckets,
  bucketName: string,
): Promise<OwnBucket | undefined> {
  const { s3 } = asked;
  // This stack could not delete a bucket that it may not read or that is in another region.
  const tags = await orElse(tagsOf(s3, bucketName), isNotOurs, undefined);
  const own = tags === undefined ? undefined : ownBucket(tags, stack);
  if (own === undefined) return undefined;
  const owner = await liveOwner(s3, bucketName);
  return (await belongsTo(owner, asked, { administrator })) === "another's" ? undefined : own;
}

/** listBuckets worked with this region, so that the error concerns this one bucket. */
function isNotOurs(error: unknown): boolean {
  return isGone(error) || isElsewhere(error);
}
