import type { Member } from "../../../config/model/members/member.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import type { MemberBucket, S3Settings } from "../../../config/model/settings/storage.ts";
import { bucketLabel, endpointAnnotation, memberLabels } from "../../../naming/labels.ts";
import { namespaceName } from "../../../naming/names.ts";
import { goneAtOnce } from "../deletion.ts";
import { appAddress } from "./appAddress.ts";

/** Metadata of both objects for a bucket, with names as Rook gives those of an ObjectBucketClaim. */
export function bucketMetadata(member: Member, bucket: MemberBucket, storage: S3Settings, settings: Settings) {
  return {
    name: bucket.name,
    namespace: namespaceName(member),
    labels: { ...memberLabels(member, settings), [bucketLabel]: bucket.name },
    annotations: { ...goneAtOnce, [endpointAnnotation]: appAddress(storage).origin },
  };
}
