import * as pulumi from "@pulumi/pulumi";
import { keyOf } from "../../cluster/kinds/objectName.ts";
import { patchEach } from "../../cluster/write/patchEach.ts";
import type { Target } from "../../plan/decisions/target.ts";
import { endedAccess } from "../../plan/members/endedAccess.ts";
import type { Plan } from "../../plan/members/plan.ts";
import { warn } from "../warn.ts";

/**
 * Removes subjects from bindings before anything is registered. Pulumi deletes last, and nothing if anything in the run
 * fails: a suspended member would keep access until then. A failed write is a warning, and stops nobody's run.
 */
export async function endAccess(plan: Plan, target: Target): Promise<void> {
  const ended = endedAccess(plan, target);
  if (pulumi.runtime.isDryRun() || ended.length === 0) {
    return;
  }
  const patches = ended.map(({ member, kept, ...binding }) => ({
    ...binding,
    what: `end access to member '${member}'s objects, in ${binding.kind} '${binding.name}'`,
    patch: { subjects: kept },
  }));
  const refused = await patchEach(patches, plan.settings);
  await warn(refused.map(({ why, ...object }) => ({ code: "accessNotEnded", object: keyOf(object), facts: { why } })));
}
