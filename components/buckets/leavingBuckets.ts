import { leavingBuckets } from "../../buckets/resources/leavingBuckets.ts";
import { type BucketsRun, leavingFindings, letGoOf } from "../../plan/findings/leavingBuckets.ts";
import type { Finding } from "../../plan/messages/finding.ts";
import type { Storage } from "../storage.ts";

/**
 * Buckets that the run lets go of, with what is lost in each: Pulumi, which deletes at the end of a run,
 * asks nobody about that in a preview. None where no server is set, or nothing goes.
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
