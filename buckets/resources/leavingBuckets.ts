import * as pulumi from "@pulumi/pulumi";
import { leavingFunction } from "../../naming/urns.ts";
import type { LeavingBucket } from "../bucket/leaving.ts";
import type { BucketsProvider } from "./bucketsProvider.ts";

/**
 * The stack's buckets that it no longer declares, with the number of objects to be deleted: for deletions, Pulumi does not
 * call the provider in a preview. Reads the server; empty while the provider's inputs are unknown.
 */
export async function leavingBuckets(
  provider: BucketsProvider,
  declared: readonly string[],
): Promise<readonly LeavingBucket[]> {
  const { buckets = [] } = (await pulumi.runtime.invoke(leavingFunction, { declared }, { provider })) as {
    buckets?: readonly LeavingBucket[];
  };
  return buckets;
}
