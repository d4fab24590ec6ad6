import { type BucketKind, type CosiKind, cosiVersion } from "../../cluster/kinds/bucketKinds.ts";
import { hasAccess, type Member } from "../../config/member/member.ts";
import { accessKeyAnnotation, bucketLabel, endpointAnnotation } from "../../config/names/labels.ts";
import type { BucketPart } from "../../config/names/logicalNames.ts";
import { serviceAccountName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import type { MemberBucket } from "../../config/storage/buckets.ts";
import type { CosiSettings, S3Settings } from "../../config/storage/storage.ts";
import type { Declared } from "../declared.ts";
import { notAwaited } from "../deletion.ts";
import { metadataOf } from "../metadata.ts";

/** An object in a member's namespace that says how to reach a bucket, or requests it. */
export interface BucketObject extends Declared {
  /** Logical name after the bucket's name, which never changes. */
  readonly part: BucketPart;
  readonly apiVersion: string;
  readonly kind: BucketKind | CosiKind;
}

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

/**
 * Requests to the cluster's driver for a member's bucket, and for keys to it. The Secret that the driver writes has the name
 * of any other bucket's. Members may not write these objects, so that only the settings decide who has which bucket.
 * @see https://container-object-storage-interface.sigs.k8s.io/
 */
export function cosiObjects(
  member: Member,
  { name }: Pick<MemberBucket, "name">,
  storage: CosiSettings,
  settings: Settings,
) {
  // A slow or missing driver must not hold up everybody's run.
  const further = { labels: { [bucketLabel]: name }, annotations: notAwaited };
  const metadata = metadataOf(name, member, settings, further);
  const made = (part: BucketObject["part"], kind: CosiKind, spec: object) => ({
    part,
    apiVersion: cosiVersion(storage),
    kind,
    metadata,
    spec,
  });
  const claim = made("claim", "BucketClaim", { bucketClassName: storage.bucketClassName, protocols: ["S3"] });
  const access = made("access", "BucketAccess", {
    bucketAccessClassName: storage.bucketAccessClassName,
    // Drivers that identify pods by ServiceAccount need it, and others ignore it; it can't be added later.
    serviceAccountName,
    protocol: "S3",
    ...accessTo(name, storage),
  });
  // Without the access, the driver revokes the keys.
  return hasAccess(member) ? [claim, access] : [claim];
}

function accessTo(name: string, { version }: CosiSettings): object {
  return version === "v1alpha1"
    ? { bucketClaimName: name, credentialsSecretName: name }
    : { bucketClaims: [{ bucketClaimName: name, accessMode: "ReadWrite", accessSecretName: name }] };
}

/** Metadata of both objects for a bucket, with names as Rook gives those of an ObjectBucketClaim. */
const bucketMetadata = (member: Member, { name }: MemberBucket, storage: S3Settings, settings: Settings) =>
  metadataOf(name, member, settings, {
    labels: { [bucketLabel]: name },
    annotations: { [endpointAnnotation]: appAddress(storage).origin },
  });

/** Address of the S3 server for members' pods. @see https://docs.aws.amazon.com/general/latest/gr/s3.html */
function appAddress({ appEndpoint, endpoint, region }: S3Settings) {
  const aws = `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  return new URL(appEndpoint ?? endpoint ?? aws);
}

/** The Secret with a bucket's keys, without its data. It is immutable: a change replaces it. */
function bucketSecret(member: Member, bucket: MemberBucket, storage: S3Settings, settings: Settings) {
  const { annotations, ...metadata } = bucketMetadata(member, bucket, storage, settings);
  // Nobody compares the data, so this shows if the settings give another key.
  const given = member.bucketKeys === undefined ? {} : { [accessKeyAnnotation]: member.bucketKeys.accessKeyId };
  return { metadata: { ...metadata, annotations: { ...annotations, ...given } }, immutable: true, type: "Opaque" };
}

/**
 * The address of a bucket, with the keys of the ConfigMap for Rook's ObjectBucketClaim. It is immutable: a change replaces
 * it.
 * @see https://rook.io/docs/rook/latest/Storage-Configuration/Object-Storage-RGW/ceph-object-bucket-claim/
 */
function bucketConfigMap(member: Member, bucket: MemberBucket, storage: S3Settings, settings: Settings) {
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

export interface BucketKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
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
