import { isWrittenByMembers } from "../cluster/kinds/stackKinds.ts";
import { keyOf } from "../cluster/read/snapshot.ts";
import type { Target } from "../config/model/target.ts";
import { memberLabel, stackLabel } from "../naming/labels.ts";
import { unplanned } from "../plan/compare/classify.ts";
import type { Plan } from "../plan/plan.ts";

/**
 * Whether a run deletes something that somebody could still use or is held back by: a route, access, the quota of who
 * comes back from suspension, or all that is a leaver's. The live objects tell, not what the last run meant to do: it may
 * have failed before it deleted anything.
 * @param plan of those whom the run is about
 */
export function hasDeletions(
  { settings, snapshot, members, removedMembers }: Plan,
  target: Pick<Target, "isWhole" | "removedMembers">,
): boolean {
  const names = new Set(members.map(({ member }) => member.name));
  const planned = new Set(members.flatMap(({ declared }) => declared.map(keyOf)));
  return (
    target.removedMembers.length > 0 ||
    (target.isWhole && removedMembers.length > 0) ||
    // What was made of a starter app, for a bucket or of a CA, and is not any more, is nothing to hurry for; some of it stays
    // for good, and members could have labelled it.
    unplanned(planned, snapshot).some(
      ({ object, live: { labels } }) =>
        labels[stackLabel] === settings.stack && names.has(labels[memberLabel] ?? "") && !isWrittenByMembers(object),
    )
  );
}
