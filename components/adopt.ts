import { RunError, runtime } from "@pulumi/pulumi";
import { reportProgress } from "../cluster/read/progress.ts";
import { type ClusterSnapshot, keyOf, type OwnedObject } from "../cluster/read/snapshot/snapshot.ts";
import { keepMarks } from "../cluster/write/keepMarks.ts";
import { patchEach } from "../cluster/write/patchEach.ts";
import { relinquish } from "../cluster/write/relinquish.ts";
import type { Settings } from "../config/model/settings/settings.ts";
import type { KnownObjects } from "../plan/decisions/unread/lastState.ts";
import { formerlyManaged, formerManagers } from "../plan/membership/adoption/formerManagers.ts";
import { marksToKeep } from "../plan/membership/adoption/keptMarks.ts";
import { givenOwners, ownedByOthers } from "../plan/membership/adoption/owners.ts";
import { takeovers } from "../plan/membership/adoption/takeover.ts";
import { idleAdoption, unmanaged } from "../plan/membership/adoption/unmanagedObjects.ts";
import { isEnding } from "../plan/membership/ending.ts";
import type { Finding } from "../plan/messages/finding.ts";
import { type Planned, planFor } from "../plan/plan.ts";

/**
 * Keeps others' labels and annotations on the objects that the run changes, removes owner references to foreign owners from
 * all that it declares, so that they aren't deleted with them, and returns findings on what is taken over and what isn't. A preview removes nothing. The provider itself takes
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
  const unkept = isPreview ? [] : await keepMarks(marksToKeep(standing), settings);
  if (!isPreview) {
    await takeOffOwners(owned, settings);
  }
  const failures = isPreview ? [] : await relinquish(former, settings, { notify: reportProgress });
  return [
    ...takeovers(plan),
    ...givenOwners(owned),
    ...formerManagers(former),
    ...[...unkept, ...failures].map((why) => ({ code: "notRelinquished", facts: { why } }) as const),
    ...unmanaged(plan),
    ...idleAdoption(plan),
  ];
}

/**
 * Removes owner references before the provider writes to these objects: from then on neither the end of the owner nor a
 * failed or killed run can delete them. The next run removes those that are left.
 * @throws RunError naming the object and the reason
 */
export async function takeOffOwners(owned: readonly OwnedObject[], settings: Pick<Settings, "cluster">): Promise<void> {
  const patches = owned.map((object) => ({
    ...object,
    what: `take the owner references off ${keyOf(object)}`,
    // The UID can't change, so the API server refuses the patch for another object of this name.
    patch: { metadata: { uid: object.uid, ownerReferences: null } },
  }));
  const [refused] = await patchEach(patches, settings);
  if (refused !== undefined) {
    throw new RunError(refused.why);
  }
}
