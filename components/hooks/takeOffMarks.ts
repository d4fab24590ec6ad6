import * as pulumi from "@pulumi/pulumi";
import { keyOf } from "../../cluster/read/snapshot.ts";
import { leftoversOf } from "../../cluster/write/leftovers.ts";
import { type ObjectPatch, patchEach } from "../../cluster/write/patchEach.ts";
import type { Settings } from "../../config/model/settings.ts";
import { addedMarksPatch } from "../../plan/compare/addedMarks.ts";
import type { Drift } from "../../plan/compare/drift.ts";
import { isRead } from "../../plan/manifest/manifest.ts";
import type { ReadObject } from "../../plan/manifest/row.ts";
import type { MemberPlan } from "../../plan/memberPlan.ts";

/**
 * Labels and annotations that somebody has put beside the declared ones of what members have, as patches that take them
 * off: server-side apply leaves them with whoever put them there.
 */
export const addedToMembers = (members: readonly MemberPlan[], drift: Drift): ObjectPatch[] =>
  members.flatMap(({ objects }) =>
    objects
      .filter(isRead)
      .filter(({ marked }) => marked === "whole" || marked === "named")
      .flatMap((object) => addedTo(object, drift)),
  );

/** Of one object: the patch, if there is anything to take off. */
export function addedTo({ kind, args }: Pick<ReadObject, "kind" | "args">, drift: Drift): ObjectPatch[] {
  const { name, namespace } = args.metadata;
  const marks = drift.addedTo(kind, args);
  return marks === undefined ? [] : [leftoversOf({ kind, name, namespace }, addedMarksPatch(marks))];
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
