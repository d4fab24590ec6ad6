import { leavingBuckets } from "../../buckets/resources/leavingBuckets.ts";
import { type BucketsRun, leavingFindings, letGoOf } from "../../plan/findings/leavingBuckets.ts";
import type { Finding } from "../../plan/messages/finding.ts";
import type { Storage } from "../storage.ts";

/**
 * Findings on buckets that the run drops, with the contents that each loses. Pulumi deletes at the end of a run, and a
 * preview does not ask about it. None without a server or a dropped bucket.
 */
export async function leavingBucketFindings(
  storage: Pick<Storage, "provider"> | undefined,
  run: BucketsRun,
): Promise<Finding<"buckets">[]> {
  if (storage === undefined) {
    return [];
  }
  const declared = run.plan.list.flatMap(({ buckets = [] }) => buckets.map(({ bucketName }) => bucketName));
  return leavingFindings(letGoOf(await leavingBuckets(storage.provider, declared), run));
}
