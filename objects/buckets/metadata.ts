import type { BucketKind, CosiKind } from "../../cluster/kinds/bucketKinds.ts";
import type { Member } from "../../config/member/member.ts";
import { bucketLabel, endpointAnnotation, memberLabels } from "../../config/names/labels.ts";
import type { BucketPart } from "../../config/names/logicalNames.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import type { MemberBucket } from "../../config/storage/buckets.ts";
import type { S3Settings } from "../../config/storage/storage.ts";
import type { Declared } from "../declared.ts";
import { goneAtOnce } from "../deletion.ts";

/** Metadata of both objects for a bucket, with names as Rook gives those of an ObjectBucketClaim. */
export function bucketMetadata(member: Member, bucket: MemberBucket, storage: S3Settings, settings: Settings) {
  return {
    name: bucket.name,
    namespace: namespaceName(member),
    labels: { ...memberLabels(member, settings), [bucketLabel]: bucket.name },
    annotations: { ...goneAtOnce, [endpointAnnotation]: appAddress(storage).origin },
  };
}

/**
 * Address of the S3 server for members' pods.
 * @see https://docs.aws.amazon.com/general/latest/gr/s3.html
 */
export function appAddress({ appEndpoint, endpoint, region }: Pick<S3Settings, "appEndpoint" | "endpoint" | "region">) {
  const aws = `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  return new URL(appEndpoint ?? endpoint ?? aws);
}

/** An object in a member's namespace that says how to reach a bucket, or requests it. */
export interface BucketObject extends Declared {
  /** Logical name after the bucket's name, which never changes. */
  readonly part: BucketPart;
  readonly apiVersion: string;
  readonly kind: BucketKind | CosiKind;
}
