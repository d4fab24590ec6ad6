import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { leftoversOf, leftoversPatch } from "../cluster/write/leftovers.ts";
import { type ObjectPatch, patchEach } from "../cluster/write/patchEach.ts";
import { othersViews } from "../config/model/memberTypes.ts";
import type { OthersView, Settings } from "../config/model/settings.ts";
import type { Drift } from "../plan/compare/drift.ts";
import { sharedOf } from "../plan/manifest/declared.ts";
import { keyOf } from "../plan/manifest/memberObjects.ts";
import { policiesOf, policyObjects, type StackPolicy } from "../plan/objects/admission/policies.ts";
import { clusterRole } from "../plan/objects/clusterRole.ts";
import { backendCaSecret } from "../plan/objects/route/backendCaSecret.ts";
import { leftPolicies, leftPolicyFields } from "./leftPolicies.ts";
import { addedTo } from "./takeOffMarks.ts";

/** What the shared part is made from. */
export interface ClusterAccessArgs {
  readonly settings: Settings;
  /** What was changed by hand and is to be put back. */
  readonly drift: Drift;
  /** Keys of policies, and of what puts them in force, that stay as they are. Default: none. */
  readonly left?: ReadonlySet<string>;
}

type PolicyKind = "ValidatingAdmissionPolicy" | "ValidatingAdmissionPolicyBinding";

/**
 * What a stack needs once on its cluster, whatever its members: the policies that refuse what they may not have, the
 * ClusterRoles that they are bound to, and the CA that the ingress controller verifies their Services by.
 */
export class ClusterAccess extends pulumi.ComponentResource {
  readonly #views: Readonly<Record<OthersView, k8s.rbac.v1.ClusterRole>>;
  /** What is in force before any member has a key. */
  readonly guards: readonly pulumi.Resource[];
  /** What routes refer to. */
  readonly beforeRoutes: readonly pulumi.Resource[];

  constructor(name: string, args: ClusterAccessArgs, opts: pulumi.ComponentResourceOptions) {
    super("kubecamp:index:ClusterAccess", name, {}, opts);
    const { settings, drift } = args;
    const made = othersViews.map((view) => {
      const rights = drift.marked("ClusterRole", clusterRole(view, settings));
      return [view, new k8s.rbac.v1.ClusterRole(`${name}/${view}`, rights, { parent: this })] as const;
    });
    this.#views = Object.fromEntries(made) as Record<OthersView, k8s.rbac.v1.ClusterRole>;
    this.guards = policiesOf(settings).map((each) => this.#inForce(name, each, args));
    const ca = backendCaSecret(settings);
    this.beforeRoutes =
      ca === undefined
        ? []
        : [new k8s.core.v1.Secret(`${name}/backend-ca`, drift.marked("Secret", ca), { parent: this })];
    this.registerOutputs({});
  }

  /** A policy without its binding judges nothing, so the binding stands for both. */
  #inForce(
    name: string,
    { name: of, policy, binding }: StackPolicy,
    { drift, left = new Set() }: ClusterAccessArgs,
  ): pulumi.Resource {
    const { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } = k8s.admissionregistration.v1;
    const isLeft = (kind: PolicyKind) => left.has(keyOf({ kind, name: policy.metadata.name, namespace: undefined }));
    const marked = <T extends typeof policy | typeof binding>(kind: PolicyKind, args: T) =>
      isLeft(kind) ? drift.kept(kind, args) : drift.marked(kind, args);
    const asItStands = (kind: PolicyKind) => (isLeft(kind) ? { ignoreChanges: [...leftPolicyFields] } : {});
    const rules = marked("ValidatingAdmissionPolicy", policy);
    const judge = new ValidatingAdmissionPolicy(`${name}/admission/${of}`, rules, {
      parent: this,
      ...asItStands("ValidatingAdmissionPolicy"),
    });
    const inForce = marked("ValidatingAdmissionPolicyBinding", binding);
    const force = isUntriable(binding, drift) ? drift.kept("ValidatingAdmissionPolicyBinding", binding) : inForce;
    return new ValidatingAdmissionPolicyBinding(`${name}/admission/${of}/binding`, force, {
      parent: this,
      dependsOn: judge,
      ...asItStands("ValidatingAdmissionPolicyBinding"),
    });
  }

  /** The ClusterRole that a view of others stands for. */
  view(view: OthersView): k8s.rbac.v1.ClusterRole {
    return this.#views[view];
  }
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
  const patches = leftoversOn(args).filter((object) => !left.has(keyOf(object)));
  const [refused] = await patchEach(patches, args.settings);
  if (refused !== undefined) {
    throw new pulumi.RunError(refused.why);
  }
  return new ClusterAccess("access", { ...args, left }, opts);
}

function leftoversOn({ settings, drift }: ClusterAccessArgs): ObjectPatch[] {
  const ofPolicies = policyObjects(settings).flatMap(({ kind, args: { metadata, spec } }) => {
    const live = drift.changedByHand(kind, { metadata, ...{ spec } });
    const patch = leftoversPatch(live?.content.spec, spec);
    const object = { kind, name: metadata.name, namespace: undefined };
    return patch === undefined ? [] : [leftoversOf(object, { spec: patch })];
  });
  return [...ofPolicies, ...sharedOf(settings).flatMap((object) => addedTo(object, drift))];
}

/** In a preview nothing is taken off, and the API server would not even try to have Deny beside Warn. */
function isUntriable(binding: StackPolicy["binding"], drift: Drift): boolean {
  if (!pulumi.runtime.isDryRun()) {
    return false;
  }
  const { spec } = drift.changedByHand("ValidatingAdmissionPolicyBinding", binding)?.content ?? {};
  const { validationActions } = { validationActions: [], ...Object(spec) };
  return validationActions.includes("Warn");
}
