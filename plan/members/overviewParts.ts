import type { KubernetesObject, V1ConfigMap, V1RoleBinding } from "@kubernetes/client-node";
import type { BucketLists } from "../../cluster/read/overviewLists.ts";
import { endpointAnnotation, staffUntilAnnotation } from "../../config/names/labels.ts";
import { ciBindingName, staffBindingName } from "../../config/names/names.ts";
import { type StaffRole, staffRoles } from "../../config/staff.ts";
import { compare } from "../../config/values/sentences.ts";
import { leaseIn } from "../../objects/rbac/subjects.ts";

/** A member's bucket as the cluster shows it; nothing here asks the bucket's server. */
export interface BucketOverview {
  /** Name in the settings, and of its Secret. */
  readonly name: string;
  /** Name on the server, or of a driver's Bucket object. Undefined while the driver has none yet. */
  readonly bucketName: string | undefined;
  /** URL for the member's pods; undefined for a driver's bucket, for which only the Secret has it. */
  readonly endpoint: string | undefined;
  /** Whether the driver has made it; undefined without a driver. */
  readonly ready: boolean | undefined;
}

export function bucketsByNamespace({ configMaps, claims }: BucketLists): Map<string, BucketOverview[]> {
  const all = [
    ...configMaps.map((object) => ({ object, bucket: ofServer(object) })),
    ...claims.map((object) => ({ object, bucket: ofDriver(object) })),
  ].filter(({ object }) => object.metadata?.deletionTimestamp === undefined);
  const found = all.toSorted((a, b) => compare(a.bucket.name, b.bucket.name));
  const grouped = Map.groupBy(found, ({ object }) => object.metadata?.namespace ?? "");
  return new Map([...grouped].map(([namespace, own]) => [namespace, own.map(({ bucket }) => bucket)]));
}

function ofServer({ metadata, data }: V1ConfigMap): BucketOverview {
  return {
    name: metadata?.name ?? "",
    bucketName: data?.BUCKET_NAME,
    endpoint: metadata?.annotations?.[endpointAnnotation],
    ready: undefined,
  };
}

/** Status of a claim with a bucket, in either version. */
interface ClaimStatus {
  /** In v1alpha1. */
  readonly bucketReady?: boolean;
  readonly bucketName?: string;
  /** In v1alpha2. */
  readonly readyToUse?: boolean;
  readonly boundBucketName?: string;
}

function ofDriver(claim: KubernetesObject & { readonly status?: ClaimStatus }): BucketOverview {
  const { bucketReady, bucketName, readyToUse, boundBucketName } = claim.status ?? {};
  return {
    name: claim.metadata?.name ?? "",
    bucketName: (boundBucketName ?? bucketName) || undefined,
    endpoint: undefined,
    ready: readyToUse ?? bucketReady ?? false,
  };
}

export interface StaffOverview {
  readonly role: StaffRole;
  readonly kind: string;
  readonly name: string;
  /** The last day, or the time of the end. Default: none. */
  readonly until?: string;
  readonly reason?: string;
}

/** Staff by namespace, the strongest role first. */
export function staffByNamespace(bindings: readonly V1RoleBinding[]): Map<string, StaffOverview[]> {
  const byNamespace = Map.groupBy(bindings, ({ metadata }) => metadata?.namespace ?? "");
  return new Map([...byNamespace].map(([namespace, own]) => [namespace, staffIn(own)]));
}

const staffIn = (bindings: readonly V1RoleBinding[]): StaffOverview[] =>
  staffRoles.toReversed().flatMap((role) =>
    bindings
      .filter(({ metadata }) => metadata?.name === staffBindingName(role))
      .flatMap(({ metadata, subjects = [] }) =>
        subjects.map(({ kind, name }) => ({
          ...{ role, kind, name },
          ...leaseIn(metadata?.annotations?.[staffUntilAnnotation], { kind, name }),
        })),
      )
      .sort((a, b) => compare(a.kind, b.kind) || compare(a.name, b.name)),
  );

/** CI jobs, or the ServiceAccount for them, that kubecamp lets deploy into a member's namespace. */
export interface CiOverview {
  /** `User` for the jobs of an issuer, `ServiceAccount` for those with a token for an hour. */
  readonly kind: string;
  /** Name as the API server has it, with the issuer's prefix. */
  readonly name: string;
}

/** CI jobs by namespace, ServiceAccounts last. */
export const ciByNamespace = (bindings: readonly V1RoleBinding[]): Map<string, CiOverview[]> =>
  new Map(
    bindings
      .filter(({ metadata }) => metadata?.name === ciBindingName)
      .map(({ metadata, subjects = [] }) => [
        metadata?.namespace ?? "",
        subjects
          .map(({ kind, name }) => ({ kind, name }))
          .sort((a, b) => compare(b.kind, a.kind) || compare(a.name, b.name)),
      ]),
  );
