import * as aws from "@aws-sdk/client-s3";
import { allUsers, type CannedAcl } from "../../config/storage/buckets.ts";
import { given } from "../../config/values/maps.ts";
import { answered, type Send, sender } from "./awsFailures.ts";
import { isRefusal, S3Failure } from "./failures.ts";
import type { Grant, KeptObject, LiveAcl, ObjectVersion, Tags, Upload, VersionMarker, VersionPage } from "./s3.ts";

/** The operations; tests replace them. */
export type S3 = Pick<AwsS3, keyof AwsS3>;

/** Milliseconds for a request with all its attempts, or for a whole list. */
const patience = 60_000;

/**
 * AWS's client with the S3 operations that buckets need, under S3's names. Every error is an `S3Failure`.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
 */
export class AwsS3 {
  readonly #client: aws.S3;
  readonly #send: Send;
  readonly #region: string;

  constructor(client: aws.S3, region: string, signal: AbortSignal) {
    this.#client = client;
    this.#send = sender(signal, patience);
    this.#region = region;
  }

  /** The cheapest request with an error code in its answer: answers to HEAD have none. */
  async getBucketLocation(Bucket: string): Promise<void> {
    await this.#send("GetBucketLocation", (options) => this.#client.getBucketLocation({ Bucket }, options));
  }

  /** @param acls whether to enable ACLs, which are off by default in new buckets */
  async createBucket(Bucket: string, { tags, acls }: { readonly tags: Tags; readonly acls: boolean }): Promise<void> {
    // AWS refuses a constraint for its first region and requires one for every other.
    const isFirst = this.#region === "us-east-1";
    const place = isFirst ? {} : { LocationConstraint: this.#region as aws.BucketLocationConstraint };
    const configuration = { ...place, ...(Object.keys(tags).length > 0 ? { Tags: tagSet(tags) } : {}) };
    const input: aws.CreateBucketCommandInput = {
      Bucket,
      ...(acls ? { ObjectOwnership: "BucketOwnerPreferred" } : {}),
      ...(Object.keys(configuration).length > 0 ? { CreateBucketConfiguration: configuration } : {}),
    };
    await this.#send("CreateBucket", (options) => this.#client.createBucket(input, options));
  }

  async deleteBucket(Bucket: string): Promise<void> {
    await this.#send("DeleteBucket", (options) => this.#client.deleteBucket({ Bucket }, options));
  }

  async listBuckets(): Promise<readonly string[]> {
    return await this.#send("ListBuckets", async (options) => {
      const names: string[] = [];
      for await (const { Buckets } of aws.paginateListBuckets({ client: this.#client }, {}, options)) {
        names.push(...answered("ListBuckets", Buckets).flatMap(({ Name }) => Name ?? []));
      }
      return names;
    });
  }

  /** The caller's name in the form of bucket owners; undefined if the server doesn't report it. */
  async getCallerId(): Promise<string | undefined> {
    const { Owner } = await this.#send("ListBuckets", (options) =>
      this.#client.listBuckets({ MaxBuckets: 1 }, options),
    );
    return Owner?.ID || undefined;
  }

  async getBucketTagging(Bucket: string): Promise<Tags> {
    const get = "GetBucketTagging";
    const { TagSet } = await this.#send(get, (options) => this.#client.getBucketTagging({ Bucket }, options));
    return Object.fromEntries(answered(get, TagSet).map(({ Key = "", Value = "" }) => [Key, Value]));
  }

  /** Replaces all tags. */
  async putBucketTagging(Bucket: string, tags: Tags): Promise<void> {
    const input = { Bucket, Tagging: { TagSet: tagSet(tags) } };
    await this.#send("PutBucketTagging", (options) => this.#client.putBucketTagging(input, options));
  }

