import type { CosiSettings, Member, MemberBucket, Settings } from "../../../config/settings.ts";
import { bucketLabel, memberLabels } from "../../../naming/labels.ts";
import { namespaceName, serviceAccountName } from "../../../naming/names.ts";

/** The group of the API by which a cluster's driver is asked for buckets. */
const group = "objectstorage.k8s.io";

/** A bucket that a driver of the cluster's makes, and the keys to it, which it writes into a Secret. */
export interface CosiObjects {
  readonly claim: CosiObject;
  readonly access: CosiObject;
}

export type CosiObject = ReturnType<typeof objectOf>;

/**
 * What asks the cluster's driver for a member's bucket. The Secret that it writes is called as the one of any other bucket.
 * Members may not touch either, so that only the settings decide who has which bucket.
 * @see https://container-object-storage-interface.sigs.k8s.io/
 */
export function cosiObjects(
  member: Member,
  bucket: Pick<MemberBucket, "name">,
  storage: CosiSettings,
  settings: Settings,
): CosiObjects {
  const made = (kind: "BucketClaim" | "BucketAccess", spec: object) =>
    objectOf(kind, spec, { member, bucket, storage, settings });
  return {
    claim: made("BucketClaim", { bucketClassName: storage.bucketClassName, protocols: ["S3"] }),
    access: made("BucketAccess", {
      bucketAccessClassName: storage.bucketAccessClassName,
      // Drivers that know pods by their ServiceAccount need it, and others ignore it; it can't be added later.
      serviceAccountName,
      protocol: "S3",
      ...accessTo(bucket, storage),
    }),
  };
}

function accessTo({ name }: Pick<MemberBucket, "name">, { version }: CosiSettings): object {
  return version === "v1alpha1"
    ? { bucketClaimName: name, credentialsSecretName: name }
    : { bucketClaims: [{ bucketClaimName: name, accessMode: "ReadWrite", accessSecretName: name }] };
}

interface Of {
  readonly member: Member;
  readonly bucket: Pick<MemberBucket, "name">;
  readonly storage: CosiSettings;
  readonly settings: Settings;
}

function objectOf(kind: "BucketClaim" | "BucketAccess", spec: object, { member, bucket, storage, settings }: Of) {
  return {
    apiVersion: `${group}/${storage.version}`,
    kind,
    metadata: {
      name: bucket.name,
      namespace: namespaceName(member),
      labels: {
        ...memberLabels(member, settings),
        "app.kubernetes.io/name": "member-bucket",
        "app.kubernetes.io/created-by": "kubecamp",
        [bucketLabel]: bucket.name,
      },
      // A driver that is slow or not there must not hold up everybody's run.
      annotations: { "pulumi.com/skipAwait": "true" },
    },
    spec,
  };
}
