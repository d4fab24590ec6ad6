import { Refused } from "../failures.ts";
import { isUnsupported, orElse, type S3, type VersionMarker, type VersionPage } from "../s3/s3.ts";
import { isGone } from "./live.ts";
import { type BucketSettings, bucketOf } from "./settings.ts";

export interface Count {
  readonly objects: number;
  /** There are more than were counted. */
  readonly more: boolean;
}

/** How often a server may list what it says it has deleted. */
const mostStale = 3;

/** Beyond this, a count would hold up a preview for minutes. */
const mostPages = 100;

/** How many objects a bucket holds, each version counted; zero if it is gone. */
export async function countObjects(s3: S3, bucket: string): Promise<Count> {
  let objects = 0;
  let from: VersionMarker | undefined;
  let before = new Set<string>();
  for (let page = 0; page < mostPages; page++) {
    const { versions, next }: VersionPage = await orElse(s3.listObjectVersions(bucket, from), isGone, { versions: [] });
    const ids = versions.filter(({ marker }) => !marker).map(({ key, versionId = "" }) => `${versionId} ${key}`);
    // versitygw's pages begin with what the last one ended with.
    objects += ids.filter((id) => !before.has(id)).length;
    before = new Set(ids);
    if (next === undefined) return { objects, more: false };
    from = next;
  }
  return { objects, more: true };
}

/**
 * Deletes all that is in a bucket: every version of every object, and what was begun to be uploaded. In pages, so that it
 * can be stopped at any time and gone on with.
 * @param progress is told how many objects are gone
 * @returns how many there were
 * @throws if the server keeps an object, as those under a legal hold
 */
export async function emptyBucket(
  s3: S3,
  settings: BucketSettings,
  progress: (deleted: number) => void,
): Promise<number> {
  const { bucketName } = settings;
  const versioned = (await orElse(s3.getBucketVersioning(bucketName), isUnsupported, undefined)) !== undefined;
  let deleted = 0;
  let seen = "";
  for (let stale = 0; ; ) {
    // Always the first page: what it held is gone the next time.
    const { versions } = await s3.listObjectVersions(bucketName);
    if (versions.length === 0) break;
    const first = JSON.stringify(versions[0]);
    stale = first === seen ? stale + 1 : 0;
    seen = first;
    if (stale === mostStale) {
      throw new Refused(
        `${bucketOf(settings)}: the server says that '${versions[0]?.key}' is deleted, and lists it all the same; ` +
          "see to it that it goes, then run again, which goes on from here",
      );
    }
    // A bucket that never had versions lists one all the same, named null.
    const named = versions.map(({ versionId, ...rest }) =>
      versioned && versionId !== undefined ? { ...rest, versionId } : rest,
    );
    const refusals = await s3.deleteObjects(bucketName, named);
    const [refusal] = refusals;
    if (refusal !== undefined) {
      throw new Refused(
        `${bucketOf(settings)}: the server keeps ${refusals.length} of its objects, such as '${refusal.key}' ` +
          `(${refusal.reason}); end what holds them and run again, or set reclaimPolicy to Retain`,
      );
    }
    deleted += versions.filter(({ marker }) => !marker).length;
    progress(deleted);
  }
  for (;;) {
    const uploads = await s3.listMultipartUploads(bucketName);
    if (uploads.length === 0) return deleted;
    for (const upload of uploads) await s3.abortMultipartUpload(bucketName, upload);
  }
}
