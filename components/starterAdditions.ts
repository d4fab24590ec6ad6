import * as pulumi from "@pulumi/pulumi";
import { forEachOf } from "../cluster/apiServer/forEachOf.ts";
import type { Drift } from "../cluster/drift.ts";
import { type Leftovers, leftoversPatch, takeOffLeftovers } from "../cluster/leftovers.ts";
import { keyOf } from "../cluster/memberObjects.ts";
import type { ClusterSnapshot } from "../cluster/snapshot.ts";
import { starterObject } from "../cluster/starter/names.ts";
import { starterPlan } from "../cluster/starter/plan.ts";
import type { Member, Settings } from "../config/settings.ts";
import { starterDeployment } from "./objects/starter/starterDeployment.ts";

/**
 * What somebody has added by hand to starter apps that are kept, such as a container or a command: server-side apply would
 * leave it with whoever added it, and the app be another one for good.
 */
export function starterAdditions(
  members: readonly Member[],
  settings: Settings,
  snapshot: Pick<ClusterSnapshot, "guards" | "services" | "unread">,
  drift: Drift,
): Leftovers[] {
  return members.flatMap((member) => {
    const plan = starterPlan(member, settings, snapshot);
    if (plan?.mode !== "kept" || !plan.made.includes("Deployment")) {
      return [];
    }
    const declared = starterDeployment(member, plan.mode, settings);
    const live = drift.changedByHand("Deployment", declared);
    const patch = leftoversPatch(live?.content.spec, declared.spec);
    return patch === undefined ? [] : [{ ...starterObject(member, "Deployment"), patch }];
  });
}

/**
 * Takes it off, before the provider applies what is declared; in a preview, nothing is. What can't be taken off is one
 * member's trouble, of which a warning tells: the others' run goes on.
 */
export async function takeOffStarterAdditions(
  members: readonly Member[],
  settings: Settings,
  snapshot: Pick<ClusterSnapshot, "guards" | "services" | "unread">,
  drift: Drift,
): Promise<void> {
  if (pulumi.runtime.isDryRun()) {
    return;
  }
  await forEachOf(starterAdditions(members, settings, snapshot, drift), async (added) => {
    await takeOffLeftovers([added], settings).catch(async (error) => {
      const why = error instanceof Error ? error.message : String(error);
      await pulumi.log.warn(`${keyOf(added)} is not all as it is declared: ${why}`);
    });
  });
}
