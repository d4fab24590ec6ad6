import { keyOf } from "../../cluster/kinds/objectName.ts";
import { deleteOwn } from "../../cluster/write/patchEach.ts";
import type { PlanAndState } from "../../plan/decide/differing.ts";
import { refusedRemovals } from "../../plan/decide/removals.ts";
import { leftIn } from "../../plan/decide/wholes.ts";
import { deletedFindings, deletionRounds } from "../../plan/members/unrecorded.ts";
import { refusalTexts } from "../../plan/words/catalogue.ts";
import type { Finding } from "../../plan/words/finding.ts";

interface Cleared {
  readonly findings: readonly Finding[];
  readonly refused: readonly string[];
}

/**
 * Deletes what is left on the cluster that neither the list nor Pulumi's state has, within the limits on removals.
 * @param before look before a run that succeeded: another run may have begun since, and has not recorded what it makes
 * @param look after it, so that nothing is deleted that the run has taken over
 * @param endBuckets ends what is left on an S3 server. It comes first: only the cluster shows which shard had it
 */
export async function deleteLeft(
  before: PlanAndState,
  look: PlanAndState,
  signal: AbortSignal,
  endBuckets: () => Promise<readonly Finding[]> = async () => [],
): Promise<Cleared> {
  const { list, settings, snapshot } = look;
  const beyond = refusalTexts(refusedRemovals(list, settings, snapshot), "kubecamp up");
  if (beyond.length > 0) {
    return { findings: [], refused: beyond };
  }
  const ended = await endBuckets();
  const was = new Set(leftIn(before).map(({ object }) => keyOf(object)));
  const left = leftIn(look).filter(({ object }) => was.has(keyOf(object)));
  const { objects, refused } = await deleteOwn(deletionRounds(left), settings, { signal });
  return { findings: [...ended, ...deletedFindings(objects)], refused };
}
