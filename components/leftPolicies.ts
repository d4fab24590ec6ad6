import { reportProgress } from "../cluster/read/progress.ts";
import { policiesOfOthers } from "../cluster/read/rights/policyRights.ts";
import type { ObjectName } from "../cluster/read/snapshot.ts";
import type { Settings } from "../config/model/settings.ts";
import type { Drift } from "../plan/compare/drift.ts";
import { sharedObjects } from "../plan/manifest/manifest.ts";
import { policyObjectsOf } from "../plan/manifest/policyObjects.ts";
import { warn } from "./warn.ts";

/** What a run declares, and what is there. */
interface Declaration {
  readonly settings: Settings;
  readonly drift: Drift;
}

/** What stays as Pulumi's state has it of a policy that is left alone, or of what puts it in force: all that it consists of. */
export const leftPolicyFields: readonly string[] = ["metadata", "spec"];

/**
 * Finds, and warns of, what is not as it is declared of the stack's policies and this identity may not write: Pulumi is to
 * leave that alone, so that the run goes on with all else. Nobody is asked where all is as it is declared.
 * @returns the key of each
 */
export async function leftPolicies(declaration: Declaration): Promise<ReadonlySet<string>> {
  const left = await policiesOfOthers(declaration.settings, differing(declaration), { notify: reportProgress });
  await warn([...left].map((object) => ({ code: "leftPolicy", object, facts: {} })));
  return left;
}

/** Policies, and what puts them in force, that a run would write over what is there. */
function differing({ settings, drift }: Declaration): ObjectName[] {
  return policyObjectsOf({ shared: sharedObjects(settings) }).filter(
    (object) => drift.of(object).difference.by !== undefined,
  );
}
