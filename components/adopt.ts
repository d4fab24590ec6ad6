import { runtime } from "@pulumi/pulumi";
import { keyOf } from "../cluster/kinds/objectName.ts";
import type { ClusterSnapshot, OwnedObject } from "../cluster/read/snapshot.ts";
import { keepMarks } from "../cluster/write/keepMarks.ts";
import { patchEach } from "../cluster/write/patchEach.ts";
import type { Settings } from "../config/settings.ts";
import { idleAdoption, unmanaged } from "../plan/findings/adoption.ts";
import { isEnding } from "../plan/live/ending.ts";
import { givenOwners, marksToKeep, ownedByOthers } from "../plan/members/owners.ts";
import { type Planned, planFor } from "../plan/members/plan.ts";
import { takeovers } from "../plan/members/takeover.ts";
import type { Finding } from "../plan/words/finding.ts";

/**
 * Keeps others' labels and annotations on what the run changes, removes foreign owners from what it declares, and
 * returns findings on what is taken over and what isn't. A preview removes nothing. The provider takes objects over.
 */
export async function adopt(plan: Planned<ClusterSnapshot>): Promise<Finding[]> {
  const { settings, snapshot } = plan;
  // An object in a namespace that is being deleted needs no protection from its owner.
  const standing = planFor(plan, (member) => !isEnding(member, snapshot));
  const owned = ownedByOthers(standing);
  const isPreview = runtime.isDryRun();
  const unkept = isPreview ? [] : await keepMarks(marksToKeep(standing), settings);
  const owning = isPreview ? [] : await takeOffOwners(owned, settings);
  return [
    ...takeovers(plan),
    ...givenOwners(owned.filter((each) => owning.every(({ object }) => object !== keyOf(each)))),
    ...owning,
    ...unkept.map(({ why, ...object }) => ({ code: "notTakenOff", object: keyOf(object), facts: { why } }) as const),
    ...unmanaged(plan),
    ...idleAdoption(plan),
  ];
}

/** Neither the owner's end nor a failed run can delete them then. Returns a finding for each that keeps its owner. */
export async function takeOffOwners(
  owned: readonly OwnedObject[],
  settings: Pick<Settings, "cluster">,
): Promise<Finding<"notTakenOff">[]> {
  const patches = owned.map((object) => ({
    ...object,
    what: `take the owner references off ${keyOf(object)}, which is deleted with its owner,`,
    // The UID can't change, so the API server refuses the patch for another object of this name.
    patch: { metadata: { uid: object.uid, ownerReferences: null } },
  }));
  const refused = await patchEach(patches, settings);
  return refused.map(({ why, ...object }) => ({ code: "notTakenOff", object: keyOf(object), facts: { why } }));
}
