import { inParallel } from "../../cluster/inParallel.ts";
import type { S3 } from "../s3/awsS3.ts";
import { isElsewhere, orElse, S3Failure } from "../s3/failures.ts";
import type { VersionMarker, VersionPage } from "../s3/s3.ts";
import { idOf, versionPage } from "./empty.ts";
import { isGone, liveOwner, tagsOf } from "./live.ts";
import { type OwnBucket, ownBucket } from "./mark.ts";
import { belongsTo, type ServerClients } from "./settings.ts";

interface Count {
  readonly objects: number;
  /** Whether there are more than were counted. */
  readonly more: boolean;
}

export interface LeavingBucket extends OwnBucket {
  readonly bucketName: string;
  /** Objects to be deleted; undefined if the bucket stays, or if they were not counted. */
  readonly deletes?: Count;
}

/** More pages would hold up a preview for minutes. */
const mostPages = 100;

const most = 8;

interface StackBuckets {
  readonly stack: string;
  readonly administrator: string;
  readonly declared: readonly string[];
  readonly counts?: boolean;
}

/** The stack's buckets that it no longer declares, by their tags and owner. None on a server without tags. */
export async function undeclaredBuckets(asked: ServerClients, of: StackBuckets) {
  const candidates = (await asked.s3.listBuckets()).filter((name) => !of.declared.includes(name));
  // The server does not let them read, and they may be this stack's.
  const unseen: { bucketName: string; error: S3Failure }[] = [];
  const found = await inParallel(candidates, most, async (bucketName): Promise<LeavingBucket | undefined> => {
    try {
      const own = await ownOnServer(asked, of, bucketName);
      const counted = of.counts !== false && own?.reclaimPolicy === "Delete";
      const deletes = counted ? { deletes: await countObjects(asked.s3, bucketName) } : {};
      return own && { bucketName, ...own, ...deletes };
    } catch (error) {
      // A server that does not answer takes minutes to fail, for each bucket anew.
      if (!(error instanceof S3Failure) || error.status === undefined) {
        throw error;
      }
      unseen.push({ bucketName, error });
      return undefined;
    }
  });
  return { buckets: found.filter((bucket) => bucket !== undefined), unseen };
}

async function ownOnServer(asked: ServerClients, { stack, administrator }: StackBuckets, bucketName: string) {
  const { s3 } = asked;
  // This stack can't delete a bucket that it may not read or that is in another region.
  // listBuckets worked with this region, so that the error concerns this one bucket.
  const tags = await orElse(tagsOf(s3, bucketName), (error) => isGone(error) || isElsewhere(error), undefined);
  const own = tags === undefined ? undefined : ownBucket(tags, stack);
  if (own === undefined) {
    return undefined;
  }
  const owner = await liveOwner(s3, bucketName);
  return (await belongsTo(owner, asked, { administrator })) === "another's" ? undefined : own;
}

async function countObjects(s3: S3, bucket: string): Promise<Count> {
  let objects = 0;
  let from: VersionMarker | undefined;
  let before = new Set<string>();
  for (let page = 0; page < mostPages; page++) {
    const { versions, next }: VersionPage = await orElse(versionPage(s3, bucket, from), isGone, { versions: [] });
    const ids = versions.filter(({ marker }) => !marker).map(idOf);
    // A page of versitygw repeats the end of the last one.
    objects += ids.filter((id) => !before.has(id)).length;
    before = new Set(ids);
    if (next === undefined) {
      return { objects, more: false };
    }
    from = next;
  }
  return { objects, more: true };
}
