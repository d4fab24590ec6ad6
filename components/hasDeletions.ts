import { isWrittenByMembers } from "../cluster/kinds/stackKinds.ts";
import { keyOf } from "../cluster/read/snapshot/snapshot.ts";
import type { Target } from "../config/model/target.ts";
import { memberLabel, stackLabel } from "../naming/labels.ts";
import { unplanned } from "../plan/compare/classify.ts";
import { onTheirWay } from "../plan/membership/offboarding/removedMembers.ts";
import type { Plan } from "../plan/plan.ts";

/**
 * Whether a run deletes something that members can still use or that limits them: a route, access, the quota of a
 * member back from suspension, or a removed member's objects. Live objects decide: the last run may have failed before
 * it deleted anything.
 * @param plan of the run's members only
 */
export function hasDeletions(
  { settings, snapshot, members, removedMembers }: Plan,
  target: Pick<Target, "isWhole" | "removedMembers">,
): boolean {
  const names = new Set(members.map(({ member }) => member.name));
  const planned = new Set(members.flatMap(({ declared }) => declared.map(keyOf)));
  return (
    target.removedMembers.length > 0 ||
    (target.isWhole && !removedMembers.every(onTheirWay)) ||
    // Leftovers of a starter app, a bucket or a CA can wait. Some stay for good, and members can label such objects.
    unplanned(planned, snapshot).some(
      ({ object, live: { labels } }) =>
        labels[stackLabel] === settings.stack && names.has(labels[memberLabel] ?? "") && !isWrittenByMembers(object),
    )
  );
}
