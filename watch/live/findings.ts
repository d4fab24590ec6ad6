import { keyOf, objectKey, serviceKey } from "../../cluster/kinds/objectName.ts";
import type { BoardDifference } from "../../commands/board/model.ts";
import type { Member } from "../../config/member/member.ts";
import { memberLabel, staffUntilAnnotation } from "../../config/names/labels.ts";
import { isOfRoute } from "../../config/names/logicalNames.ts";
import { namespaceName, serviceName, staffBindingName, wakeName } from "../../config/names/names.ts";
import { staffRoles } from "../../config/staff.ts";
import { leasesText } from "../../objects/rbac/subjects.ts";
import { isBetween } from "../../plan/decisions/sleep.ts";
import type { Classified } from "../../plan/live/classify.ts";
import type { MemberPlan } from "../../plan/members/memberPlan.ts";
import type { Planned } from "../../plan/members/plan.ts";
import { ownMembers } from "../../plan/members/shards.ts";
import { isIgnored } from "../../plan/rows/manifest.ts";
import type { ReadObject } from "../../plan/rows/row.ts";
import type { LiveSnapshot } from "./liveObjects.ts";

export type Divergence = BoardDifference;

/** Differences that an up would mend. Who is expired was decided when the configuration was parsed. */
export function findings({
  settings,
  classified,
  members: plans,
  snapshot: live,
}: Planned<LiveSnapshot>): Divergence[] {
  const members = plans.map(({ member }) => member);
  const own = new Set(ownMembers(members, settings, live));
  return [
    // The backend CA's Secret is left out: the right to watch Secrets is the right to read them.
    ...classified.filter(({ object }) => !object.isControllers).flatMap((each) => judged(undefined, each, live)),
    ...plans.filter(({ member }) => own.has(member)).flatMap((plan) => findingsOf(plan, live)),
  ];
}

function findingsOf(plan: MemberPlan, live: LiveSnapshot): Divergence[] {
  const { member, classified } = plan;
  const home = live.namespaces.get(namespaceName(member));
  const routeFindings = findingsOfRoute(plan, live);
  // Until the namespace is gone, an up can only close the route.
  if (home?.terminating === true) {
    return routeFindings.filter(({ what }) => what === "route closes");
  }
  if (home === undefined && member.leaves !== undefined) {
    // Somebody has deleted it early, and no run makes it again for a member who has left the list.
    return [];
  }
  if (home === undefined) {
    // A new namespace brings its objects with it.
    const object = objectKey("Namespace", namespaceName(member));
    const closes = routeFindings.filter(({ what }) => what === "route closes");
    return [{ member: member.name, what: "missing", object }, ...closes];
  }
  // Until an up is through with it, what differs is its work.
  if (isBetween(member, live)) {
    const what = member.standing === "asleep" ? "falls asleep" : "wakes";
    const object = objectKey("Namespace", namespaceName(member));
    return [{ member: member.name, what, object }, ...routeFindings];
  }
  const refused = member.wakeAnswer === undefined ? [] : [refusedWake(member)];
  const leases = endingLeases(member, live);
  // Until an up is through with ended leases, what differs in access of staff is its work.
  const isLeft = ({ part }: ReadObject) => leases.length > 0 && /^staff(-role)?\//.test(part);
  // Objects that the member may change are no divergence.
  const base = classified.filter(
    ({ object }) => !isOfRoute(object) && !isIgnored(object) && object.part !== "service" && !isLeft(object),
  );
  const others = base.flatMap((each) => judged(member, each, live));
  return [...refused, ...leases, ...others, ...managedFindings(plan, live), ...routeFindings];
}

/** Nothing else differs: the ConfigMap is the member's. */
const refusedWake = (member: Member): Divergence => ({
  member: member.name,
  what: "wake refused",
  object: objectKey("ConfigMap", wakeName, namespaceName(member)),
});

/** Bindings of staff whose leases are not those that still run. One that is no longer declared is found by nothing else. */
const endingLeases = (member: Member, { managedObjects }: LiveSnapshot): Divergence[] =>
  staffRoles.flatMap((role): Divergence[] => {
    const object = objectKey("RoleBinding", staffBindingName(role), namespaceName(member));
    const shown = managedObjects.get(object)?.annotations[staffUntilAnnotation];
    return shown === undefined || shown === leasesText(member, role)
      ? []
      : [{ member: member.name, what: "staff ends", object }];
  });

function findingsOfRoute(plan: MemberPlan, live: LiveSnapshot): Divergence[] {
  const { member, readiness, classified } = plan;
  const route = member.route === undefined ? [] : plan.route;
  const door = route.at(-1);
  // An unread Service opens and closes nothing.
  if (door === undefined || readiness.state === "unknown") {
    return [];
  }
  const open = route.filter((object) => live.managedObjects.get(keyOf(object))?.labels[memberLabel] === member.name);
  const found = { member: member.name, object: keyOf(door) };
  if (readiness.state !== "ready") {
    return open.length === 0 ? [] : [{ ...found, what: "route closes" }];
  }
  if (open.length === 0) {
    return [{ ...found, what: "route opens" }];
  }
  return classified.filter(({ object }) => route.includes(object)).flatMap((part) => judged(member, part, live));
}

/** kubecamp's Service keeps the member's changes if they are fit. */
function managedFindings({ member, service }: MemberPlan, live: LiveSnapshot): Divergence[] {
  if (service === undefined) {
    return [];
  }
  const namespace = namespaceName(member);
  const name = serviceName(member);
  const object = objectKey("Service", name, namespace);
  const isThere = live.services.has(serviceKey(namespace, name));
  return isThere && !service.isTakenOver && service.mends.length === 0
    ? []
    : [{ member: member.name, what: isThere ? "changed" : "missing", object }];
}

function judged(member: Member | undefined, own: Classified<ReadObject>, live: LiveSnapshot): Divergence[] {
  const found = { member: member?.name, object: keyOf(own.object) };
  if (!live.managedObjects.has(found.object)) {
    return [{ ...found, what: "missing" }];
  }
  return own.verdict === "fine" ? [] : [{ ...found, what: "changed" }];
}
