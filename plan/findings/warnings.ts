import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { lookAlikes } from "../../config/member/lookAlikes.ts";
import type { Member } from "../../config/member/member.ts";
import { sharedCertificate, sharedLogin } from "../../config/route/hosts.ts";
import { leasesOver } from "../../config/staff.ts";
import { unlikelyDomain } from "../decisions/clusterDomain.ts";
import { withoutTaken } from "../decisions/givenObjects.ts";
import { removes, type Target } from "../decisions/target.ts";
import type { KnownObjects } from "../live/knownState.ts";
import { missingObjects } from "../members/missing.ts";
import type { Plan, Planned } from "../members/plan.ts";
import { restlessMembers } from "../members/restless.ts";
import { transferFindings } from "../members/transfers.ts";
import { unrecordedFindings } from "../members/unrecorded.ts";
import type { Finding } from "../words/finding.ts";
import { budgetsTold, exceededBudgets } from "./budgets.ts";
import { closingDoors, closingRoutes, sleepTold, stoppedPods } from "./closing.ts";
import { nearOf, noticeLook } from "./coming.ts";
import {
  bucketObstacles,
  givenObstacles,
  halfServed,
  mendedServices,
  starterObstacles,
  unattached,
} from "./decisions.ts";
import { lackingDevices, lackingPools } from "./hardware.ts";
import { leavingMembers, notGone } from "./leaving.ts";
import { inGrace, runningAnyImage, selectorsOf, selectorsOverNobody, unarchived, unsplitList } from "./list.ts";
import { shrinkingQuotas } from "./quotas.ts";
import { jobsOfTwo } from "./sharedJobs.ts";
import { type MemberStatus, statusesOf } from "./status.ts";
import { uncheckedMatters } from "./unchecked.ts";

/** Before a run makes anything, beginning with what it could not check. @param plan for the targeted members */
export function runWarnings(
  plan: Plan,
  target: Target,
  { adoption, known }: { readonly adoption: readonly Finding[]; readonly known: KnownObjects | undefined },
): Finding[] {
  const { list, settings, snapshot } = plan;
  const members = plan.members.map(({ member }) => member);
  return [
    ...uncheckedMatters(members, settings, snapshot),
    ...(removes(target) ? leavingMembers(plan, target) : []),
    ...(target.isWhole ? notGone(plan) : []),
    ...unlikelyDomain(settings, snapshot),
    ...(target.isWhole ? transferFindings(list, settings, snapshot) : []),
    ...adoption,
    ...memberWarnings(plan, statusesOf(plan, target), known ?? new Set()),
    ...exceededBudgets(list, settings, snapshot),
    // The rest concerns the stack as a whole, so only a full run reports it.
    ...(target.isWhole ? unrecordedFindings(plan, known) : []),
    ...(target.isWhole
      ? [
          ...runningAnyImage(members),
          ...unsplitList(list, settings),
          ...selectorsOverNobody(selectorsOf(settings), list),
          ...leasesOver(settings, new Date()).map((facts) => ({ code: "staffOver", facts }) as const),
        ]
      : []),
  ];
}

/** @param plan for the targeted members; `statuses` may have others, too */
export function memberWarnings(
  plan: Planned<ClusterSnapshot>,
  statuses: Readonly<Record<string, MemberStatus>>,
  known: KnownObjects,
): Finding[] {
  const { settings, snapshot } = plan;
  const members = plan.members.map(({ member }) => member);
  const [certificate, login] = [sharedCertificate({ settings, members }), sharedLogin({ settings, members })];
  return [
    ...missingObjects(plan, known),
    ...inGrace(members),
    ...unarchived(members, settings),
    ...closingDoors(members, snapshot),
    ...stoppedPods(restlessMembers(members, snapshot)),
    ...nearOf(noticeLook(plan), "expires", "staffEnds"),
    ...shrinkingQuotas(
      plan.members.map(({ member, takenObjects }) => withoutTaken(member, takenObjects)),
      settings,
      snapshot,
    ),
    ...lackingPools(members, snapshot),
    ...lackingDevices(members, snapshot),
    ...closingRoutes(members, statuses, settings, snapshot),
    ...unattached(plan),
    ...mendedServices(plan),
    ...halfServed(plan),
    ...starterObstacles(plan),
    ...bucketObstacles(plan),
    ...givenObstacles(plan),
    ...jobsOfTwo(plan),
    ...(certificate === undefined ? [] : [{ code: "certificate", facts: certificate } as const]),
    ...(login === undefined ? [] : [{ code: "sharedLogin", facts: login } as const]),
    ...lookAlikes(members).map((text) => ({ code: "lookAlike", facts: { text } }) as const),
  ];
}

/** Nobody has to act on it. @param list all members of the stack, whose quotas budgets sum up */
export function runNotices(
  plan: Planned<ClusterSnapshot>,
  list: readonly Member[],
  members: readonly Member[],
): Finding[] {
  const look = noticeLook(plan);
  return [
    ...budgetsTold(list, plan.settings),
    ...nearOf(look, "quotaNearlyFull"),
    ...sleepTold(members),
    ...nearOf(look, "sleepsSoon"),
  ];
}
