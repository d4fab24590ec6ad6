import type { Member } from "../../config/member/member.ts";
import { accessKeyAnnotation } from "../../config/names/labels.ts";
import type { Settings } from "../../config/settings.ts";
import type { MemberBucket } from "../../config/storage/buckets.ts";
import type { S3Settings } from "../../config/storage/storage.ts";
import { appAddress, bucketMetadata } from "./metadata.ts";

/** Keys with which an app signs its requests. */
export interface BucketKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/**
 * The Secret with a bucket's keys, without its data. It is immutable: a change replaces it.
 * @see https://kubernetes.io/docs/concepts/configuration/secret/#secret-immutable
 */
export function bucketSecret(member: Member, bucket: MemberBucket, storage: S3Settings, settings: Settings) {
  const { annotations, ...metadata } = bucketMetadata(member, bucket, storage, settings);
  // Nobody compares the data, so this shows if the settings give another key.
  const given = member.bucketKeys === undefined ? {} : { [accessKeyAnnotation]: member.bucketKeys.accessKeyId };
  return { metadata: { ...metadata, annotations: { ...annotations, ...given } }, immutable: true, type: "Opaque" };
}

/** The Secret's data, in the formats of Rook's ObjectBucketClaim and of COSI; values are in base64. */
export function bucketSecretData(bucket: MemberBucket, storage: S3Settings, keys: BucketKeys): Record<string, string> {
  const values = {
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
    BucketInfo: JSON.stringify(bucketInfo(bucket, storage, keys)),
  };
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString("base64")]));
}

/** @see https://github.com/kubernetes-sigs/container-object-storage-interface-api/blob/main/apis/bucket_info.go */
function bucketInfo({ name, bucketName }: MemberBucket, storage: S3Settings, keys: BucketKeys) {
  return {
    metadata: { name },
    spec: {
      bucketName,
      authenticationType: "Key",
      secretS3: {
        endpoint: appAddress(storage).origin,
        region: storage.region,
        accessKeyID: keys.accessKeyId,
        accessSecretKey: keys.secretAccessKey,
      },
      secretAzure: null,
      protocols: ["S3"],
    },
  };
}