  async getBucketAcl(Bucket: string): Promise<LiveAcl> {
    return liveAcl(await this.#send("GetBucketAcl", (options) => this.#client.getBucketAcl({ Bucket }, options)));
  }

  async putCannedAcl(Bucket: string, ACL: CannedAcl): Promise<void> {
    await this.#send("PutBucketAcl", (options) => this.#client.putBucketAcl({ Bucket, ACL }, options));
  }

  async putGrants(Bucket: string, acl: LiveAcl): Promise<void> {
    const input = { Bucket, AccessControlPolicy: aclPolicy(acl) };
    await this.#send("PutBucketAcl", (options) => this.#client.putBucketAcl(input, options));
  }

  async putBucketOwnershipControls(Bucket: string): Promise<void> {
    const OwnershipControls = { Rules: [{ ObjectOwnership: aws.ObjectOwnership.BucketOwnerPreferred }] };
    const input = { Bucket, OwnershipControls };
    await this.#send("PutBucketOwnershipControls", (options) =>
      this.#client.putBucketOwnershipControls(input, options),
    );
  }

  async getBucketPolicy(Bucket: string): Promise<string> {
    const get = (options: object) => this.#client.getBucketPolicy({ Bucket }, options);
    const { Policy = "" } = await this.#send("GetBucketPolicy", get);
    return Policy;
  }

  async putBucketPolicy(Bucket: string, Policy: string): Promise<void> {
    await this.#send("PutBucketPolicy", (options) => this.#client.putBucketPolicy({ Bucket, Policy }, options));
  }

  async deleteBucketPolicy(Bucket: string): Promise<void> {
    await this.#send("DeleteBucketPolicy", (options) => this.#client.deleteBucketPolicy({ Bucket }, options));
  }

  /** Undefined if versioning was never on. */
  async getBucketVersioning(Bucket: string): Promise<"Enabled" | "Suspended" | undefined> {
    const get = (options: object) => this.#client.getBucketVersioning({ Bucket }, options);
    return (await this.#send("GetBucketVersioning", get)).Status;
  }

  async putBucketVersioning(Bucket: string, Status: "Enabled" | "Suspended"): Promise<void> {
    const input = { Bucket, VersioningConfiguration: { Status } };
    await this.#send("PutBucketVersioning", (options) => this.#client.putBucketVersioning(input, options));
  }

  /** At most 1,000 a page. */
  async listObjectVersions(Bucket: string, from: VersionMarker = {}): Promise<VersionPage> {
    const input = {
      ...{ Bucket, MaxKeys: 1000, EncodingType: "url" as const },
      ...(from.key === undefined ? {} : { KeyMarker: from.key }),
      ...(from.versionId === undefined ? {} : { VersionIdMarker: from.versionId }),
    };
    const page = await this.#send("ListObjectVersions", (options) => this.#client.listObjectVersions(input, options));
    answered("ListObjectVersions", page.Versions ?? page.DeleteMarkers, page.Name);
    const versions = [
      ...(page.Versions ?? []).flatMap((version) => versionOf(version, page)),
      ...(page.DeleteMarkers ?? []).flatMap((version) => versionOf({ ...version, marker: true }, page)),
    ];
    const { NextKeyMarker: key, NextVersionIdMarker: versionId } = page;
    if (!page.IsTruncated || !key) {
      return { versions };
    }
    return { versions, next: { key: decoded(key, page), ...(versionId ? { versionId } : {}) } };
  }

  /** The objects of a bucket without versions, at most 1,000 a page. */
  async listObjects(Bucket: string, from: VersionMarker = {}): Promise<VersionPage> {
    const input = {
      ...{ Bucket, MaxKeys: 1000, EncodingType: "url" as const },
      ...(from.key === undefined ? {} : { StartAfter: from.key }),
    };
    const page = await this.#send("ListObjectsV2", (options) => this.#client.listObjectsV2(input, options));
    const objects = answered("ListObjectsV2", page.Contents, page.Name ?? page.KeyCount);
    const versions = objects.flatMap(({ Key, LastModified }) => versionOf({ Key, LastModified }, page));
    const last = versions.at(-1);
    return page.IsTruncated && last !== undefined ? { versions, next: { key: last.key } } : { versions };
  }

  /** At most 1,000 at once, of names with any characters. @returns those that were not deleted */
  async deleteObjects(Bucket: string, versions: readonly ObjectVersion[]): Promise<readonly KeptObject[]> {
    const [inXml, others] = [versions.filter(({ key }) => isXml(key)), versions.filter(({ key }) => !isXml(key))];
    const kept = inXml.length === 0 ? [] : await this.#deleteListed(Bucket, inXml);
    for (const version of others) {
      kept.push(...(await this.#deleteOne(Bucket, version)));
    }
    return kept;
  }

  async #deleteListed(Bucket: string, versions: readonly ObjectVersion[]): Promise<KeptObject[]> {
    const Delete = { Objects: versions.map(nameOf), Quiet: true };
    const { Errors = [] } = await this.#send("DeleteObjects", (options) =>
      this.#client.deleteObjects({ Bucket, Delete }, options),
    );
    return Errors.map(({ Key = "", Code = "", Message = "" }) => ({ key: Key, reason: Message || Code }));
  }

  /** Takes the name in the URL, for names that XML can't contain. */
  async #deleteOne(Bucket: string, version: ObjectVersion): Promise<KeptObject[]> {
    try {
      await this.#send("DeleteObject", (options) => this.#client.deleteObject({ Bucket, ...nameOf(version) }, options));
      return [];
    } catch (error) {
      if (!(error instanceof S3Failure && isRefusal(error))) {
        throw error;
      }
      return [{ key: version.key, reason: error.message || error.code }];
    }
  }

