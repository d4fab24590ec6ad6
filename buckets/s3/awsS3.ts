import * as aws from "@aws-sdk/client-s3";
import { allUsers, type CannedAcl } from "../../config/storage/buckets.ts";
import { answered, sender } from "./awsFailures.ts";
import { AwsObjects } from "./awsObjects.ts";
import type { Grant, LiveAcl, S3, Tags } from "./s3.ts";

/** Milliseconds for a request with all its attempts, or for a whole list. */
const patience = 60_000;

export class AwsS3 extends AwsObjects implements S3 {
  readonly #region: string;

  /** @param region region of new buckets */
  constructor(client: aws.S3, region: string, signal: AbortSignal) {
    super(client, sender(signal, patience));
    this.#region = region;
  }

  async getBucketLocation(Bucket: string): Promise<void> {
    await this.send("GetBucketLocation", (options) => this.client.getBucketLocation({ Bucket }, options));
  }

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
    await this.send("CreateBucket", (options) => this.client.createBucket(input, options));
  }

  async deleteBucket(Bucket: string): Promise<void> {
    await this.send("DeleteBucket", (options) => this.client.deleteBucket({ Bucket }, options));
  }

  async listBuckets(): Promise<readonly string[]> {
    return await this.send("ListBuckets", async (options) => {
      const names: string[] = [];
      for await (const { Buckets } of aws.paginateListBuckets({ client: this.client }, {}, options)) {
        names.push(...answered("ListBuckets", Buckets).flatMap(({ Name }) => Name ?? []));
      }
      return names;
    });
  }

  async getCallerId(): Promise<string | undefined> {
    const { Owner } = await this.send("ListBuckets", (options) => this.client.listBuckets({ MaxBuckets: 1 }, options));
    return Owner?.ID || undefined;
  }

  async getBucketTagging(Bucket: string): Promise<Tags> {
    const get = "GetBucketTagging";
    const { TagSet } = await this.send(get, (options) => this.client.getBucketTagging({ Bucket }, options));
    return Object.fromEntries(answered(get, TagSet).map(({ Key = "", Value = "" }) => [Key, Value]));
  }

  async putBucketTagging(Bucket: string, tags: Tags): Promise<void> {
    const input = { Bucket, Tagging: { TagSet: tagSet(tags) } };
    await this.send("PutBucketTagging", (options) => this.client.putBucketTagging(input, options));
  }

  async getBucketAcl(Bucket: string): Promise<LiveAcl> {
    return liveAcl(await this.send("GetBucketAcl", (options) => this.client.getBucketAcl({ Bucket }, options)));
  }

  async putCannedAcl(Bucket: string, ACL: CannedAcl): Promise<void> {
    await this.send("PutBucketAcl", (options) => this.client.putBucketAcl({ Bucket, ACL }, options));
  }

  async putGrants(Bucket: string, acl: LiveAcl): Promise<void> {
    const input = { Bucket, AccessControlPolicy: aclPolicy(acl) };
    await this.send("PutBucketAcl", (options) => this.client.putBucketAcl(input, options));
  }

  async putBucketOwnershipControls(Bucket: string): Promise<void> {
    const OwnershipControls = { Rules: [{ ObjectOwnership: aws.ObjectOwnership.BucketOwnerPreferred }] };
    const input = { Bucket, OwnershipControls };
    await this.send("PutBucketOwnershipControls", (options) => this.client.putBucketOwnershipControls(input, options));
  }

  async getBucketPolicy(Bucket: string): Promise<string> {
    const get = (options: object) => this.client.getBucketPolicy({ Bucket }, options);
    const { Policy = "" } = await this.send("GetBucketPolicy", get);
    return Policy;
  }

  async putBucketPolicy(Bucket: string, Policy: string): Promise<void> {
    await this.send("PutBucketPolicy", (options) => this.client.putBucketPolicy({ Bucket, Policy }, options));
  }

  async deleteBucketPolicy(Bucket: string): Promise<void> {
    await this.send("DeleteBucketPolicy", (options) => this.client.deleteBucketPolicy({ Bucket }, options));
  }

  async getBucketVersioning(Bucket: string): Promise<"Enabled" | "Suspended" | undefined> {
    const get = (options: object) => this.client.getBucketVersioning({ Bucket }, options);
    return (await this.send("GetBucketVersioning", get)).Status;
  }

  async putBucketVersioning(Bucket: string, Status: "Enabled" | "Suspended"): Promise<void> {
    const input = { Bucket, VersioningConfiguration: { Status } };
    await this.send("PutBucketVersioning", (options) => this.client.putBucketVersioning(input, options));
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
