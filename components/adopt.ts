import { runtime } from "@pulumi/pulumi";
import { reportProgress } from "../cluster/read/progress.ts";
import type { ClusterSnapshot } from "../cluster/read/snapshot/snapshot.ts";
import { relinquish } from "../cluster/write/relinquish.ts";
import { takeOffOwners } from "../cluster/write/takeOffOwners.ts";
import type { KnownObjects } from "../plan/decisions/unread/lastState.ts";
import { formerlyManaged, formerManagers } from "../plan/membership/adoption/formerManagers.ts";
import { givenOwners, ownedByOthers } from "../plan/membership/adoption/owners.ts";
import { takeovers } from "../plan/membership/adoption/takeover.ts";
import { idleAdoption, unmanaged } from "../plan/membership/adoption/unmanagedObjects.ts";
import { isEnding } from "../plan/membership/ending.ts";
import type { Finding } from "../plan/messages/finding.ts";
import { type Planned, planFor } from "../plan/plan.ts";

/**
 * Removes owner references to foreign owners from the objects that the run declares, so that they aren't deleted with
 * them, and returns findings on what is taken over and what isn't. A preview removes nothing. The provider itself takes
 * objects over, one by one.
 * @param known the objects in Pulumi's state
 * @throws RunError when an owner reference can't be removed
 */
export async function adopt(plan: Planned<ClusterSnapshot>, known: KnownObjects): Promise<Finding[]> {
  const { settings, snapshot } = plan;
  // An object in a namespace that is being deleted needs no protection from its owner.
  const standing = planFor(plan, (member) => !isEnding(member, snapshot));
  const owned = ownedByOthers(standing);
  const former = formerlyManaged(standing, known);
  const isPreview = runtime.isDryRun();
  if (!isPreview) {
    await takeOffOwners(owned, settings, { notify: reportProgress });
  }
  const failures = isPreview ? [] : await relinquish(former, settings, { notify: reportProgress });
  return [
    ...takeovers(plan),
    ...givenOwners(owned),
    ...formerManagers(former),
    ...failures.map((why) => ({ code: "notRelinquished", facts: { why } }) as const),
    ...unmanaged(plan),
    ...idleAdoption(plan),
  ];
}
