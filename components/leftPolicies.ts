import * as pulumi from "@pulumi/pulumi";
import type { Drift } from "../cluster/drift.ts";
import { keyOf } from "../cluster/memberObjects.ts";
import { policiesOfOthers } from "../cluster/policyRights.ts";
import { tellProgress } from "../cluster/progress.ts";
import type { ObjectName } from "../cluster/snapshot.ts";
import type { Settings } from "../config/settings.ts";
import { policyObjects } from "./objects/admission/policies.ts";

/** What a run declares, and what is there. */
interface Declaration {
  readonly settings: Settings;
  readonly drift: Drift;
}

/**
 * Has Pulumi leave alone, with a warning, what is not as it is declared of the stack's policies and this identity may not
 * write, so that the run goes on with all else. Nobody is asked where all is as it is declared. To be called after the policy
 * gate, which judges what is declared, and lets no run ignore a change.
 * @param transform as Pulumi has it
 * @returns the key of each
 */
export async function leftPolicies(
  declaration: Declaration,
  transform = pulumi.runtime.registerStackTransformation,
): Promise<ReadonlySet<string>> {
  const left = await policiesOfOthers(declaration.settings, differing(declaration), { tell: tellProgress });
  if (left.size > 0) {
    transform(leavingAlone(left));
    await pulumi.log.warn(leftPoliciesWarning([...left]));
  }
  return left;
}

/** Policies, and what puts them in force, that a run would write over what is there. */
function differing({ settings, drift }: Declaration): ObjectName[] {
  return policyObjects(settings)
    .filter(({ kind, args }) => drift.differs(kind, args))
    .map(({ kind, args: { metadata } }) => ({ kind, name: metadata.name, namespace: undefined }));
}

function leftPoliciesWarning(left: readonly string[]): string {
  return [
    "Admission policies that are not as they are declared, and that this identity may not write. They stay as they are until a",
    "'pulumi up' of somebody who may (docs/watch-in-cluster.md):",
    ...left.map((object) => `  ${object}`),
  ].join("\n");
}

const leavingAlone =
  (left: ReadonlySet<string>): pulumi.ResourceTransformation =>
  ({ type, props, opts }) => {
    const kind = type.split(":").at(-1) as ObjectName["kind"];
    const name = String(Object(props.metadata).name);
    const isLeft = left.has(keyOf({ kind, name, namespace: undefined }));
    return { props, opts: isLeft ? { ...opts, ignoreChanges: ["metadata", "spec"] } : opts };
  };
