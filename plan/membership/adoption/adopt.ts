import { runtime } from "@pulumi/pulumi";
import { reportProgress } from "../../../cluster/read/progress.ts";
import { type ClusterSnapshot, keyOf } from "../../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../../config/model/settings.ts";
import type { LastState } from "../../decisions/unread/lastState.ts";
import { isEnding } from "../ending.ts";
import { formerlyManaged, formerManagersWarning, relinquish, severallyManaged } from "./formerManagers.ts";
import { ownedByOthers, ownersWarning } from "./owners.ts";
import { takeOffOwners } from "./takeOffOwners.ts";
import { takenOver, takeoverWarning } from "./takeover.ts";
import { idleWarning, unmanagedObjectsWarning } from "./unmanagedObjects.ts";

/** What a run does with what kubecamp has not made. */
export interface Adoption {
  /** Keys of what it takes over. */
  readonly takenOver: ReadonlySet<string>;
  /** What there is to tell. */
  readonly warnings: readonly (string | undefined)[];
}

/**
 * Makes sure, unless it is a preview, that nothing of what the run declares goes with an owner that is not kubecamp, and
 * says what is taken over, and what is not. The taking over itself is the provider's, object by object.
 * @throws RunError when an owner reference can't be taken off
 */
export async function adopt(
  members: readonly Member[],
  settings: Settings,
  snapshot: ClusterSnapshot,
  state: LastState,
): Promise<Adoption> {
  // What goes with a namespace that is being deleted, nobody has to keep from its owner.
  const standing = members.filter((member) => !isEnding(member, snapshot));
  const owned = ownedByOthers(standing, settings, snapshot);
  const known = severallyManaged(standing, settings, snapshot).length === 0 ? undefined : await state.managers();
  const former = formerlyManaged(standing, settings, snapshot, known ?? new Map());
  const isPreview = runtime.isDryRun();
  if (!isPreview) {
    await takeOffOwners(owned, settings, { notify: reportProgress });
  }
  const left = isPreview ? [] : await relinquish(former, settings, { notify: reportProgress });
  return {
    takenOver: new Set(
      members.flatMap((member) => takenOver(member, settings, snapshot).map(({ object }) => keyOf(object))),
    ),
    warnings: [
      takeoverWarning(members, settings, snapshot),
      ownersWarning(owned),
      formerManagersWarning(former),
      ...left,
      unmanagedObjectsWarning(members, settings, snapshot),
      idleWarning(members, settings, snapshot),
    ],
  };
}

/** Names of members of whom it is said that what was there before is taken over, now or some time ago. */
export const adopting = (members: readonly Member[]): ReadonlySet<string> =>
  new Set(members.filter(({ adopt }) => adopt).map(({ name }) => name));
