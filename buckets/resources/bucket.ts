import * as pulumi from "@pulumi/pulumi";
import type { CannedAcl, Permission } from "../../config/model/settings/bucketAccess.ts";
import { bucketType } from "../../naming/urns.ts";
import type { BucketsProvider } from "./bucketsProvider.ts";

/** @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html */
interface GrantArgs {
  /** A canonical user ID (with versitygw: an access key), or a group's URI. */
  readonly grantee: pulumi.Input<string>;
  readonly permission: pulumi.Input<Permission>;
}

export interface BucketArgs {
  /** Can't be changed: a run that would change it is refused. */
  readonly bucketName: pulumi.Input<string>;
  /** The member that the bucket belongs to, for messages and tags. */
  readonly member: pulumi.Input<string>;
  /**
   * Fate of the bucket once it is no longer declared. `Retain`: it stays with its content, closed to all but the
   * administrators, and belongs to no stack. `Delete`: it is emptied and deleted, or stays likewise with a warning if that
   * fails.
   * @default Retain
   */
  readonly reclaimPolicy?: pulumi.Input<"Retain" | "Delete">;
  /**
   * @default private
   * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#canned-acl
   */
  readonly acl?: pulumi.Input<CannedAcl>;
  /** Instead of `acl`. The owner always has full control. */
  readonly grants?: pulumi.Input<pulumi.Input<GrantArgs>[]>;
  /**
   * JSON text, about this bucket alone.
   * @default none: a policy that somebody else has set is deleted
   * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-policies.html
   */
  readonly policy?: pulumi.Input<string>;
  /** @default false: off, or suspended if it was on */
  readonly versioning?: pulumi.Input<boolean>;
  /**
   * Access key of the `BucketUser` that the server lists as the bucket's owner, if it can change owners (`users:
   * versitygw`). Without a `policy`, an owner may do everything; with one, only what it allows.
   * @default the administrator
   */
  readonly bucketOwner?: pulumi.Input<string>;
  /**
   * Whether to take over an existing bucket of that name, with its content. It may have another stack's tags for the same
   * member (this stack under a former name or with a former cluster), or another owner on the server.
   * @default false: an existing bucket is an error
   */
  readonly adopt?: pulumi.Input<boolean>;
}

/** A bucket on an S3 server. No change replaces it. */
export class Bucket extends pulumi.CustomResource {
  declare readonly bucketName: pulumi.Output<string>;

  constructor(
    name: string,
    args: BucketArgs,
    options: pulumi.CustomResourceOptions & { readonly provider: BucketsProvider },
  ) {
    super(bucketType, name, { ...args }, options);
  }
}
