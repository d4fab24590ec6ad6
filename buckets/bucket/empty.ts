import type { S3 } from "../s3/awsS3.ts";
import { isRefusal, isUnsupported, orElse } from "../s3/failures.ts";
import type { ObjectVersion, VersionMarker, VersionPage } from "../s3/s3.ts";

interface Emptying {
  readonly progress: (objects: number) => void;
  /** Whether to stop, given the listed versions: whoever has rights of their own can go on writing. */
  readonly isLate: (listed: readonly ObjectVersion[]) => boolean;
}

/** A version that is still listed after its deletion was requested. */
interface Tried {
  readonly version: ObjectVersion;
  readonly times: number;
  readonly refused?: string | undefined;
}

/** Number of times that a server may list a version that it has deleted. */
const mostStale = 3;

/**
 * Deletes all versions of all objects, and aborts all multipart uploads. It works page by page, so that a stopped run can be
 * continued. Objects that the server keeps, such as under a legal hold, don't hold up the others.
 */
export async function emptyBucket(s3: S3, bucket: string, { progress, isLate }: Emptying) {
  const versioned = (await orElse(s3.getBucketVersioning(bucket), isUnsupported, undefined)) !== undefined;
  let objects = 0;
  let kept: Tried | undefined;
  let from: VersionMarker | undefined;
  let tried: ReadonlyMap<string, Tried> = new Map();
  for (;;) {
    // The listing starts at the same marker each time, since the versions there are deleted.
    const { versions, next } = await versionPage(s3, bucket, from);
    if (versions.length > 0 && isLate(versions)) {
      return { objects, why: "it was not empty" };
    }
    const listed = new Set(versions.map(idOf));
    const gone = [...tried].filter(([id, { version }]) => !version.marker && !listed.has(id));
    objects += gone.length;
    if (gone.length > 0) {
      progress(objects);
    }
    const tries = versions.map((version) => tried.get(idOf(version)) ?? { version, times: 0 });
    const left = tries.filter(({ times, refused }) => times < mostStale && refused === undefined);
    if (left.length > 0) {
      const refusals = await s3.deleteObjects(
        bucket,
        left.map(({ version }) => named(version, versioned)),
      );
      const why = new Map(refusals.map(({ key, reason }) => [key, reason]));
      tried = new Map(
        tries.map((each) => [
          idOf(each.version),
          left.includes(each) ? { ...each, times: each.times + 1, refused: why.get(each.version.key) } : each,
        ]),
      );
    } else {
      kept ??= tries[0];
      if (next === undefined) {
        const stuck = await abortUploads(s3, bucket, isLate);
        return { objects, why: kept === undefined ? stuck : keptText(kept) };
      }
      from = next;
      tried = new Map();
    }
  }
}

/** A bucket without versioning lists versions too, with the ID null. */
function named({ versionId, ...rest }: ObjectVersion, versioned: boolean): ObjectVersion {
  return versioned && versionId !== undefined ? { ...rest, versionId } : rest;
}

function keptText({ version: { key }, refused }: Tried): string {
  const why = refused ?? "it says that it is deleted, but still lists it";
  return `the server keeps objects in it, such as '${shown(key)}' (${why})`;
}

async function abortUploads(s3: S3, bucket: string, isLate: Emptying["isLate"]): Promise<string | undefined> {
  const asked = new Set<string>();
  let why: string | undefined;
  for (;;) {
    const uploads = await orElse(s3.listMultipartUploads(bucket), isUnsupported, []);
    const left = uploads.filter(({ uploadId }) => !asked.has(uploadId));
    if (left.length === 0) {
      return why;
    }
    for (const upload of left) {
      if (isLate([])) {
        return "it still had unfinished uploads";
      }
      asked.add(upload.uploadId);
      const refused = await orElse(s3.abortMultipartUpload(bucket, upload), isRefusal, "refused");
      if (refused === "refused") {
        why ??= `the server does not end the upload of '${shown(upload.key)}' to it`;
      }
    }
  }
}

/** An object's name, with control characters escaped for the terminal. */
function shown(key: string): string {
  return key.slice(0, 100).replace(/\p{C}/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/** A page of a bucket's versions; of its objects if the server doesn't support versions or ignores the request for them. */
export async function versionPage(s3: S3, bucket: string, from?: VersionMarker): Promise<VersionPage> {
  const page = await orElse(s3.listObjectVersions(bucket, from), isUnsupported, undefined);
  return page === undefined || (page.versions.length === 0 && from === undefined) ? s3.listObjects(bucket, from) : page;
}

export function idOf({ key, versionId = "" }: ObjectVersion): string {
  return `${versionId} ${key}`;
}