  /** The first page. */
  async listMultipartUploads(Bucket: string): Promise<readonly Upload[]> {
    const input = { Bucket, MaxUploads: 1000, EncodingType: "url" as const };
    const page = await this.#send("ListMultipartUploads", (options) =>
      this.#client.listMultipartUploads(input, options),
    );
    const uploads = answered("ListMultipartUploads", page.Uploads, page.Bucket);
    return uploads.map(({ Key = "", UploadId = "" }) => ({ key: decoded(Key, page), uploadId: UploadId }));
  }

  async abortMultipartUpload(Bucket: string, { key, uploadId }: Upload): Promise<void> {
    const input = { Bucket, Key: key, UploadId: uploadId };
    await this.#send("AbortMultipartUpload", (options) => this.#client.abortMultipartUpload(input, options));
  }
}

function tagSet(tags: Tags): aws.Tag[] {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
}

function liveAcl({ Owner, Grants = [] }: Pick<aws.GetBucketAclOutput, "Owner" | "Grants">): LiveAcl {
  return { owner: Owner?.ID ?? "", grants: Grants.flatMap(grantOf) };
}

function aclPolicy({ owner, grants }: LiveAcl): aws.AccessControlPolicy {
  return {
    Owner: { ID: owner },
    Grants: grants.map(({ grantee, permission }) => ({
      Grantee: grantee.startsWith("http") ? { Type: "Group", URI: grantee } : { Type: "CanonicalUser", ID: grantee },
      Permission: permission,
    })),
  };
}

function grantOf({ Grantee, Permission }: aws.Grant): Grant[] {
  if (Grantee === undefined || Permission === undefined) {
    return [];
  }
  // versitygw has a name instead of a URI for the group AllUsers.
  const grantee = Grantee.URI ?? (Grantee.ID === "all-users" ? allUsers : Grantee.ID);
  return grantee === undefined ? [] : [{ grantee, permission: Permission }];
}

const nameOf = ({ key, versionId }: ObjectVersion) => ({
  Key: key,
  ...(versionId === undefined ? {} : { VersionId: versionId }),
});

function versionOf(
  { Key, VersionId: versionId, LastModified: lastModified, marker = false }: Listed,
  page: Encoded,
): ObjectVersion[] {
  if (Key === undefined) {
    return [];
  }
  const key = decoded(Key, page);
  return [{ key, marker, ...given({ versionId, lastModified }, "versionId", "lastModified") }];
}

type Listed = Pick<aws.ObjectVersion, "Key" | "VersionId" | "LastModified"> & { readonly marker?: boolean };

interface Encoded {
  readonly EncodingType?: string | undefined;
}

/** Decodes a name. Requests ask for URL encoding because XML can't contain all names; some servers ignore that. */
function decoded(name: string, { EncodingType }: Encoded): string {
  if (EncodingType !== "url") {
    return name;
  }
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}

/** Whether XML can contain a name. @see https://www.w3.org/TR/xml/#charsets */
function isXml(name: string): boolean {
  return [...name].every((char) => {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x20) {
      return "\t\n\r".includes(char);
    }
    return (code < 0xd800 || code > 0xdfff) && code !== 0xfffe && code !== 0xffff;
  });
}
