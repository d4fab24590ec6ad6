import type { CannedAcl } from "../../config/model/settings/bucketAccess.ts";
import { type Props, plain } from "../protocol/values.ts";
import type { Grant } from "../s3/s3.ts";

export const reclaimPolicies = ["Retain", "Delete"] as const;

/** A bucket's declared settings, checked and with all defaults: the resource's inputs and state. */
export interface BucketSettings {
  readonly bucketName: string;
  readonly member: string;
  readonly reclaimPolicy: (typeof reclaimPolicies)[number];
  /** Excludes `grants`. */
  readonly acl?: CannedAcl;
  readonly grants?: readonly Grant[];
  readonly policy?: string;
  readonly versioning: boolean;
  /** Access key of the owner. Undefined: the administrator; without an API for users, any owner. */
  readonly bucketOwner?: string;
  /** Whether to take over an existing bucket, or one whose tags no longer name this stack. */
  readonly adopt: boolean;
}

/** Settings with the additional field of the state. */
export interface BucketState extends BucketSettings {
  /** A run made the bucket and failed before it wrote the tags: nobody has removed them. */
  readonly unmarked?: boolean;
}

/** @param props checked and without unknown values */
export function bucketState(props: Props): BucketState {
  return plain(props) as unknown as BucketState;
}

/** The bucket's name in messages. */
export function bucketOf({ bucketName, member }: Pick<BucketSettings, "bucketName" | "member">): string {
  return `bucket '${bucketName}' of ${member}`;
}
