import type { CannedAcl, Permission } from "../../config/storage/buckets.ts";

export type Tags = Readonly<Record<string, string>>;

/** A permission that an ACL gives to a user or group. */
export interface Grant {
  /** A canonical user ID (with versitygw: an access key), or a group's URI, which begins with `http`. */
  readonly grantee: string;
  readonly permission: Permission;
}

export interface LiveAcl {
  readonly owner: string;
  readonly grants: readonly Grant[];
}

/** A version of an object; a delete marker has no data. */
export interface ObjectVersion {
  readonly key: string;
  readonly versionId?: string;
  readonly lastModified?: Date;
  readonly marker: boolean;
}

/** Start of the next page of a listing. */
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

/** An object that was not deleted, and the server's reason. */
export interface Refusal {
  readonly key: string;
  readonly reason: string;
}

/**
 * The S3 operations that buckets need, under S3's names; tests replace them. Every error is an `S3Failure`.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
 */
export interface S3 {
  /** The cheapest request with an error code in its answer: answers to HEAD have none. */
  getBucketLocation(bucket: string): Promise<void>;
  /** @param acls whether to enable ACLs, which are off by default in new buckets */
  createBucket(bucket: string, options: { readonly tags: Tags; readonly acls: boolean }): Promise<void>;
  deleteBucket(bucket: string): Promise<void>;
  /** All buckets that the access key can see. */
  listBuckets(): Promise<readonly string[]>;
  /** The caller's name in the form of bucket owners; undefined if the server doesn't report it. */
  getCallerId(): Promise<string | undefined>;
  getBucketTagging(bucket: string): Promise<Tags>;
  /** Replaces all tags. */
  putBucketTagging(bucket: string, tags: Tags): Promise<void>;
  getBucketAcl(bucket: string): Promise<LiveAcl>;
  putCannedAcl(bucket: string, acl: CannedAcl): Promise<void>;
  putGrants(bucket: string, acl: LiveAcl): Promise<void>;
  /** Enables ACLs. */
  putBucketOwnershipControls(bucket: string): Promise<void>;
  getBucketPolicy(bucket: string): Promise<string>;
  putBucketPolicy(bucket: string, policy: string): Promise<void>;
  deleteBucketPolicy(bucket: string): Promise<void>;
  /** Undefined if versioning was never on. */
  getBucketVersioning(bucket: string): Promise<"Enabled" | "Suspended" | undefined>;
  putBucketVersioning(bucket: string, status: "Enabled" | "Suspended"): Promise<void>;
  /** At most 1,000 a page. */
  listObjectVersions(bucket: string, from?: VersionMarker): Promise<VersionPage>;
  /** The same for a bucket without versions. */
  listObjects(bucket: string, from?: VersionMarker): Promise<VersionPage>;
  /** At most 1,000 at once. @returns those that were not deleted */
  deleteObjects(bucket: string, versions: readonly ObjectVersion[]): Promise<readonly Refusal[]>;
  /** The first page. */
  listMultipartUploads(bucket: string): Promise<readonly Upload[]>;
  abortMultipartUpload(bucket: string, upload: Upload): Promise<void>;
}

/** An error answer of an S3 server, or no answer. */
export class S3Failure extends Error {
  /** The operation, such as `PutBucketPolicy`. */
  readonly operation: string;
  /** S3's error code, such as `NoSuchBucket`, or the system's, such as `ECONNREFUSED`. */
  readonly code: string;
  /** HTTP status; undefined without an answer. */
  readonly status: number | undefined;

  constructor(operation: string, failed: { code: string; status?: number | undefined; message: string }) {
    super(failed.message);
    this.operation = operation;
    this.code = failed.code;
    this.status = failed.status;
  }
}

/** Whether it failed with one of these S3 error codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof S3Failure && codes.includes(error.code);
}

/** Whether the bucket exists but belongs to somebody else or is in another region. */
export function isOutOfReach(error: unknown): boolean {
  return hasCode(error, "AccessDenied", "AllAccessDisabled", "PermanentRedirect");
}

/** The same if the server accepts this key and region for other buckets. */
export function isElsewhere(error: unknown): boolean {
  return isOutOfReach(error) || hasCode(error, "AuthorizationHeaderMalformed", "TemporaryRedirect");
}

/** Whether the server doesn't support this operation. */
export function isUnsupported(error: unknown): boolean {
  return (
    error instanceof S3Failure &&
    (error.status === 501 ||
      error.status === 405 ||
      hasCode(error, "NotImplemented", "MethodNotAllowed", "XNotImplemented", "NotSupported", "UnsupportedOperation"))
  );
}

/** Failures that pass, or that concern the key or the server rather than this request. */
const passing = [401, 403, 408, 429, 502, 503, 504];
const passingCodes = [
  "SlowDown",
  "TooManyRequests",
  "RequestTimeTooSkewed",
  "RequestExpired",
  "ExpiredToken",
  "InvalidToken",
];

/** Whether the server failed or the bucket is busy: another attempt may succeed. */
export function isPassing(error: unknown): boolean {
  return (error instanceof S3Failure && error.status === 500) || hasCode(error, "OperationAborted");
}

/** Whether a working server refuses this one request and will do so again; may be true even if `isPassing` is. */
export function isRefusal(error: unknown): boolean {
  const { status } = error instanceof S3Failure ? error : {};
  return status !== undefined && !passing.includes(status) && !hasCode(error, ...passingCodes);
}

/** Result of a request, or another value if it fails in a way that is an answer too. */
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

/** A user of an S3 server, with their one key. */
export interface S3User {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The server's name of the role. kubecamp's users may do only what policies and ACLs allow. */
  readonly role: string;
}

/** A server's API for users. Every error is an `S3Failure`. */
export interface UserAdmin {
  /** Role of kubecamp's users. */
  readonly role: string;
  /** Role of administrators. */
  readonly adminRole: string;
  /** Undefined if the server says that there is none. */
  find(accessKeyId: string): Promise<S3User | undefined>;
  /** The access keys with this prefix, sorted. */
  keysBeginning(prefix: string): Promise<readonly string[]>;
  /** Creates or updates the user. */
  put(user: S3User): Promise<void>;
  /** A missing user is no error. */
  remove(accessKeyId: string): Promise<void>;
  /** Makes a user the owner of a bucket, which deletes its ACL and policy. */
  giveBucket(bucket: string, accessKeyId: string): Promise<void>;
}
