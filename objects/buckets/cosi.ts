import { type CosiKind, cosiVersion } from "../../cluster/kinds/bucketKinds.ts";
import { hasAccess, type Member } from "../../config/member/member.ts";
import { bucketLabel } from "../../config/names/labels.ts";
import { serviceAccountName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import type { MemberBucket } from "../../config/storage/buckets.ts";
import type { CosiSettings } from "../../config/storage/storage.ts";
import { notAwaited } from "../deletion.ts";
import { metadataOf } from "../metadata.ts";
import type { BucketObject } from "./bucketObjects.ts";

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
