import * as pulumi from "@pulumi/pulumi";
import type { Target } from "../../plan/decisions/target.ts";
import { endedAccess } from "../../plan/members/endedAccess.ts";
import type { Plan } from "../../plan/members/plan.ts";
import { patchOrWarn } from "../warn.ts";

/**
 * Removes subjects from bindings before anything is registered. Pulumi deletes last, and nothing if anything in the run
 * fails: a suspended member would keep access until then. A failed write is a warning, and stops nobody's run.
 */
export async function endAccess(plan: Plan, target: Target): Promise<void> {
  const ended = endedAccess(plan, target);
  if (pulumi.runtime.isDryRun()) {
    return;
  }
  const patches = ended.map(({ member, kept, ...binding }) => ({
    ...binding,
    what: `end access to member '${member}'s objects, in ${binding.kind} '${binding.name}'`,
    patch: { subjects: kept },
  }));
  await patchOrWarn(patches, plan.settings, "accessNotEnded");
}
