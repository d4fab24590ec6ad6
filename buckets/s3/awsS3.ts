import * as aws from "@aws-sdk/client-s3";
import { allUsers, type CannedAcl } from "../../config/storage/buckets.ts";
import { answered, sender } from "./awsFailures.ts";
import { awsObjects } from "./awsObjects.ts";
import type { Grant, LiveAcl, S3, Tags } from "./s3.ts";

/** Milliseconds for a request with all its attempts, or for a whole list. */
const patience = 60_000;

/**
 * AWS's client as an S3.
 * @param region region of new buckets
 * @param signal ends all requests
 */
export function awsS3(client: aws.S3, region: string, signal: AbortSignal): S3 {
  const send = sender(signal, patience);

  return {
    async getBucketLocation(Bucket) {
      await send("GetBucketLocation", (options) => client.getBucketLocation({ Bucket }, options));
    },
    async createBucket(Bucket, { tags, acls }) {
      // AWS refuses a constraint for its first region and requires one for every other.
      const place = region === "us-east-1" ? {} : { LocationConstraint: region as aws.BucketLocationConstraint };
      const configuration = { ...place, ...(Object.keys(tags).length > 0 ? { Tags: tagSet(tags) } : {}) };
      const input: aws.CreateBucketCommandInput = {
        Bucket,
        ...(acls ? { ObjectOwnership: "BucketOwnerPreferred" } : {}),
        ...(Object.keys(configuration).length > 0 ? { CreateBucketConfiguration: configuration } : {}),
      };
      await send("CreateBucket", (options) => client.createBucket(input, options));
    },
    async deleteBucket(Bucket) {
      await send("DeleteBucket", (options) => client.deleteBucket({ Bucket }, options));
    },
    async listBuckets() {
      return await send("ListBuckets", async (options) => {
        const names: string[] = [];
        for await (const { Buckets } of aws.paginateListBuckets({ client }, {}, options)) {
          names.push(...answered("ListBuckets", Buckets).flatMap(({ Name }) => Name ?? []));
        }
        return names;
      });
    },
    async getCallerId() {
      const { Owner } = await send("ListBuckets", (options) => client.listBuckets({ MaxBuckets: 1 }, options));
      return Owner?.ID || undefined;
    },
    async getBucketTagging(Bucket) {
      const { TagSet } = await send("GetBucketTagging", (options) => client.getBucketTagging({ Bucket }, options));
      return Object.fromEntries(answered("GetBucketTagging", TagSet).map(({ Key = "", Value = "" }) => [Key, Value]));
    },
    async putBucketTagging(Bucket, tags) {
      await send("PutBucketTagging", (options) =>
        client.putBucketTagging({ Bucket, Tagging: { TagSet: tagSet(tags) } }, options),
      );
    },
    async getBucketAcl(Bucket) {
      return liveAcl(await send("GetBucketAcl", (options) => client.getBucketAcl({ Bucket }, options)));
    },
    async putCannedAcl(Bucket, ACL: CannedAcl) {
      await send("PutBucketAcl", (options) => client.putBucketAcl({ Bucket, ACL }, options));
    },
    async putGrants(Bucket, acl) {
      await send("PutBucketAcl", (options) =>
        client.putBucketAcl({ Bucket, AccessControlPolicy: aclPolicy(acl) }, options),
      );
    },
    async putBucketOwnershipControls(Bucket) {
      const OwnershipControls = { Rules: [{ ObjectOwnership: aws.ObjectOwnership.BucketOwnerPreferred }] };
      await send("PutBucketOwnershipControls", (options) =>
        client.putBucketOwnershipControls({ Bucket, OwnershipControls }, options),
      );
    },
    async getBucketPolicy(Bucket) {
      const { Policy = "" } = await send("GetBucketPolicy", (options) => client.getBucketPolicy({ Bucket }, options));
      return Policy;
    },
    async putBucketPolicy(Bucket, Policy) {
      await send("PutBucketPolicy", (options) => client.putBucketPolicy({ Bucket, Policy }, options));
    },
    async deleteBucketPolicy(Bucket) {
      await send("DeleteBucketPolicy", (options) => client.deleteBucketPolicy({ Bucket }, options));
    },
    async getBucketVersioning(Bucket) {
      const { Status } = await send("GetBucketVersioning", (options) =>
        client.getBucketVersioning({ Bucket }, options),
      );
      return Status;
    },
    async putBucketVersioning(Bucket, Status) {
      await send("PutBucketVersioning", (options) =>
        client.putBucketVersioning({ Bucket, VersioningConfiguration: { Status } }, options),
      );
    },
    ...awsObjects(client, send),
  };
}

function tagSet(tags: Tags): aws.Tag[] {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
}

/** Reads an ACL in S3's form. */
function liveAcl({ Owner, Grants = [] }: Pick<aws.GetBucketAclOutput, "Owner" | "Grants">): LiveAcl {
  return { owner: Owner?.ID ?? "", grants: Grants.flatMap(grantOf) };
}

/** Writes an ACL in S3's form. */
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
  if (Grantee === undefined || Permission === undefined) return [];
  // versitygw has a name instead of a URI for the group AllUsers.
  const grantee = Grantee.URI ?? (Grantee.ID === "all-users" ? allUsers : Grantee.ID);
  return grantee === undefined ? [] : [{ grantee, permission: Permission }];
}
