import * as pulumi from "@pulumi/pulumi";
import { type ClusterSnapshot, keyOf } from "../../cluster/read/snapshot.ts";
import { leftoversOf } from "../../cluster/write/leftovers.ts";
import { type ObjectPatch, patchEach } from "../../cluster/write/patchEach.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { addedMarksPatch } from "../../plan/compare/addedMarks.ts";
import type { Planned } from "../../plan/compare/classify.ts";
import type { Drift } from "../../plan/compare/drift.ts";
import { isOpening, readinessOf } from "../../plan/decisions/readiness.ts";
import { starterImageOf } from "../../plan/decisions/starter/image.ts";
import { starterPlan } from "../../plan/decisions/starter/plan.ts";
import { baseOf, routeOf } from "../../plan/manifest/declared.ts";

type Live = Pick<ClusterSnapshot, "managedObjects" | "services" | "unread" | "taken">;

/**
 * Labels and annotations that somebody has put beside the declared ones of what members have, as patches that take them
 * off: server-side apply leaves them with whoever put them there.
 */
export function addedToMembers(
  members: readonly Member[],
  settings: Settings,
  snapshot: Live,
  drift: Drift,
): ObjectPatch[] {
  return members.flatMap((member) => {
    const { marks = false } = starterPlan(member, settings, snapshot) ?? {};
    const base = baseOf(member, settings, marks, starterImageOf(member, settings, snapshot));
    const isOpen = member.route !== undefined && isOpening(readinessOf(member, settings, snapshot));
    return [...base, ...(isOpen ? routeOf(member, settings) : [])].flatMap((object) => addedTo(object, drift));
  });
}

/** Of one object: the patch, if there is anything to take off. */
export function addedTo({ kind, args }: Planned, drift: Drift): ObjectPatch[] {
  const { object, verdict, difference } = drift.of(kind, args);
  const marks = verdict === "changedByHand" ? difference.added : undefined;
  return marks === undefined ? [] : [leftoversOf(object, addedMarksPatch(marks))];
}

/**
 * Takes off what was added by hand, before the provider applies what is declared; in a preview, nothing is. What can't be
 * taken off is one member's trouble, of which a warning tells: the others' run goes on.
 */
export async function takeOffOrWarn(all: readonly ObjectPatch[], settings: Settings): Promise<void> {
  if (pulumi.runtime.isDryRun()) {
    return;
  }
  for (const { why, ...object } of await patchEach(all, settings)) {
    await pulumi.log.warn(`${keyOf(object)} is not all as it is declared: ${why}`);
  }
}
