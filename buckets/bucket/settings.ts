import type { CannedAcl } from "../../config/storage/buckets.ts";
import { type Props, plain } from "../protocol/values.ts";
import type { S3 } from "../s3/awsS3.ts";
import { isMadeKey } from "../s3/credentials.ts";
import { isOutOfReach, isUnsupported, orElse, Refused } from "../s3/failures.ts";
import type { Grant } from "../s3/s3.ts";
import type { UserAdmin } from "../s3/versitygw.ts";

/** A bucket's declared settings, checked and with all defaults: the resource's inputs and state. */
export interface BucketSettings {
  /** Can't be changed: a run that would change it is refused. */
  readonly bucketName: string;
  readonly member: string;
  /**
   * Fate of the bucket once it is no longer declared. `Retain`: it stays with its content, closed to all but the
   * administrators, and belongs to no stack. `Delete`: it is emptied and deleted, or stays with a warning if that
   * fails. Default: Retain.
   */
  readonly reclaimPolicy: "Retain" | "Delete";
  /**
   * Excludes `grants`. Default: private.
   * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#canned-acl
   */
  readonly acl?: CannedAcl;
  /** Instead of `acl`. The owner always has full control. */
  readonly grants?: readonly Grant[];
  /**
   * JSON text, about this bucket alone. Default: none, and a policy that somebody else has set is deleted.
   * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-policies.html
   */
  readonly policy?: string;
  /** Default: false, which is off, or suspended if it was on. */
  readonly versioning: boolean;
  /**
   * Access key of the `BucketUser` that the server lists as the bucket's owner, if it can change owners (`users:
   * versitygw`). Without a `policy`, an owner may do everything; with one, only what it allows.
   * Default: the administrator; without an API for users, any owner.
   */
  readonly bucketOwner?: string;
  /**
   * Whether to take over an existing bucket of that name, with its content. It may have another stack's tags for the same
   * member (this stack under a former name or with a former cluster), or another owner on the server.
   * Default: false, and an existing bucket is an error.
   */
  readonly adopt: boolean;
}

export function settingsIn(props: Props): BucketSettings {
  return plain(props) as unknown as BucketSettings;
}

export function bucketOf({ bucketName, member }: Pick<BucketSettings, "bucketName" | "member">): string {
  return `bucket '${bucketName}' of ${member}`;
}

export interface Owners {
  readonly administrator: string;
  /** Whether it can change owners: it has an API for users. */
  readonly givesBuckets: boolean;
}

/** Whether a bucket is a user's. Without an API for users, only keys that kubecamp made are known to be theirs. */
export function isUsers(owner: string | undefined, { administrator, givesBuckets }: Owners): owner is string {
  if (owner === undefined) {
    return false;
  }
  return givesBuckets ? owner !== administrator : isMadeKey(owner);
}

/** The next owner; undefined if it stays. Undeclared, the administrator: users may do anything without a policy. */
export function nextOwner(
  settings: BucketSettings,
  { before, live }: { readonly before: string | undefined; readonly live: string | undefined },
  owners: Owners,
): string | undefined {
  const { bucketOwner } = settings;
  const isTaken = bucketOwner === undefined && (live === undefined ? before !== undefined : isUsers(live, owners));
  if (!owners.givesBuckets) {
    if (isTaken || before !== undefined) {
      throw new Refused(`${bucketOf(settings)}: ${notTakenBack}`);
    }
    return undefined;
  }
  const wanted = bucketOwner ?? (isTaken ? owners.administrator : undefined);
  return wanted === live ? undefined : wanted;
}

/** Why a user's bucket can't be changed without the API for users. */
export const notTakenBack =
  "its owner is a user of the S3 server, and without the API for users it can't be taken back; " +
  "set 'users' as it was, then run again";

export interface ServerClients {
  readonly s3: S3;
  /** Undefined if the server has no API for users. */
  readonly users: UserAdmin | undefined;
}

/**
 * Finds out to whom a bucket belongs on the server. Tags are no proof, since everybody can read and copy a stack's tags
 * to a bucket of their own. If the server reports no owner, tags must suffice.
 */
export async function belongsTo(
  owner: string | undefined,
  { s3, users }: ServerClients,
  known: { readonly administrator: string; readonly declared?: string | undefined },
): Promise<"ours" | "another's" | "unknown"> {
  // Only an administrator gives a bucket to a user that kubecamp made, and these users can't create buckets.
  if (owner === undefined || Object.values(known).includes(owner) || isMadeKey(owner)) {
    return "ours";
  }
  if (users === undefined) {
    const isUnknowable = (error: unknown) => isOutOfReach(error) || isUnsupported(error);
    const own = await orElse(s3.getCallerId(), isUnknowable, undefined);
    if (own === undefined) {
      return "unknown";
    }
    return own === owner ? "ours" : "another's";
  }
  const user = await users.find(owner);
  // An owner who is gone, such as a former administrator, can't sign in; and the server's root is not in its list of users.
  return user === undefined || user.role === users.adminRole ? "ours" : "another's";
}
