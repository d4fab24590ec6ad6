import { reportProgress } from "../cluster/read/progress.ts";
import { policiesOfOthers } from "../cluster/read/rights/mayWrite.ts";
import type { ObjectName } from "../cluster/read/snapshot/snapshot.ts";
import type { Settings } from "../config/model/settings/settings.ts";
import type { Drift } from "../plan/compare/drift.ts";
import { sharedObjects } from "../plan/manifest/manifest.ts";
import { policyObjectsOf } from "../plan/manifest/policyObjects.ts";
import { warn } from "./warn.ts";

interface Declaration {
  readonly settings: Settings;
  readonly mutates?: boolean | undefined;
  readonly drift: Drift;
}

/** Fields that keep Pulumi's state for a policy or binding that is left alone: all of its content. */
export const ignoredPolicyFields: readonly string[] = ["metadata", "spec"];

/**
 * Finds policy objects that differ from their declaration and that this identity may not write, and warns of them.
 * Pulumi is to leave these alone, so that the rest of the run goes on. Sends no request if nothing differs.
 * @returns the key of each
 */
export async function leftPolicies(declaration: Declaration): Promise<ReadonlySet<string>> {
  const unwritten = await policiesOfOthers(declaration.settings, differing(declaration), { notify: reportProgress });
  await warn([...unwritten].map((object) => ({ code: "leftPolicy", object, facts: {} })));
  return unwritten;
}

/** Policies and their bindings that differ on the cluster, so that a run would write them. */
function differing({ settings, mutates, drift }: Declaration): ObjectName[] {
  return policyObjectsOf({ shared: sharedObjects(settings, mutates) }).filter(
    (object) => drift.of(object).difference.by !== undefined,
  );
}
