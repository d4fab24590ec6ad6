import { domainWarning } from "../../cluster/read/clusterDomain.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { restlessMembers, restlessWarning } from "../../cluster/write/pods.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { removes, type Target } from "../../config/model/target.ts";
import { sharedCertificate } from "../../config/rules/routes/sharedCertificate.ts";
import { missingWarning } from "../compare/missing.ts";
import { bucketsWarning } from "../decisions/buckets/plan.ts";
import { managedWarning } from "../decisions/managedService.ts";
import { starterWarning } from "../decisions/starter/plan.ts";
import type { Adoption } from "../membership/adoption/adoption.ts";
import { deletionPlan } from "../membership/offboarding/deletionPlan.ts";
import { movesWarning } from "../membership/shards.ts";
import type { Plan, Planned } from "../plan.ts";
import { driverOf } from "../routes/drivers/drivers.ts";
import { anyImageWarning } from "./anyImage.ts";
import { closingDoorsWarning, closingRoutesWarning } from "./closing.ts";
import { expiryWarning } from "./expiry.ts";
import { shrinkingWarning } from "./shrinking.ts";
import { type MemberStatus, statusesOf } from "./status.ts";
import { uncheckedWarning } from "./unchecked.ts";

/**
 * All that is to be said of a run before it makes anything, with what it could not look at before all that it could.
 * @param plan of those whom it is about
 */
export function runWarnings(plan: Plan, target: Target, adoption: Adoption): (string | undefined)[] {
  const { list, settings, snapshot } = plan;
  const members = plan.members.map(({ member }) => member);
  return [
    uncheckedWarning(members, settings, snapshot),
    removes(target) ? deletionPlan(plan, target) : undefined,
    domainWarning(settings, snapshot),
    target.isWhole ? movesWarning(list, settings, snapshot) : undefined,
    ...adoption.warnings,
    ...memberWarnings(plan, statusesOf(plan, target), adoption.takenOver),
    // Nothing of one run's: who watches for what differs need not be told each time.
    target.isWhole ? anyImageWarning(members) : undefined,
  ];
}

/**
 * What is to be said of members, one warning per matter, however many it is about.
 * @param plan of those whom the run is about
 * @param statuses theirs, and maybe others'
 * @param takenOver keys of what this run takes over
 */
export function memberWarnings(
  plan: Planned<ClusterSnapshot>,
  statuses: Readonly<Record<string, MemberStatus>>,
  takenOver: ReadonlySet<string>,
): (string | undefined)[] {
  const { settings, snapshot } = plan;
  const members = plan.members.map(({ member }) => member);
  return [
    missingWarning(plan, takenOver),
    closingDoorsWarning(members, snapshot),
    restlessWarning(restlessMembers(members, snapshot)),
    expiryWarning(members, new Date()),
    shrinkingWarning(members, settings, snapshot),
    closingRoutesWarning(members, statuses, settings, snapshot),
    driverOf(settings).unservedWarning?.(plan),
    managedWarning(plan),
    starterWarning(plan),
    bucketsWarning(plan),
    certificateWarning(members, settings),
  ];
}

function certificateWarning(members: readonly Member[], settings: Settings): string | undefined {
  const { path, message } = sharedCertificate({ settings, members }) ?? {};
  return path === undefined ? undefined : `${path}: ${message}`;
}
