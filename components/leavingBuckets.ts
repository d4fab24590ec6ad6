import { leavingBuckets } from "../buckets/resources/leavingBuckets.ts";
import { type BucketsRun, leavingText, letGoOf } from "../plan/findings/leavingBuckets.ts";
import type { Storage } from "./storage.ts";

/**
 * One warning for all buckets that the run lets go of, with what is lost in each: Pulumi, which deletes at the end of a run,
 * asks nobody about that in a preview. None where no server is set, or nothing goes.
 */
export async function leavingBucketsWarning(
  storage: Pick<Storage, "provider"> | undefined,
  run: BucketsRun,
): Promise<string | undefined> {
  if (storage === undefined) {
    return undefined;
  }
  const declared = run.plan.list.flatMap(({ buckets = [] }) => buckets.map(({ bucketName }) => bucketName));
  return leavingText(letGoOf(await leavingBuckets(storage.provider, declared), run));
}
