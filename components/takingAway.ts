import { isWrittenByMembers } from "../cluster/kinds/stackKinds.ts";
import { type ClusterSnapshot, guardName, keyOf } from "../cluster/read/snapshot.ts";
import type { Aim } from "../config/model/aim.ts";
import type { Member, Settings } from "../config/model/settings.ts";
import { memberLabel, stackLabel } from "../naming/labels.ts";
import { objectsOf } from "../plan/manifest/memberObjects.ts";
import { leavers } from "../plan/membership/offboarding/leavers.ts";

/**
 * Whether a run deletes something that somebody could still use or is held back by: a route, access, the quota of who
 * comes back from suspension, or all that is a leaver's. The live objects tell, not what the last run meant to do: it may
 * have failed before it deleted anything.
 */
export function takesAway(list: readonly Member[], aim: Aim, settings: Settings, snapshot: ClusterSnapshot): boolean {
  const declared = new Map(
    aim.members.map((member) => [member.name, new Set(objectsOf(member, settings, snapshot).map(keyOf))]),
  );
  // What was made of a starter app, for a bucket or of a CA, and is not any more, is nothing to hurry for; some of it stays
  // for good, and members could have labelled it.
  const isLeftOver = (key: string, labels: Readonly<Record<string, string>>) =>
    labels[stackLabel] === settings.stack &&
    !isWrittenByMembers(guardName(key)) &&
    declared.get(labels[memberLabel] ?? "")?.has(key) === false;
  return (
    aim.leavers.length > 0 ||
    (aim.isWhole && leavers(list, settings, snapshot).length > 0) ||
    [...snapshot.guards].some(([key, { labels }]) => isLeftOver(key, labels))
  );
}
