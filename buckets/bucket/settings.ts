import type { CannedAcl } from "../../config/model/bucketAccess.ts";
import { type Props, plain } from "../protocol/values.ts";
import type { Grant } from "../s3/s3.ts";

export const reclaimPolicies = ["Retain", "Delete"] as const;

/** What is declared of a bucket, checked and with all defaults: the resource's inputs, and its state. */
export interface BucketSettings {
  readonly bucketName: string;
  readonly member: string;
  readonly reclaimPolicy: (typeof reclaimPolicies)[number];
  /** Or `grants`, not both. */
  readonly acl?: CannedAcl;
  readonly grants?: readonly Grant[];
  readonly policy?: string;
  readonly versioning: boolean;
  /** An access key. Undefined: the administrator; whoever it is, where no API for users is set. */
  readonly bucketOwner?: string;
  /** Whether a bucket that is there already may be taken over, or one whose tags don't say any more that it is this stack's. */
  readonly adopt: boolean;
}

/** What the state has besides. */
export interface BucketState extends BucketSettings {
  /** A run has made it and failed before it had its tags, so that nobody has taken them away. */
  readonly unmarked?: boolean;
}

/** After `checkBucket`, and with nothing unknown. */
export function bucketState(props: Props): BucketState {
  return plain(props) as unknown as BucketState;
}

/** How messages name a bucket. */
export function bucketOf({ bucketName, member }: Pick<BucketSettings, "bucketName" | "member">): string {
  return `bucket '${bucketName}' of ${member}`;
}
