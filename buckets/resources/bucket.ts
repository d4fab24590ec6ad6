import * as pulumi from "@pulumi/pulumi";
import type { CannedAcl, Permission } from "../../config/model/bucketAccess.ts";
import type { BucketsProvider } from "./bucketsProvider.ts";

/** @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html */
export interface GrantArgs {
  /** A canonical user ID (with versitygw: an access key), or a group's URI. */
  readonly grantee: pulumi.Input<string>;
  readonly permission: pulumi.Input<Permission>;
}

export interface BucketArgs {
  /** Can't be changed: a run that would is refused. */
  readonly bucketName: pulumi.Input<string>;
  /** Whose it is, for messages and tags. */
  readonly member: pulumi.Input<string>;
  /**
   * What becomes of it once it is declared no more. `Retain`: it stays with all that is in it, closed to all but the
   * administrators, and nobody's. `Delete`: it is emptied and deleted. What can't be deleted stays likewise, with a warning.
   * @default Retain
   */
  readonly reclaimPolicy?: pulumi.Input<"Retain" | "Delete">;
  /**
   * @default private
   * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#canned-acl
   */
  readonly acl?: pulumi.Input<CannedAcl>;
  /** Instead of `acl`. The owner's full control is always there. */
  readonly grants?: pulumi.Input<pulumi.Input<GrantArgs>[]>;
  /**
   * JSON text, about this bucket alone.
   * @default none: one that somebody else has set is taken away
   * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-policies.html
   */
  readonly policy?: pulumi.Input<string>;
  /** @default false: off, or suspended where it was on */
  readonly versioning?: pulumi.Input<boolean>;
  /**
   * The access key of a `BucketUser` whom the server shall list as the bucket's owner, where it can hand buckets over
   * (`users: versitygw`). Without a `policy` an owner may do everything; with one, no more than it says.
   * @default the administrator
   */
  readonly bucketOwner?: pulumi.Input<string>;
  /**
   * Whether a bucket of that name that is there already is taken over, with all that is in it. Also one that another stack has
   * made for the same member: this one under a former name, or with a former cluster.
   * And one that belongs to somebody else on the server.
   * @default false: that is an error
   */
  readonly adopt?: pulumi.Input<boolean>;
}

/** A bucket on an S3 server. Nothing that changes replaces it. */
export class Bucket extends pulumi.CustomResource {
  declare readonly bucketName: pulumi.Output<string>;

  constructor(
    name: string,
    args: BucketArgs,
    options: pulumi.CustomResourceOptions & { readonly provider: BucketsProvider },
  ) {
    super("kubecamp-buckets:index:Bucket", name, { ...args }, options);
  }
}
