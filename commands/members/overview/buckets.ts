import type { KubernetesObject, V1ConfigMap } from "@kubernetes/client-node";
import type { ApiServer } from "../../../cluster/api/client.ts";
import { cosiKinds, cosiVersion } from "../../../cluster/kinds/bucketKinds.ts";
import { byKubecamp, listPath } from "../../../cluster/kinds/kinds.ts";
import { bucketLabel, endpointAnnotation } from "../../../config/names/labels.ts";
import { compare } from "../../../config/values/sentences.ts";

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

/** Objects that describe buckets in members' namespaces; never a Secret. */
export interface BucketLists {
  readonly configMaps: readonly V1ConfigMap[];
  /** Empty on a cluster without COSI. */
  readonly claims: readonly KubernetesObject[];
}

/** For an overview that shows no buckets. */
export const noBuckets: BucketLists = { configMaps: [], claims: [] };

const withLabel = `${byKubecamp},${bucketLabel}`;

/**
 * Reads buckets with one LIST of ConfigMaps, and one of BucketClaims if the API server has them.
 * @throws RunError when a LIST is not answered
 */
export async function readBucketLists(api: ApiServer): Promise<BucketLists> {
  const [configMaps, claims] = await Promise.all([
    api.list<V1ConfigMap>({
      what: "the ConfigMaps of buckets",
      path: listPath("ConfigMap") + withLabel,
      kind: "ConfigMap",
    }),
    readClaims(api),
  ]);
  return { configMaps, claims };
}

/** Any served version lists the objects of all. */
async function readClaims(api: ApiServer): Promise<KubernetesObject[]> {
  const kind = "BucketClaim";
  for (const version of ["v1alpha2", "v1alpha1"] as const) {
    const group = cosiVersion({ version });
    if (await api.has(cosiKinds[kind], group)) {
      const path = `/apis/${group}/${cosiKinds[kind]}${withLabel}`;
      return await api.list<KubernetesObject>({ what: "the BucketClaims", path, kind });
    }
  }
  return [];
}

/** Buckets by namespace, sorted by name. */
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
