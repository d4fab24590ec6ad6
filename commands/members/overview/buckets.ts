import type { KubernetesObject, V1ConfigMap } from "@kubernetes/client-node";
import type { ApiServer } from "../../../cluster/api/client.ts";
import { compare } from "../../../cluster/kinds/compare.ts";
import { cosiKinds, cosiVersion } from "../../../cluster/kinds/cosi.ts";
import { listPath, ours } from "../../../cluster/kinds/kinds.ts";
import { bucketLabel, endpointAnnotation } from "../../../naming/labels.ts";

/** A member's bucket as the cluster shows it: nobody asks the server that it is on. */
export interface BucketOverview {
  /** What the settings call it, and so its Secret. */
  readonly name: string;
  /** What the server calls it; from a driver, its Bucket object. Undefined where the driver has none yet. */
  readonly bucketName: string | undefined;
  /** Where the member's pods reach it; undefined for a driver's, which only the Secret tells. */
  readonly endpoint: string | undefined;
  /** Whether the driver has made it; undefined where there is no driver. */
  readonly ready: boolean | undefined;
}

/** What tells of buckets in members' namespaces; never a Secret. */
export interface BucketLists {
  readonly configMaps: readonly V1ConfigMap[];
  /** None where the cluster does not know COSI. */
  readonly claims: readonly KubernetesObject[];
}

/** What an overview has that shows no buckets. */
export const noBuckets: BucketLists = { configMaps: [], claims: [] };

const withLabel = `${ours},${bucketLabel}`;

/**
 * One LIST of ConfigMaps, and one of BucketClaims where the API server knows them.
 * @throws RunError when one of them is not answered
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

/** Whichever version is served, it has those of the other, too. */
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

/** The buckets that each namespace has, by their names. */
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

/** What either version's claims say once there is a bucket. */
interface ClaimStatus {
  /** v1alpha1's. */
  readonly bucketReady?: boolean;
  readonly bucketName?: string;
  /** v1alpha2's. */
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
