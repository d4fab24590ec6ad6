import * as pulumi from "@pulumi/pulumi";
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
import type { Adoption } from "../membership/adoption/adopt.ts";
import { deletionPlan } from "../membership/offboarding/deletionPlan.ts";
import { movesWarning } from "../membership/shards.ts";
import { driverOf } from "../routes/drivers/drivers.ts";
import { anyImageWarning } from "./anyImage.ts";
import { closingDoorsWarning, closingRoutesWarning } from "./closing.ts";
import { expiryWarning } from "./expiry.ts";
import { shrinkingWarning } from "./shrinking.ts";
import { type MemberStatus, statusesOf } from "./status.ts";
import { uncheckedWarning } from "./unchecked.ts";

/** What a run is told by. */
interface Look {
  readonly settings: Settings;
  readonly snapshot: ClusterSnapshot;
  readonly adoption: Adoption;
}

/**
 * All that is to be said of a run before it makes anything, with what it could not look at before all that it could.
 * @param list all members
 */
export function runWarnings(
  list: readonly Member[],
  target: Target,
  { settings, snapshot, adoption }: Look,
): (string | undefined)[] {
  const statuses = statusesOf(target.members, target, settings, snapshot);
  return [
    uncheckedWarning(target.members, settings, snapshot),
    removes(target) ? deletionPlan(list, settings, snapshot, target) : undefined,
    domainWarning(settings, snapshot),
    target.isWhole ? movesWarning(list, settings, snapshot) : undefined,
    ...adoption.warnings,
    ...memberWarnings(target.members, statuses, settings, snapshot, adoption.takenOver),
    // Nothing of one run's: who watches for what differs need not be told each time.
    target.isWhole ? anyImageWarning(target.members) : undefined,
  ];
}

/**
 * What is to be said of members, one warning per matter, however many it is about.
 * @param members whom the run is about
 * @param statuses theirs, and maybe others'
 * @param takenOver keys of what this run takes over
 */
export function memberWarnings(
  members: readonly Member[],
  statuses: Readonly<Record<string, MemberStatus>>,
  settings: Settings,
  snapshot: ClusterSnapshot,
  takenOver: ReadonlySet<string>,
): (string | undefined)[] {
  return [
    missingWarning(members, settings, snapshot, takenOver),
    closingDoorsWarning(members, snapshot),
    restlessWarning(restlessMembers(members, snapshot)),
    expiryWarning(members, new Date()),
    shrinkingWarning(members, settings, snapshot),
    closingRoutesWarning(members, statuses, settings, snapshot),
    driverOf(settings).unservedWarning?.(members, settings, snapshot),
    managedWarning(members, settings, snapshot),
    starterWarning(members, settings, snapshot),
    bucketsWarning(members, settings, snapshot),
    certificateWarning(members, settings),
  ];
}

function certificateWarning(members: readonly Member[], settings: Settings): string | undefined {
  const { path, message } = sharedCertificate({ settings, members }) ?? {};
  return path === undefined ? undefined : `${path}: ${message}`;
}

/** Shows them with the preview or the up, in their order. */
export async function warn(warnings: readonly (string | undefined)[]): Promise<void> {
  for (const warning of warnings.filter((each) => each !== undefined)) {
    await pulumi.log.warn(warning);
  }
}
