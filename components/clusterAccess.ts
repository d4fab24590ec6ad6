import * as pulumi from "@pulumi/pulumi";
import { reportProgress } from "../cluster/api/progress.ts";
import { keyOf, type ObjectName } from "../cluster/kinds/objectName.ts";
import { policiesOfOthers } from "../cluster/read/rights.ts";
import { contentOf } from "../cluster/read/snapshot.ts";
import { patchEach } from "../cluster/write/patchEach.ts";
import { accessType } from "../config/names/urns.ts";
import type { Drift } from "../plan/live/drift.ts";
import { additionsTo } from "../plan/members/additions.ts";
import type { Planned } from "../plan/members/plan.ts";
import { isOfPolicy, isRead, policyObjectsOf } from "../plan/rows/manifest.ts";
import type { PlannedObject, ReadObject } from "../plan/rows/row.ts";
import { type RegisterOptions, register } from "./register.ts";
import { warn } from "./warn.ts";

interface ClusterAccessArgs {
  readonly plan: Pick<Planned, "settings" | "shared">;
  readonly drift: Drift;
  /** Keys of policies and of their bindings that stay as they are. Default: none. */
  readonly unwritten?: ReadonlySet<string>;
}

/** What a stack has once on its cluster, such as admission policies and ClusterRoles (plan/rows/sharedRows.ts). */
export class ClusterAccess extends pulumi.ComponentResource {
  readonly resources: ReadonlyMap<string, pulumi.Resource>;

  constructor(name: string, { plan, drift, unwritten }: ClusterAccessArgs, opts: pulumi.ComponentResourceOptions) {
    super(accessType, name, {}, opts);
    const resources = new Map<string, pulumi.Resource>();
    const registry = { parent: this, member: undefined, resources, drift };
    for (const object of plan.shared) {
      resources.set(object.part, register(object, registry, optionsOf(object, drift, unwritten)));
    }
    this.resources = resources;
    this.registerOutputs({});
  }
}

function optionsOf(object: PlannedObject, drift: Drift, unwritten: ReadonlySet<string> = new Set()): RegisterOptions {
  if (!isOfPolicy(object) || !isRead(object)) {
    return {};
  }
  if (unwritten.has(keyOf(object))) {
    return { declared: drift.kept(object), ignoreChanges: [...ignoredPolicyFields] };
  }
  return isUntriable(object, drift) ? { declared: drift.reported(object) } : {};
}

/** Policies that this identity may not write stay, with a warning. @throws RunError if an addition can't be removed */
export async function clusterAccess(
  args: ClusterAccessArgs,
  opts: pulumi.ComponentResourceOptions,
): Promise<ClusterAccess> {
  if (pulumi.runtime.isDryRun()) {
    return new ClusterAccess("access", args, opts);
  }
  const unwritten = await leftPolicies(args);
  const patches = args.plan.shared
    .filter(isRead)
    .filter((object) => !unwritten.has(keyOf(object)))
    .flatMap((object) => additionsTo([args.drift.of(object)]));
  const [refused] = await patchEach(patches, args.plan.settings);
  if (refused !== undefined) {
    throw new pulumi.RunError(refused.why);
  }
  return new ClusterAccess("access", { ...args, unwritten }, opts);
}

/** A preview takes nothing off, and the API server's dry run would refuse Deny beside Warn. */
function isUntriable(policy: ReadObject, drift: Drift): boolean {
  if (!pulumi.runtime.isDryRun()) {
    return false;
  }
  const { live, verdict } = drift.of(policy);
  const { validationActions } = { validationActions: [], ...Object(contentOf(live).spec) };
  return verdict === "changedByHand" && validationActions.includes("Warn");
}

/** Fields that keep Pulumi's state for a policy or binding that is left alone: all of its content. */
const ignoredPolicyFields: readonly string[] = ["metadata", "spec"];

/** Keys of policies that differ and that this identity may not write; warns of them. No request if nothing differs. */
export async function leftPolicies(args: ClusterAccessArgs): Promise<ReadonlySet<string>> {
  const unwritten = await policiesOfOthers(args.plan.settings, differing(args), { notify: reportProgress });
  await warn([...unwritten].map((object) => ({ code: "leftPolicy", object, facts: {} })));
  return unwritten;
}

function differing({ plan, drift }: ClusterAccessArgs): ObjectName[] {
  return policyObjectsOf(plan).filter((object) => drift.of(object).difference.by !== undefined);
}
