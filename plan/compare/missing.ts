import { type ClusterSnapshot, keyOf, type ObjectName } from "../../cluster/read/snapshot.ts";
import type { Settings } from "../../config/model/settings.ts";
import { memberLabel, stackLabel } from "../../naming/labels.ts";
import { isOfRoute } from "../../naming/logicalNames.ts";
import { namespaceName } from "../../naming/names.ts";
import type { KnownObjects } from "../decisions/unread/lastState.ts";
import { isAbsent } from "../decisions/unread/unread.ts";
import { isRead } from "../manifest/manifest.ts";
import type { MemberPlan } from "../memberPlan.ts";
import { isEnding } from "../membership/ending.ts";
import type { Planned } from "../plan.ts";

type Live = Pick<ClusterSnapshot, "namespaces" | "services" | "managedObjects" | "unread">;

/**
 * What is not there and may have been: whether an earlier run has made it, only Pulumi's state tells. Of a member who is new,
 * or whose path was closed, it is nothing: those are in every other run, and to ask the state takes a second of a big stack.
 */
export function mayBeMissing({ members, settings, shared, snapshot }: Planned<Live>): ObjectName[] {
  const known = knownMembers(settings, snapshot);
  return known.size === 0
    ? []
    : [
        ...shared.filter(isRead).filter((object) => isAbsent(object, snapshot)),
        ...members
          .filter(({ member }) => !isEnding(member, snapshot))
          .flatMap((plan) => absentOf(plan, snapshot, known.has(plan.member.name))),
      ];
}

/**
 * One warning for all that an earlier run has made and that is not there; none when nothing is missing. Pulumi looks at the
 * cluster only when it refreshes: a run takes what is gone for unchanged, or fails to change it.
 * @param known what the state has
 */
export function missingWarning(plan: Planned<Live>, known: KnownObjects): string | undefined {
  const missing = mayBeMissing(plan).filter((object) => known.has(keyOf(object)));
  return missing.length === 0
    ? undefined
    : [
        "Missing. Somebody has deleted it, and 'pulumi up --refresh' brings it back:",
        ...missing.map((object) => `  ${keyOf(object)}`),
      ].join("\n");
}

function absentOf({ member, classified }: MemberPlan, snapshot: Live, isKnown: boolean): ObjectName[] {
  const absent = classified.flatMap(({ object, standing }) => (standing === "toMake" ? [object] : []));
  if (!snapshot.namespaces.has(namespaceName(member))) {
    // What is in a namespace comes back with it.
    return isKnown ? absent.filter(({ kind }) => kind === "Namespace") : [];
  }
  const isOpen = classified.some(({ object, live }) => isOfRoute(object) && live !== undefined);
  return absent.filter((object) => isOpen || !isOfRoute(object));
}

/** Names of those of whom there is something of this stack. */
const knownMembers = ({ stack }: Settings, { managedObjects }: Live) =>
  new Set(
    [...managedObjects.values()].flatMap(({ labels }) => (labels[stackLabel] === stack ? [labels[memberLabel]] : [])),
  );
