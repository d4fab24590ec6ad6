import { type ClusterSnapshot, keyOf } from "../../cluster/read/snapshot/snapshot.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { memberLabel, stackLabel } from "../../naming/labels.ts";
import { isOfRoute } from "../../naming/logicalNames.ts";
import { namespaceName } from "../../naming/names.ts";
import type { KnownObjects } from "../decide/knownState.ts";
import { isAbsent } from "../decisions/unread/unread.ts";
import { policyObjectsOf } from "../manifest/policyObjects.ts";
import type { ReadObject } from "../manifest/row.ts";
import type { MemberPlan } from "../memberPlan.ts";
import { isEnding } from "../membership/ending.ts";
import type { Finding } from "../messages/finding.ts";
import type { Planned } from "../plan.ts";
import type { Classified } from "./classify.ts";

type Own = Classified<ReadObject>;
type Live = Pick<ClusterSnapshot, "namespaces" | "services" | "managedObjects" | "unread">;

/**
 * Absent objects that an earlier run may have made: only Pulumi's state shows whether it did. Leaves out a new member's, and
 * those of a closed path: every other run has those, and reading the state takes a second for a big stack.
 */
export function mayBeMissing({ classified, members, settings, snapshot }: Planned<Live>): Own[] {
  const known = knownMembers(settings, snapshot);
  return known.size === 0
    ? []
    : [
        ...classified.filter(isToMake),
        ...members
          .filter(({ member }) => !isEnding(member, snapshot))
          .flatMap((plan) => absentOf(plan, snapshot, known.has(plan.member.name))),
      ];
}

/**
 * Absent objects that an earlier run made. Pulumi looks at the cluster only when it refreshes: otherwise a run takes them
 * for unchanged, or fails to change them.
 * @param known objects in the state
 */
export const missingObjects = (plan: Planned<Live>, known: KnownObjects): Finding<"missing">[] =>
  mayBeMissing(plan)
    .filter((each) => isMissing(each, known))
    .map(({ object }) => ({ code: "missing", object: keyOf(object), facts: {} }));

function absentOf({ member, classified }: MemberPlan, snapshot: Live, isKnown: boolean): Own[] {
  const absent = classified.filter(isToMake);
  if (!snapshot.namespaces.has(namespaceName(member))) {
    // The contents of a namespace come back with it.
    return isKnown ? absent.filter(({ object }) => object.part === "namespace") : [];
  }
  const isOpen = classified.some(({ object, live }) => isOfRoute(object) && live !== undefined);
  return absent.filter(({ object }) => isOpen || !isOfRoute(object));
}

/** Whether an earlier run made an absent object: only a refresh shows its absence to Pulumi. */
export const isMissing = (each: Own, known: KnownObjects): boolean => isToMake(each) && known.has(keyOf(each.object));

const isToMake = ({ standing }: Own) => standing === "toMake";

/** Names of members with live objects of this stack. */
const knownMembers = ({ stack }: Settings, { managedObjects }: Live) =>
  new Set(
    [...managedObjects.values()].flatMap(({ labels }) => (labels[stackLabel] === stack ? [labels[memberLabel]] : [])),
  );

/**
 * Members that a targeted run may not give access: an admission policy for their namespaces is missing, and only a full run
 * makes it. Pulumi's state may still have the policy.
 */
export function unguarded({
  members,
  settings,
  shared,
  snapshot,
}: Planned<Pick<ClusterSnapshot, "managedObjects" | "services" | "unread">>): Finding<"unguarded">[] {
  const missing = policyObjectsOf({ shared }).filter((object) => isAbsent(object, snapshot));
  if (missing.length === 0) {
    return [];
  }
  const facts = { policies: missing.map(keyOf), stack: settings.stack };
  return members
    .filter(({ classified }) =>
      classified.some(({ object, standing }) => standing === "toMake" && object.role !== undefined),
    )
    .map(({ member: { name } }) => ({ code: "unguarded", member: name, facts }));
}
