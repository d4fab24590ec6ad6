import { inParallel } from "../../cluster/kinds/inParallel.ts";
import { isElsewhere, orElse, S3Failure } from "../s3/s3.ts";
import { belongsTo, type ServerClients } from "./belongs.ts";
import { isGone, liveOwner, tagsOf } from "./live.ts";
import { type OwnBucket, ownBucket } from "./mark.ts";
import { type Count, countObjects } from "./pages.ts";

/** A bucket of this stack that it declares no more. */
export interface LeavingBucket {
  readonly bucketName: string;
  readonly member: string;
  readonly reclaimPolicy: "Retain" | "Delete";
  /** What will be deleted; undefined where the bucket stays. */
  readonly deletes?: Count;
}

export interface Leaving<Bucket = LeavingBucket> {
  readonly buckets: readonly Bucket[];
  /** Those that could not be looked at, and may be this stack's, each with what went wrong. */
  readonly unseen: readonly { readonly bucketName: string; readonly error: S3Failure }[];
}

/** Requests at a time. */
const most = 8;

/** So many buckets without an answer, and the others are not asked about any more: each takes minutes to give up. */
const mostSilent = 8;

/** What is looked for. */
export interface StackBuckets {
  readonly stack: string;
  /** The administrator's access key. */
  readonly administrator: string;
  /** Names of the buckets that it declares. */
  readonly declared: readonly string[];
}

/**
 * The stack's buckets on the server, known by their tags and by whose they are, that it declares no more: a run lets go of
 * them. On a server without tags for buckets there are none to be seen.
 */
export async function undeclaredBuckets(asked: ServerClients, of: StackBuckets): Promise<Leaving> {
  return undeclared(asked, of, async (bucketName, { member, reclaimPolicy }) => {
    const bucket = { bucketName, member, reclaimPolicy };
    return reclaimPolicy === "Retain" ? bucket : { ...bucket, deletes: await countObjects(asked.s3, bucketName) };
  });
}

/** A bucket with what its tags say of it. */
export interface Marked extends OwnBucket {
  readonly bucketName: string;
}

/** The same, with what their tags say of the resources that they were, and without a look at what is in them. */
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
  // What may not be looked at, or lies in another region, is nothing that this stack could delete.
  const tags = await orElse(tagsOf(s3, bucketName), isNotOurs, undefined);
  const own = tags === undefined ? undefined : ownBucket(tags, stack);
  if (own === undefined) return undefined;
  const owner = await liveOwner(s3, bucketName);
  return (await belongsTo(owner, asked, { administrator })) === "another's" ? undefined : own;
}

/** The server has listed its buckets with this region: what it is wrong for is one bucket. */
function isNotOurs(error: unknown): boolean {
  return isGone(error) || isElsewhere(error);
}
