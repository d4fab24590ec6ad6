import { isUnsupported, type ObjectVersion, orElse, type S3, type VersionMarker, type VersionPage } from "../s3/s3.ts";
import { isGone } from "./live.ts";

export interface Count {
  readonly objects: number;
  /** There are more than were counted. */
  readonly more: boolean;
}

/** Beyond this, a count would hold up a preview for minutes. */
const mostPages = 100;

/**
 * A page of all that is in a bucket. Where a server knows of no versions, or leaves the question out of account, those are its
 * objects.
 */
export async function versionPage(s3: S3, bucket: string, from?: VersionMarker): Promise<VersionPage> {
  const page = await orElse(s3.listObjectVersions(bucket, from), isUnsupported, undefined);
  return page === undefined || (page.versions.length === 0 && from === undefined) ? s3.listObjects(bucket, from) : page;
}

/** What tells one version of an object from all others of a bucket. */
export function idOf({ key, versionId = "" }: ObjectVersion): string {
  return `${versionId} ${key}`;
}

/** How many objects a bucket holds, each version counted; zero if it is gone. */
export async function countObjects(s3: S3, bucket: string): Promise<Count> {
  let objects = 0;
  let from: VersionMarker | undefined;
  let before = new Set<string>();
  for (let page = 0; page < mostPages; page++) {
    const { versions, next }: VersionPage = await orElse(versionPage(s3, bucket, from), isGone, { versions: [] });
    const ids = versions.filter(({ marker }) => !marker).map(idOf);
    // versitygw's pages begin with what the last one ended with.
    objects += ids.filter((id) => !before.has(id)).length;
    before = new Set(ids);
    if (next === undefined) return { objects, more: false };
    from = next;
  }
  return { objects, more: true };
}
