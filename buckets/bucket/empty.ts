import { isRefusal, isUnsupported, type ObjectVersion, orElse, type S3, type VersionMarker } from "../s3/s3.ts";
import { idOf, versionPage } from "./pages.ts";

/** What came of emptying a bucket. */
export interface Emptied {
  /** How many objects are gone. */
  readonly objects: number;
  /** Why something may be left in it, in words. */
  readonly why: string | undefined;
}

export interface Emptying {
  /** Is told how many objects are gone. */
  readonly progress: (objects: number) => void;
  /** Says when to leave it at that, by what is listed: whoever has rights of their own can go on writing. */
  readonly isLate: (listed: readonly ObjectVersion[]) => boolean;
}

/** An object that was asked to be deleted, and is listed all the same. */
interface Tried {
  readonly version: ObjectVersion;
  readonly times: number;
  /** In the server's words. */
  readonly refused?: string | undefined;
}

/** How often a server may list what it says it has deleted. */
const mostStale = 3;

/**
 * Deletes all that is in a bucket: every version of every object, and what was begun to be uploaded. In pages, so that it can
 * be stopped at any time and gone on with. What the server keeps, such as what is under a legal hold, holds up nothing else.
 */
export async function emptyBucket(s3: S3, bucket: string, { progress, isLate }: Emptying): Promise<Emptied> {
  const versioned = (await orElse(s3.getBucketVersioning(bucket), isUnsupported, undefined)) !== undefined;
  let objects = 0;
  let kept: Tried | undefined;
  let from: VersionMarker | undefined;
  let tried: ReadonlyMap<string, Tried> = new Map();
  for (;;) {
    // Always from the same place: what that held is gone the next time.
    const { versions, next } = await versionPage(s3, bucket, from);
    if (versions.length > 0 && isLate(versions)) return { objects, why: "there was no end of what is in it" };
    const listed = new Set(versions.map(idOf));
    const gone = [...tried].filter(([id, { version }]) => !version.marker && !listed.has(id));
    objects += gone.length;
    if (gone.length > 0) progress(objects);
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

/** A bucket that never had versions lists one all the same, named null. */
function named({ versionId, ...rest }: ObjectVersion, versioned: boolean): ObjectVersion {
  return versioned && versionId !== undefined ? { ...rest, versionId } : rest;
}

function keptText({ version: { key }, refused }: Tried): string {
  const why = refused ?? "it says that it is deleted, and lists it all the same";
  return `the server keeps objects in it, such as '${shown(key)}' (${why})`;
}

/** @returns why there may be some left, in words */
async function abortUploads(s3: S3, bucket: string, isLate: Emptying["isLate"]): Promise<string | undefined> {
  const asked = new Set<string>();
  let why: string | undefined;
  for (;;) {
    const uploads = await orElse(s3.listMultipartUploads(bucket), isUnsupported, []);
    const left = uploads.filter(({ uploadId }) => !asked.has(uploadId));
    if (left.length === 0) return why;
    for (const upload of left) {
      if (isLate([])) return "there was no end of what was begun to be uploaded to it";
      asked.add(upload.uploadId);
      const refused = await orElse(s3.abortMultipartUpload(bucket, upload), isRefusal, "refused");
      if (refused === "refused") why ??= `the server does not end the upload of '${shown(upload.key)}' to it`;
    }
  }
}

/** The name of an object, which may have in it what a terminal would take for an order. */
function shown(key: string): string {
  return key.slice(0, 100).replace(/\p{C}/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}
