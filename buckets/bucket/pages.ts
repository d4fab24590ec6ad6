import { isUnsupported, type ObjectVersion, orElse, type S3, type VersionMarker, type VersionPage } from "../s3/s3.ts";
import { isGone } from "./live.ts";

export interface Count {
  readonly objects: number;
  /** Whether there are more than were counted. */
  readonly more: boolean;
}

/** More pages would hold up a preview for minutes. */
const mostPages = 100;

/** A page of a bucket's versions; of its objects if the server doesn't support versions or ignores the request for them. */
export async function versionPage(s3: S3, bucket: string, from?: VersionMarker): Promise<VersionPage> {
  const page = await orElse(s3.listObjectVersions(bucket, from), isUnsupported, undefined);
  return page === undefined || (page.versions.length === 0 && from === undefined) ? s3.listObjects(bucket, from) : page;
}

/** Unique within a bucket. */
export function idOf({ key, versionId = "" }: ObjectVersion): string {
  return `${versionId} ${key}`;
}

/** Number of object versions in a bucket; zero if it is gone. */
export async function countObjects(s3: S3, bucket: string): Promise<Count> {
  let objects = 0;
  let from: VersionMarker | undefined;
  let before = new Set<string>();
  for (let page = 0; page < mostPages; page++) {
    const { versions, next }: VersionPage = await orElse(versionPage(s3, bucket, from), isGone, { versions: [] });
    const ids = versions.filter(({ marker }) => !marker).map(idOf);
    // A page of versitygw repeats the end of the last one.
    objects += ids.filter((id) => !before.has(id)).length;
    before = new Set(ids);
    if (next === undefined) return { objects, more: false };
    from = next;
  }
  return { objects, more: true };
}
