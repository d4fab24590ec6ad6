import { declaredAcl } from "../../../buckets/bucket/acl.ts";
import type { S3 } from "../../../buckets/s3/awsS3.ts";
import { S3Failure } from "../../../buckets/s3/failures.ts";
import type { LiveAcl, ObjectVersion, Tags, Upload } from "../../../buckets/s3/s3.ts";
import type { CannedAcl } from "../../../config/storage/buckets.ts";

/** A bucket of the fake, all of it to be looked at and changed by tests. */
export interface FakeBucket {
  tags: Tags;
  acl: LiveAcl;
  acls: boolean;
  policy: string | undefined;
  versioning: "Enabled" | "Suspended" | undefined;
  versions: ObjectVersion[];
  uploads: Upload[];
}

/** The administrator, whom `fakeSession` has the keys of. */
export const root = "ROOT";
const statuses: Readonly<Record<string, number>> = {
  AccessDenied: 403,
  BucketNotEmpty: 409,
  BucketAlreadyOwnedByYou: 409,
  NotImplemented: 501,
  MalformedXML: 400,
  MalformedPolicy: 400,
  InvalidTag: 400,
  InvalidBucketState: 409,
  OperationAborted: 409,
  PermanentRedirect: 301,
  AuthorizationHeaderMalformed: 400,
  InternalError: 500,
  AccessControlListNotSupported: 400,
};

export function failure(operation: string, code: string): S3Failure {
  return new S3Failure(operation, { code, status: statuses[code] ?? 404, message: `the fake says ${code}` });
}

export function noAnswer(operation: string): S3Failure {
  return new S3Failure(operation, { code: "ECONNREFUSED", message: "connect ECONNREFUSED 127.0.0.1:9" });
}

/** An S3 server in memory, as strict as real ones in what the tests are about. */
export class FakeS3 implements S3 {
  readonly buckets = new Map<string, FakeBucket>();
  /** The operations that changed something, such as `PutBucketPolicy data`. */
  readonly writes: string[] = [];
  /** Failures by operation: one of S3's error codes, or no answer. */
  readonly failing = new Map<string, string | "no answer">();
  /** Objects that the server keeps. */
  readonly locked = new Set<string>();
  /** Lists them, and finds none of them under the name that it gives, as versitygw with what XML can't say. */
  readonly misnamed = new Set<string>();
  /** Puts an object back each time that the bucket is to be deleted. */
  busy = false;
  /** Is called whenever objects are deleted. */
  onDelete: (bucket: FakeBucket) => void = () => undefined;
  /** The caller's name on the server. */
  caller: string | undefined = root;
  /** Whether CreateBucket takes tags. */
  tagsAtCreation = true;
  /** Begins each page with what the last one ended with. */
  repeats = false;
  pages = 0;

  /** A bucket as somebody might have made it. */
  add(name: string, bucket: Partial<FakeBucket> = {}): FakeBucket {
    const made: FakeBucket = {
      tags: {},
      acl: { owner: root, grants: [{ grantee: root, permission: "FULL_CONTROL" }] },
      acls: false,
      policy: undefined,
      versioning: undefined,
      versions: [],
      uploads: [],
      ...bucket,
    };
    this.buckets.set(name, made);
    return made;
  }

