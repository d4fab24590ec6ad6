import type { Member } from "../../config/member/member.ts";
import type { Settings } from "../../config/settings.ts";
import type { MemberBucket } from "../../config/storage/buckets.ts";
import { bucketConfigMap } from "./configMap.ts";
import { cosiObjects } from "./cosi.ts";
import type { BucketObject } from "./metadata.ts";
import { bucketSecret } from "./secret.ts";

/** Objects in a member's namespace for one of their buckets; a Secret without its data. Empty without a server. */
export function bucketObjects(member: Member, bucket: MemberBucket, settings: Settings): BucketObject[] {
  const { storage } = settings;
  if (storage === undefined) {
    return [];
  }
  if (storage.kind === "cosi") {
    return cosiObjects(member, bucket, storage, settings);
  }
  return [
    { part: "secret", apiVersion: "v1", kind: "Secret", ...bucketSecret(member, bucket, storage, settings) },
    { part: "config", apiVersion: "v1", kind: "ConfigMap", ...bucketConfigMap(member, bucket, storage, settings) },
  ];
}
