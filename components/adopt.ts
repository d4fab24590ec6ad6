import { runtime } from "@pulumi/pulumi";
import { reportProgress } from "../cluster/read/progress.ts";
import type { ClusterSnapshot } from "../cluster/read/snapshot.ts";
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
 * Makes sure, unless it is a preview, that nothing of what the run declares goes with an owner that is not kubecamp, and
 * says what is taken over, and what is not. The taking over itself is the provider's, object by object.
 * @param known what Pulumi's state has
 * @throws RunError when an owner reference can't be taken off
 */
export async function adopt(plan: Planned<ClusterSnapshot>, known: KnownObjects): Promise<Finding[]> {
  const { settings, snapshot } = plan;
  // What goes with a namespace that is being deleted, nobody has to keep from its owner.
  const standing = planFor(plan, (member) => !isEnding(member, snapshot));
  const owned = ownedByOthers(standing);
  const former = formerlyManaged(standing, known);
  const isPreview = runtime.isDryRun();
  if (!isPreview) {
    await takeOffOwners(owned, settings, { notify: reportProgress });
  }
  const left = isPreview ? [] : await relinquish(former, settings, { notify: reportProgress });
  return [
    ...takeovers(plan),
    ...givenOwners(owned),
    ...formerManagers(former),
    ...left.map((why) => ({ code: "notRelinquished", facts: { why } }) as const),
    ...unmanaged(plan),
    ...idleAdoption(plan),
  ];
}
