import type { CannedAcl, Permission } from "../../config/storage/buckets.ts";

export type Tags = Readonly<Record<string, string>>;

export interface Grant {
  /** A canonical user ID (with versitygw: an access key), or a group's URI, which begins with `http`. */
  readonly grantee: string;
  readonly permission: Permission;
}

export interface LiveAcl {
  readonly owner: string;
  readonly grants: readonly Grant[];
}

export interface ObjectVersion {
  readonly key: string;
  readonly versionId?: string;
  readonly lastModified?: Date;
  readonly marker: boolean;
}

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

export interface KeptObject {
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
  /** The objects of a bucket without versions, at most 1,000 a page. */
  listObjects(bucket: string, from?: VersionMarker): Promise<VersionPage>;
  /** At most 1,000 at once. @returns those that were not deleted */
  deleteObjects(bucket: string, versions: readonly ObjectVersion[]): Promise<readonly KeptObject[]>;
  /** The first page. */
  listMultipartUploads(bucket: string): Promise<readonly Upload[]>;
  abortMultipartUpload(bucket: string, upload: Upload): Promise<void>;
}

export interface S3User {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The server's name of the role. kubecamp's users may do only what policies and ACLs allow. */
  readonly role: string;
}

/** A server's API for users. Every error is an `S3Failure`. */
export interface UserAdmin {
  readonly role: string;
  readonly adminRole: string;
  /** Undefined if the server says that there is none. */
  find(accessKeyId: string): Promise<S3User | undefined>;
  keysBeginning(prefix: string): Promise<readonly string[]>;
  put(user: S3User): Promise<void>;
  /** A missing user is no error. */
  remove(accessKeyId: string): Promise<void>;
  /** Makes a user the owner of a bucket, which deletes its ACL and policy. */
  giveBucket(bucket: string, accessKeyId: string): Promise<void>;
}
