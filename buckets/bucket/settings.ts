import type { CannedAcl } from "../../config/model/settings/bucketAccess.ts";
import { type Props, plain } from "../protocol/values.ts";
import type { Grant } from "../s3/s3.ts";

/** A bucket's declared settings, checked and with all defaults: the resource's inputs and state. */
export interface BucketSettings {
  /** Can't be changed: a run that would change it is refused. */
  readonly bucketName: string;
  /** The member that the bucket belongs to, for messages and tags. */
  readonly member: string;
  /**
   * Fate of the bucket once it is no longer declared. `Retain`: it stays with its content, closed to all but the
   * administrators, and belongs to no stack. `Delete`: it is emptied and deleted, or stays likewise with a warning if that
   * fails.
   * @default Retain
   */
  readonly reclaimPolicy: "Retain" | "Delete";
  /**
   * Excludes `grants`.
   * @default private
   * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#canned-acl
   */
  readonly acl?: CannedAcl;
  /** Instead of `acl`. The owner always has full control. */
  readonly grants?: readonly Grant[];
  /**
   * JSON text, about this bucket alone.
   * @default none: a policy that somebody else has set is deleted
   * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-policies.html
   */
  readonly policy?: string;
  /** @default false: off, or suspended if it was on */
  readonly versioning: boolean;
  /**
   * Access key of the `BucketUser` that the server lists as the bucket's owner, if it can change owners (`users:
   * versitygw`). Without a `policy`, an owner may do everything; with one, only what it allows.
   * @default the administrator; without an API for users, any owner
   */
  readonly bucketOwner?: string;
  /**
   * Whether to take over an existing bucket of that name, with its content. It may have another stack's tags for the same
   * member (this stack under a former name or with a former cluster), or another owner on the server.
   * @default false: an existing bucket is an error
   */
  readonly adopt: boolean;
}

/** @param props a resource's inputs or state, without unknown values */
export function settingsIn(props: Props): BucketSettings {
  return plain(props) as unknown as BucketSettings;
}

/** The bucket's name in messages. */
export function bucketOf({ bucketName, member }: Pick<BucketSettings, "bucketName" | "member">): string {
  return `bucket '${bucketName}' of ${member}`;
}
