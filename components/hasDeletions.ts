import { isWrittenByMembers } from "../cluster/kinds/stackKinds.ts";
import { keyOf, objectNameOf } from "../cluster/read/snapshot.ts";
import type { Target } from "../config/model/target.ts";
import { memberLabel, stackLabel } from "../naming/labels.ts";
import type { Plan } from "../plan/plan.ts";

/**
 * Whether a run deletes something that somebody could still use or is held back by: a route, access, the quota of who
 * comes back from suspension, or all that is a leaver's. The live objects tell, not what the last run meant to do: it may
 * have failed before it deleted anything.
 * @param plan of those whom the run is about
 */
export function takesAway(plan: Plan, target: Pick<Target, "isWhole" | "removedMembers">): boolean {
  const { settings, snapshot } = plan;
  const declared = new Map(plan.members.map((each) => [each.member.name, new Set(each.declared.map(keyOf))]));
  // What was made of a starter app, for a bucket or of a CA, and is not any more, is nothing to hurry for; some of it stays
  // for good, and members could have labelled it.
  const isLeftOver = (key: string, labels: Readonly<Record<string, string>>) =>
    labels[stackLabel] === settings.stack &&
    !isWrittenByMembers(objectNameOf(key)) &&
    declared.get(labels[memberLabel] ?? "")?.has(key) === false;
  return (
    target.removedMembers.length > 0 ||
    (target.isWhole && plan.removedMembers.length > 0) ||
    [...snapshot.managedObjects].some(([key, { labels }]) => isLeftOver(key, labels))
  );
}
