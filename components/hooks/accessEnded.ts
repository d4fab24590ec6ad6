import * as pulumi from "@pulumi/pulumi";
import { keyOf } from "../../cluster/read/snapshot.ts";
import { patchEach } from "../../cluster/write/patchEach.ts";
import type { Target } from "../../config/model/target.ts";
import { endedAccess } from "../../plan/membership/endedAccess.ts";
import type { Plan } from "../../plan/plan.ts";
import { warn } from "../warn.ts";

/**
 * Takes off bindings whom they are to let in no more, before anything is registered. Pulumi deletes last, and nothing in a run
 * in which anything fails, of whomever: who is suspended would keep their access until all is well. The bindings themselves
 * are left for Pulumi to change or delete. What can't be written is told, and stops nobody else's run.
 */
export async function endAccess(plan: Plan, target: Target): Promise<void> {
  const ended = endedAccess(plan, target);
  if (pulumi.runtime.isDryRun() || ended.length === 0) {
    return;
  }
  const patches = ended.map(({ member, kept, ...binding }) => ({
    ...binding,
    what: `end access to what is member '${member}'s, in ${binding.kind} '${binding.name}'`,
    patch: { subjects: kept },
  }));
  const refused = await patchEach(patches, plan.settings);
  await warn(refused.map(({ why, ...object }) => ({ code: "accessNotEnded", object: keyOf(object), facts: { why } })));
}
