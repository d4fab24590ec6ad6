import type { Member } from "../../config/member/member.ts";
import type { Settings } from "../../config/settings.ts";
import type { MemberBucket } from "../../config/storage/buckets.ts";
import type { S3Settings } from "../../config/storage/storage.ts";
import { appAddress, bucketMetadata } from "./metadata.ts";

/**
 * The address of a bucket, with the keys of the ConfigMap for Rook's ObjectBucketClaim. It is immutable: a change replaces
 * it.
 * @see https://rook.io/docs/rook/latest/Storage-Configuration/Object-Storage-RGW/ceph-object-bucket-claim/
 */
export function bucketConfigMap(member: Member, bucket: MemberBucket, storage: S3Settings, settings: Settings) {
  const { protocol, hostname, port } = appAddress(storage);
  return {
    metadata: bucketMetadata(member, bucket, storage, settings),
    immutable: true,
    data: {
      BUCKET_HOST: hostname,
      BUCKET_NAME: bucket.bucketName,
      BUCKET_PORT: port || (protocol === "https:" ? "443" : "80"),
      BUCKET_REGION: storage.region,
      // S3 has no subregions.
      BUCKET_SUBREGION: "",
    },
  };
}
