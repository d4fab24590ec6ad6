import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { removes, type Target } from "../../config/model/target.ts";
import { sharedCertificate } from "../../config/rules/routes/sharedCertificate.ts";
import { missingObjects } from "../compare/missing.ts";
import { unlikelyDomain } from "../decisions/clusterDomain.ts";
import type { KnownObjects } from "../decisions/unread/lastState.ts";
import { leavingMembers } from "../membership/offboarding/deletionPlan.ts";
import { restlessMembers } from "../membership/restless.ts";
import { moving } from "../membership/shards.ts";
import { unrecordedFindings } from "../membership/unrecorded.ts";
import type { Finding } from "../messages/finding.ts";
import type { Plan, Planned } from "../plan.ts";
import { driverOf } from "../routes/drivers/drivers.ts";
import { runningAnyImage } from "./anyImage.ts";
import { closingDoors, closingRoutes, stoppedPods } from "./closing.ts";
import { bucketObstacles, mendedServices, starterObstacles } from "./decisions.ts";
import { expiring } from "./expiry.ts";
import { shrinkingQuotas } from "./shrinking.ts";
import { type MemberStatus, statusesOf } from "./status.ts";
import { uncheckedMatters } from "./unchecked.ts";
import { unsplitList } from "./unsplit.ts";

/** What is known of a run beside its plan. */
export interface KnownOfRun {
  /** What becomes of what kubecamp has not made. */
  readonly adoption: readonly Finding[];
  /** What Pulumi's state has. */
  readonly known: KnownObjects;
}

/**
 * All that is to be said of a run before it makes anything, with what it could not look at before all that it could.
 * @param plan of those whom it is about
 */
export function runWarnings(plan: Plan, target: Target, { adoption, known }: KnownOfRun): Finding[] {
  const { list, settings, snapshot } = plan;
  const members = plan.members.map(({ member }) => member);
  return [
    ...uncheckedMatters(members, settings, snapshot),
    ...(removes(target) ? leavingMembers(plan, target) : []),
    ...unlikelyDomain(settings, snapshot),
    ...(target.isWhole ? moving(list, settings, snapshot) : []),
    ...adoption,
    ...memberWarnings(plan, statusesOf(plan, target), known),
    // Nothing of one run's: who watches for what differs need not be told each time.
    ...(target.isWhole ? unrecordedFindings(plan, known) : []),
    ...(target.isWhole ? [...runningAnyImage(members), ...unsplitList(list, settings)] : []),
  ];
}

/**
 * What is to be said of members.
 * @param plan of those whom the run is about
 * @param statuses theirs, and maybe others'
 * @param known what Pulumi's state has
 */
export function memberWarnings(
  plan: Planned<ClusterSnapshot>,
  statuses: Readonly<Record<string, MemberStatus>>,
  known: KnownObjects,
): Finding[] {
  const { settings, snapshot } = plan;
  const members = plan.members.map(({ member }) => member);
  return [
    ...missingObjects(plan, known),
    ...closingDoors(members, snapshot),
    ...stoppedPods(restlessMembers(members, snapshot)),
    ...expiring(members, new Date()),
    ...shrinkingQuotas(members, settings, snapshot),
    ...closingRoutes(members, statuses, settings, snapshot),
    ...(driverOf(settings).unserved?.(plan) ?? []),
    ...mendedServices(plan),
    ...starterObstacles(plan),
    ...bucketObstacles(plan),
    ...sharedCertificates(members, settings),
  ];
}

function sharedCertificates(members: readonly Member[], settings: Settings): Finding[] {
  const facts = sharedCertificate({ settings, members });
  return facts === undefined ? [] : [{ code: "certificate", facts }];
}
