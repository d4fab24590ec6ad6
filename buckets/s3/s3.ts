import type { CannedAcl, Permission } from "../../config/model/bucketAccess.ts";

/** A bucket's tags, by key. */
export type Tags = Readonly<Record<string, string>>;

/** What an ACL lets somebody do. */
export interface Grant {
  /** A canonical user ID (with versitygw: an access key), or a group's URI, which begins with `http`. */
  readonly grantee: string;
  readonly permission: Permission;
}

export interface LiveAcl {
  readonly owner: string;
  readonly grants: readonly Grant[];
}

/** One version of an object; a marker stands for its deletion, and holds no data. */
export interface ObjectVersion {
  readonly key: string;
  readonly versionId?: string;
  readonly lastModified?: Date;
  readonly marker: boolean;
}

/** Where the next page of a listing begins. */
export interface VersionMarker {
  readonly key?: string;
  readonly versionId?: string;
}

export interface VersionPage {
  readonly versions: readonly ObjectVersion[];
  readonly next?: VersionMarker;
}

export interface Upload {
  readonly key: string;
  readonly uploadId: string;
}

/** An object that was not deleted, and why, in the server's words. */
export interface Refusal {
  readonly key: string;
  readonly reason: string;
}

/**
 * The operations of S3 that buckets need, named as S3 names them, so that the rest can be tried without a server. Whatever
 * fails is an `S3Failure`.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
 */
export interface S3 {
  /** The cheapest question whose answer says why not: those to HEAD have no words. */
  getBucketLocation(bucket: string): Promise<void>;
  /** @param acls whether the bucket is to take ACLs, which new buckets don't */
  createBucket(bucket: string, options: { readonly tags: Tags; readonly acls: boolean }): Promise<void>;
  deleteBucket(bucket: string): Promise<void>;
  /** All that the access key sees. */
  listBuckets(): Promise<readonly string[]>;
  /** What the server calls whoever asks, as it does owners of buckets; undefined where it does not say. */
  getCallerId(): Promise<string | undefined>;
  getBucketTagging(bucket: string): Promise<Tags>;
  /** Replaces all tags; none of them are deleted otherwise. */
  putBucketTagging(bucket: string, tags: Tags): Promise<void>;
  getBucketAcl(bucket: string): Promise<LiveAcl>;
  putCannedAcl(bucket: string, acl: CannedAcl): Promise<void>;
  putGrants(bucket: string, acl: LiveAcl): Promise<void>;
  /** Has a bucket take ACLs. */
  putBucketOwnershipControls(bucket: string): Promise<void>;
  getBucketPolicy(bucket: string): Promise<string>;
  putBucketPolicy(bucket: string, policy: string): Promise<void>;
  deleteBucketPolicy(bucket: string): Promise<void>;
  /** Undefined where versioning never was on. */
  getBucketVersioning(bucket: string): Promise<"Enabled" | "Suspended" | undefined>;
  putBucketVersioning(bucket: string, status: "Enabled" | "Suspended"): Promise<void>;
  /** At most 1,000 a page. */
  listObjectVersions(bucket: string, from?: VersionMarker): Promise<VersionPage>;
  /** Likewise, of a bucket without versions. */
  listObjects(bucket: string, from?: VersionMarker): Promise<VersionPage>;
  /** At most 1,000 at once. @returns those that were not deleted */
  deleteObjects(bucket: string, versions: readonly ObjectVersion[]): Promise<readonly Refusal[]>;
  /** The first page of them. */
  listMultipartUploads(bucket: string): Promise<readonly Upload[]>;
  abortMultipartUpload(bucket: string, upload: Upload): Promise<void>;
}

/** What an S3 server answered instead of doing it, or that it did not answer. */
export class S3Failure extends Error {
  /** Such as `PutBucketPolicy`. */
  readonly operation: string;
  /** S3's, such as `NoSuchBucket`, or the system's, such as `ECONNREFUSED`. */
  readonly code: string;
  /** Undefined where nothing was answered. */
  readonly status: number | undefined;

  constructor(operation: string, failed: { code: string; status?: number | undefined; message: string }) {
    super(failed.message);
    this.operation = operation;
    this.code = failed.code;
    this.status = failed.status;
  }
}

/** Whether it failed with one of S3's codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof S3Failure && codes.includes(error.code);
}

/** Whether a bucket is there that belongs to somebody else, or lies in another region. */
export function isOutOfReach(error: unknown): boolean {
  return hasCode(error, "AccessDenied", "AllAccessDisabled", "PermanentRedirect");
}

/** Likewise where the server takes the same key and region for other buckets. */
export function isElsewhere(error: unknown): boolean {
  return isOutOfReach(error) || hasCode(error, "AuthorizationHeaderMalformed", "TemporaryRedirect");
}

/** Whether the server doesn't have this operation at all. */
export function isUnsupported(error: unknown): boolean {
  return (
    error instanceof S3Failure &&
    (error.status === 501 ||
      error.status === 405 ||
      hasCode(error, "NotImplemented", "MethodNotAllowed", "XNotImplemented", "NotSupported", "UnsupportedOperation"))
  );
}

/** What passes, or is the matter with the key or the server rather than with what was asked. */
const passing = [401, 403, 408, 429, 502, 503, 504];
const passingCodes = [
  "SlowDown",
  "TooManyRequests",
  "RequestTimeTooSkewed",
  "RequestExpired",
  "ExpiredToken",
  "InvalidToken",
];

/** Whether the server has failed, or something else is being done with the bucket: another try may do. */
export function isPassing(error: unknown): boolean {
  return (error instanceof S3Failure && error.status === 500) || hasCode(error, "OperationAborted");
}

/** Whether a server that is well refuses this one thing, and will do so again, as it may even where `isPassing`. */
export function isRefusal(error: unknown): boolean {
  const { status } = error instanceof S3Failure ? error : {};
  return status !== undefined && !passing.includes(status) && !hasCode(error, ...passingCodes);
}

/** What a question leads to, or something else where it fails in a way that is an answer too. */
export async function orElse<T, E>(
  asked: Promise<T>,
  is: (error: unknown) => boolean,
  otherwise: E,
): Promise<Awaited<T> | E> {
  try {
    return await asked;
  } catch (error) {
    if (is(error)) return otherwise;
    throw error;
  }
}
