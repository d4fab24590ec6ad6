import * as pulumi from "@pulumi/pulumi";
import { contentOf, keyOf } from "../cluster/read/snapshot.ts";
import { patchEach } from "../cluster/write/patchEach.ts";
import type { Settings } from "../config/model/settings.ts";
import { additionsTo } from "../plan/compare/additions.ts";
import type { Drift } from "../plan/compare/drift.ts";
import { isRead, sharedObjects } from "../plan/manifest/manifest.ts";
import { isOfPolicy } from "../plan/manifest/policyObjects.ts";
import type { PlannedObject, ReadObject } from "../plan/manifest/row.ts";
import { leftPolicies, leftPolicyFields } from "./leftPolicies.ts";
import { register, type Said } from "./register.ts";

/** What the shared part is made from. */
export interface ClusterAccessArgs {
  readonly settings: Settings;
  /** What was changed by hand and is to be put back. */
  readonly drift: Drift;
  /** Keys of policies, and of what puts them in force, that stay as they are. Default: none. */
  readonly left?: ReadonlySet<string>;
}

/**
 * What a stack needs once on its cluster, whatever its members, as the rows of plan/manifest/sharedRows.ts have it: the
 * policies that refuse what members may not have, the ClusterRoles that they are bound to, and the CA that the ingress
 * controller verifies their Services by.
 */
export class ClusterAccess extends pulumi.ComponentResource {
  /** By what a run calls them. */
  readonly resources: ReadonlyMap<string, pulumi.Resource>;

  constructor(name: string, { settings, drift, left }: ClusterAccessArgs, opts: pulumi.ComponentResourceOptions) {
    super("kubecamp:index:ClusterAccess", name, {}, opts);
    const resources = new Map<string, pulumi.Resource>();
    const registry = { parent: this, member: undefined, resources, drift };
    for (const object of sharedObjects(settings)) {
      resources.set(object.part, register(object, registry, withLeftFields(object, drift, left)));
    }
    this.resources = resources;
    this.registerOutputs({});
  }
}

/** Of a policy that stays as it is, and of what could not even be tried in a preview. */
function withLeftFields(object: PlannedObject, drift: Drift, left: ReadonlySet<string> = new Set()): Said {
  if (!isOfPolicy(object) || !isRead(object)) {
    return {};
  }
  if (left.has(keyOf(object))) {
    return { declared: drift.kept(object), ignoreChanges: [...leftPolicyFields] };
  }
  return isUntriable(object, drift) ? { declared: drift.reported(object) } : {};
}

/**
 * Makes it once what somebody has added to its policies by hand is off them; in a preview, nothing is. Policies that this
 * identity may not write stay as they are, with a warning: whatever else there is to do is done.
 * @throws RunError when that can't be done
 */
export async function clusterAccess(
  args: ClusterAccessArgs,
  opts: pulumi.ComponentResourceOptions,
): Promise<ClusterAccess> {
  if (pulumi.runtime.isDryRun()) {
    return new ClusterAccess("access", args, opts);
  }
  const left = await leftPolicies(args);
  const patches = sharedObjects(args.settings)
    .filter(isRead)
    .filter((object) => !left.has(keyOf(object)))
    .flatMap((object) => additionsTo([args.drift.of(object)]));
  const [refused] = await patchEach(patches, args.settings);
  if (refused !== undefined) {
    throw new pulumi.RunError(refused.why);
  }
  return new ClusterAccess("access", { ...args, left }, opts);
}

/** In a preview nothing is taken off, and the API server would not even try to have Deny beside Warn. */
function isUntriable(policy: ReadObject, drift: Drift): boolean {
  if (!pulumi.runtime.isDryRun()) {
    return false;
  }
  const { live, verdict } = drift.of(policy);
  const { validationActions } = { validationActions: [], ...Object(contentOf(live).spec) };
  return verdict === "changedByHand" && validationActions.includes("Warn");
}
