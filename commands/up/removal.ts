import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Configuration } from "../../config/settings.ts";
import { counted, firstFew } from "../../config/values/sentences.ts";
import { anotherCluster } from "../../plan/decide/obstacles.ts";
import { refusedRemovals } from "../../plan/decide/removals.ts";
import { leavingMembers } from "../../plan/findings/leaving.ts";
import { familyRemovedMembers, onTheirWay, removedMembers } from "../../plan/live/removedMembers.ts";
import { warningsOf } from "../../plan/words/catalogue.ts";
import { isFamily } from "./family.ts";

interface Removal {
  readonly text: string;
  readonly question: string;
}

/** Environments that an up deletes, to be asked about; undefined if there are none, or if the run refuses to. */
export function removalOf(
  { settings, members: list }: Configuration,
  snapshot: ClusterSnapshot,
  stack: string,
): Removal | undefined {
  const removed = (isFamily(settings, stack) ? familyRemovedMembers : removedMembers)(list, settings, snapshot).filter(
    (one) => !onTheirWay(one),
  );
  const isRefused =
    anotherCluster(settings, snapshot) !== undefined || refusedRemovals(list, settings, snapshot).length > 0;
  if (removed.length === 0 || isRefused) {
    return undefined;
  }
  const names = removed.map(({ name }) => name);
  return {
    text: warningsOf(leavingMembers({ list, snapshot, removedMembers: removed }), "kubecamp up")
      .map(({ text }) => text)
      .join("\n"),
    question: `Delete ${counted(names.length, "environment")}, of ${firstFew(names, 5)}, for good?`,
  };
}
