import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { bucketsPlan } from "../decisions/buckets/plan.ts";
import { managedServiceOf } from "../decisions/managedService.ts";
import { isOpening, readinessOf } from "../decisions/readiness.ts";
import { starterImageOf } from "../decisions/starter/image.ts";
import { starterPlan } from "../decisions/starter/plan.ts";
import type { MemberFacts } from "./row.ts";

/** All that a run decides about a member by what it has seen of the cluster. */
export function factsOf(
  member: Member,
  settings: Settings,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "services" | "unread" | "taken">,
): MemberFacts {
  const plan = managedServiceOf(member, settings, snapshot);
  return {
    member,
    settings,
    isOpen: member.route !== undefined && isOpening(readinessOf(member, settings, snapshot)),
    service: plan !== undefined && "service" in plan ? plan.service : undefined,
    starter: starterPlan(member, settings, snapshot),
    starterImage: starterImageOf(member, settings, snapshot),
    buckets: bucketsPlan(member, settings, snapshot),
    managedObjects: snapshot.managedObjects,
  };
}
