import type { KindOfRoute } from "../../cluster/kinds/stackKinds.ts";
import { type ClusterSnapshot, keyOf, type ObjectName, objectKey } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import {
  formerStacksAnnotation,
  maxPodsAnnotation,
  memberLabel,
  priorityClassesAnnotation,
  stackLabel,
  standingLabel,
  traitsLabel,
  traitsText,
} from "../../naming/labels.ts";
import { isOfRoute } from "../../naming/logicalNames.ts";
import { admissionPolicyName, clusterRoleBindingName, namespaceName } from "../../naming/names.ts";
import { isOfBuckets } from "../decisions/buckets/names.ts";
import { isOfStarter } from "../decisions/starter/names.ts";
import { isAbsent } from "../decisions/unread/unread.ts";
import { policyObjectsOf } from "../manifest/policyObjects.ts";
import type { MemberPlan } from "../memberPlan.ts";
import { isEnding } from "../membership/ending.ts";
import type { Planned } from "../plan.ts";
import { isDoor, partsOf } from "../routes/drivers/drivers.ts";
import { isOurs } from "./foreign.ts";

type Live = Pick<ClusterSnapshot, "namespaces" | "services" | "managedObjects" | "unread">;

/**
 * One warning for all that an earlier run must have made and that is not there; none when nothing is missing. Pulumi
 * looks at the cluster only when it refreshes: a run takes what is gone for unchanged, or fails to change it.
 * @param takenOver keys of what this run takes over; a namespace that was not ours has had none of it
 */
export function missingWarning(
  { members, settings, shared, snapshot }: Planned<Live>,
  takenOver: ReadonlySet<string>,
): string | undefined {
  const known = knownMembers(settings, snapshot);
  const missing: ObjectName[] = members
    .filter(
      ({ member }) => !takenOver.has(objectKey("Namespace", namespaceName(member))) && !isEnding(member, snapshot),
    )
    .flatMap((plan) => missingOf(plan, snapshot, known));
  missing.unshift(...missingPolicies(policyObjectsOf({ shared }), settings, snapshot));
  return missing.length === 0
    ? undefined
    : [
        "Missing. What this run does not create, somebody has deleted, and 'pulumi up --refresh' brings it back:",
        ...missing.map((object) => `  ${keyOf(object)}`),
      ].join("\n");
}

/** Policies that have come together with the number of pods that a namespace says. */
const laterPolicies = ["amounts", "reserved"] as const;

/**
 * A run that makes a namespace says in it which PriorityClasses there may be, and how many pods one object may ask for, and
 * makes the policies that ask; the second has come later, and policies with it that are as new.
 */
function missingPolicies(policies: readonly ObjectName[], settings: Settings, snapshot: Live): ObjectName[] {
  const says = (annotation: string) =>
    [...snapshot.managedObjects].some(
      ([key, live]) =>
        key.startsWith("Namespace ") &&
        // A sibling's, whose policies have other names, has not come over yet.
        isOurs(live, { stack: settings.stack }) &&
        live.annotations[annotation] !== undefined,
    );
  const [known, knownLater] = [says(priorityClassesAnnotation), says(maxPodsAnnotation)];
  const later = laterPolicies.map((policy) => admissionPolicyName(policy, settings));
  return policies.filter((object) => (later.includes(object.name) ? knownLater : known) && isAbsent(object, snapshot));
}

function missingOf(
  { member, settings, starter, classified }: MemberPlan,
  snapshot: Live,
  known: ReadonlySet<string | undefined>,
): ObjectName[] {
  const present = classified.flatMap(({ object, live }) => (live === undefined ? [] : [{ object, live }]));
  const absent = classified.flatMap(({ object, standing }) => (standing === "toMake" ? [object] : []));
  const home = snapshot.namespaces.get(namespaceName(member));
  if (home === undefined) {
    // Who is new has nothing elsewhere either; and what is in a namespace comes back with it.
    return absent.filter(({ kind }) => kind === "Namespace" && known.has(member.name));
  }
  const traits = traitsText(member.type);
  const { [traitsLabel]: traitsBefore = traits, [standingLabel]: standingBefore = "active" } = home.labels;
  const sameTraits = traitsBefore === traits;
  const route = present.filter(({ object }) => isOfRoute(object));
  const says = (kind: KindOfRoute, words: string) =>
    route.some(({ object, live }) => object.kind === kind && JSON.stringify(live).includes(words));
  // A route that is only to be opened has nothing yet.
  const isOpen = route.length > 0;
  // What is only now to speak TLS, to a CA of its own, or to be stripped, has had none of it.
  const isReferredTo = ({ kind }: ObjectName) => {
    const { reference } = partsOf(settings).find((part) => part.kind === kind) ?? {};
    return reference === undefined || says(reference.from, reference.words(member, settings));
  };
  return absent.filter((object) => {
    if (isOfStarter(object)) {
      // What is made once, and is not there, is yet to be made or stays away; and the mark comes with the first of it.
      return starter?.mode === "kept" && starter.wasMade;
    }
    if (isOfBuckets(object, member, settings)) {
      // The other of the two, if any, says that the bucket is not only to be made.
      return present.some(({ object: other }) => other.name === object.name && isOfBuckets(other, member, settings));
    }
    if (isOfRoute(object)) {
      return isDoor(object) || object.kind === "Service" ? isOpen : isReferredTo(object);
    }
    switch (object.kind) {
      // Their names, or whether there are any, come with what the member is by now.
      case "Role":
        return sameTraits;
      case "ClusterRoleBinding":
        return sameTraits && standingBefore === "active" && !isComing(member, settings, snapshot);
      case "RoleBinding":
        return sameTraits && standingBefore === "active";
      case "ResourceQuota":
        return sameTraits && standingBefore === member.standing;
      case "Service":
        // One that kubecamp is only now to make for them, nobody has deleted.
        return isOpen;
      default:
        return true;
    }
  });
}

/** Whether somebody was handed over, and has the ClusterRoleBinding of a stack before, whose name carries that one. */
function isComing(member: Member, settings: Settings, snapshot: Live): boolean {
  const home = snapshot.managedObjects.get(objectKey("Namespace", namespaceName(member)));
  const former = home?.annotations[formerStacksAnnotation]?.split(",") ?? [];
  const { others } = member.type;
  return former.some(
    (stack) =>
      others !== "none" &&
      snapshot.managedObjects.has(
        objectKey("ClusterRoleBinding", clusterRoleBindingName(member, others, { ...settings, stack })),
      ),
  );
}

/** Who has something of this stack outside of a namespace of their own. */
function knownMembers({ stack }: Settings, { managedObjects }: Live): Set<string | undefined> {
  return new Set(
    [...managedObjects]
      .filter(([key, { labels }]) => labels[stackLabel] === stack && /^(ClusterRoleBinding|Ingress) /.test(key))
      .map(([, { labels }]) => labels[memberLabel]),
  );
}