  async getBucketLocation(name: string): Promise<void> {
    this.#open("GetBucketLocation", name);
  }
  async createBucket(name: string, { tags, acls }: { tags: Tags; acls: boolean }): Promise<void> {
    this.#answer("CreateBucket");
    if (this.buckets.has(name)) {
      throw failure("CreateBucket", "BucketAlreadyOwnedByYou");
    }
    if (!this.tagsAtCreation && Object.keys(tags).length > 0) {
      throw failure("CreateBucket", "MalformedXML");
    }
    this.#wrote("CreateBucket", name);
    this.add(name, { tags, acls });
  }
  async deleteBucket(name: string): Promise<void> {
    const bucket = this.#open("DeleteBucket", name);
    if (this.busy) {
      bucket.versions.push({ key: "again", marker: false });
    }
    if (bucket.versions.length + bucket.uploads.length > 0) {
      throw failure("DeleteBucket", "BucketNotEmpty");
    }
    this.#wrote("DeleteBucket", name);
    this.buckets.delete(name);
  }
  async listBuckets(): Promise<string[]> {
    this.#answer("ListBuckets");
    return [...this.buckets.keys()];
  }
  async getCallerId(): Promise<string | undefined> {
    this.#answer("ListBuckets");
    return this.caller;
  }
  async getBucketTagging(name: string): Promise<Tags> {
    const { tags } = this.#open("GetBucketTagging", name);
    if (Object.keys(tags).length === 0) {
      throw failure("GetBucketTagging", "NoSuchTagSet");
    }
    return tags;
  }
  async putBucketTagging(name: string, tags: Tags): Promise<void> {
    this.#open("PutBucketTagging", name).tags = tags;
    this.#wrote("PutBucketTagging", name);
  }
  async getBucketAcl(name: string): Promise<LiveAcl> {
    return this.#open("GetBucketAcl", name).acl;
  }
  async putCannedAcl(name: string, acl: CannedAcl): Promise<void> {
    const groups = "http://acs.amazonaws.com/groups/global/";
    const read = { grantee: `${groups}AllUsers`, permission: "READ" } as const;
    const grants = {
      private: [],
      "public-read": [read],
      "public-read-write": [read, { ...read, permission: "WRITE" } as const],
      "authenticated-read": [{ ...read, grantee: `${groups}AuthenticatedUsers` }],
    };
    const { owner } = await this.getBucketAcl(name);
    this.#putAcl(name, { owner, grants: [{ grantee: owner, permission: "FULL_CONTROL" }, ...grants[acl]] });
  }
  async putGrants(name: string, acl: LiveAcl): Promise<void> {
    this.#putAcl(name, acl);
  }
  async putBucketOwnershipControls(name: string): Promise<void> {
    this.#open("PutBucketOwnershipControls", name).acls = true;
    this.#wrote("PutBucketOwnershipControls", name);
  }
  async getBucketPolicy(name: string): Promise<string> {
    const { policy } = this.#open("GetBucketPolicy", name);
    if (policy === undefined) {
      throw failure("GetBucketPolicy", "NoSuchBucketPolicy");
    }
    return policy;
  }
  async putBucketPolicy(name: string, policy: string): Promise<void> {
    this.#open("PutBucketPolicy", name).policy = policy;
    this.#wrote("PutBucketPolicy", name);
  }
  async deleteBucketPolicy(name: string): Promise<void> {
    this.#open("DeleteBucketPolicy", name).policy = undefined;
    this.#wrote("DeleteBucketPolicy", name);
  }
  async getBucketVersioning(name: string): Promise<"Enabled" | "Suspended" | undefined> {
    return this.#open("GetBucketVersioning", name).versioning;
  }
  async putBucketVersioning(name: string, status: "Enabled" | "Suspended"): Promise<void> {
    this.#open("PutBucketVersioning", name).versioning = status;
    this.#wrote("PutBucketVersioning", name);
  }
  async listObjectVersions(name: string, from: { key?: string } = {}) {
    const { versions } = this.#open("ListObjectVersions", name);
    this.pages++;
    const start = from.key === undefined ? 0 : Number(from.key) - (this.repeats ? 1 : 0);
    const page = versions.slice(start, start + 1000);
    const end = start + page.length;
    return { versions: page, ...(end < versions.length ? { next: { key: String(end) } } : {}) };
  }
  async listObjects(name: string, from: { key?: string } = {}) {
    const { versions } = this.#open("ListObjectsV2", name);
    const keys = [...new Set(versions.filter(({ marker }) => !marker).map(({ key }) => key))].sort();
    const page = keys.filter((key) => from.key === undefined || key > from.key).slice(0, 1000);
    const last = page.at(-1);
    const isMore = last !== undefined && last !== keys.at(-1);
    return { versions: page.map((key) => ({ key, marker: false })), ...(isMore ? { next: { key: last } } : {}) };
  }
  async deleteObjects(name: string, gone: readonly ObjectVersion[]) {
    const bucket = this.#open("DeleteObjects", name);
    if (gone.length > 1000) {
      throw failure("DeleteObjects", "MalformedXML");
    }
    const kept = gone.filter(({ key }) => this.locked.has(key));
    const found = gone.filter(({ key }) => !this.locked.has(key) && !this.misnamed.has(key));
    const same = (a: ObjectVersion, b: ObjectVersion) =>
      a.key === b.key && (bucket.versioning === undefined || a.versionId === b.versionId);
    bucket.versions = bucket.versions.filter((each) => !found.some((other) => same(each, other)));
    this.#wrote("DeleteObjects", name);
    this.onDelete(bucket);
    return kept.map(({ key }) => ({ key, reason: "locked until 2030" }));
  }
  async listMultipartUploads(name: string): Promise<Upload[]> {
    return this.#open("ListMultipartUploads", name).uploads.slice(0, 1000);
  }
  async abortMultipartUpload(name: string, { key, uploadId }: Upload): Promise<void> {
    const bucket = this.#open("AbortMultipartUpload", name);
    if (this.misnamed.has(key)) {
      throw failure("AbortMultipartUpload", "NoSuchUpload");
    }
    bucket.uploads = bucket.uploads.filter((each) => each.uploadId !== uploadId);
    this.#wrote("AbortMultipartUpload", name);
  }

  #putAcl(name: string, acl: LiveAcl): void {
    const bucket = this.#open("PutBucketAcl", name);
    const isPrivate = declaredAcl(acl).acl === "private";
    if (!bucket.acls && !isPrivate) {
      throw failure("PutBucketAcl", "AccessControlListNotSupported");
    }
    bucket.acl = acl;
    this.#wrote("PutBucketAcl", name);
  }
  #open(operation: string, name: string): FakeBucket {
    this.#answer(operation);
    const bucket = this.buckets.get(name);
    if (bucket === undefined) {
      throw failure(operation, "NoSuchBucket");
    }
    return bucket;
  }
  #answer(operation: string): void {
    const why = this.failing.get(operation);
    if (why === "no answer") {
      throw noAnswer(operation);
    }
    if (why !== undefined) {
      throw failure(operation, why);
    }
  }
  #wrote(operation: string, name: string): void {
    this.writes.push(`${operation} ${name}`);
  }
}
