import * as pulumi from "@pulumi/pulumi";
import type { LeavingBucket } from "../bucket/leaving.ts";
import type { BucketsProvider } from "./bucketsProvider.ts";

/**
 * The stack's buckets that it declares no more, with the number of objects that will be deleted: Pulumi itself asks nobody
 * about what a preview shows as deleted. Reads the server; empty where the provider's inputs are not known yet.
 */
export async function leavingBuckets(
  provider: BucketsProvider,
  declared: readonly string[],
): Promise<readonly LeavingBucket[]> {
  const { buckets = [] } = (await pulumi.runtime.invoke(
    "kubecamp-buckets:index:leaving",
    { declared },
    { provider },
  )) as { buckets?: readonly LeavingBucket[] };
  return buckets;
}
