import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { Drift } from "../cluster/drift.ts";
import { othersViews } from "../config/memberTypes.ts";
import type { OthersView, Settings } from "../config/settings.ts";
import { policiesOf, type StackPolicy } from "./objects/admission/policies.ts";
import { clusterRole } from "./objects/clusterRole.ts";
import { backendCaSecret } from "./objects/route/backendCaSecret.ts";

/** What the shared part is made from. */
export interface ClusterAccessArgs {
  readonly settings: Settings;
  /** What was changed by hand and is to be put back. */
  readonly drift: Drift;
}

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

  constructor(name: string, { settings, drift }: ClusterAccessArgs, opts: pulumi.ComponentResourceOptions) {
    super("kubecamp:index:ClusterAccess", name, {}, opts);
    const made = othersViews.map((view) => {
      const args = drift.marked("ClusterRole", clusterRole(view, settings));
      return [view, new k8s.rbac.v1.ClusterRole(`${name}/${view}`, args, { parent: this })] as const;
    });
    this.#views = Object.fromEntries(made) as Record<OthersView, k8s.rbac.v1.ClusterRole>;
    this.guards = policiesOf(settings).map((each) => this.#inForce(name, each, drift));
    const ca = backendCaSecret(settings);
    this.beforeRoutes =
      ca === undefined
        ? []
        : [new k8s.core.v1.Secret(`${name}/backend-ca`, drift.marked("Secret", ca), { parent: this })];
    this.registerOutputs({});
  }

  /** A policy without its binding judges nothing, so the binding stands for both. */
  #inForce(name: string, { name: of, policy, binding }: StackPolicy, drift: Drift): pulumi.Resource {
    const { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } = k8s.admissionregistration.v1;
    const rules = drift.marked("ValidatingAdmissionPolicy", policy);
    const judge = new ValidatingAdmissionPolicy(`${name}/admission/${of}`, rules, { parent: this });
    const force = drift.marked("ValidatingAdmissionPolicyBinding", binding);
    return new ValidatingAdmissionPolicyBinding(`${name}/admission/${of}/binding`, force, {
      parent: this,
      dependsOn: judge,
    });
  }

  /** The ClusterRole that a view of others stands for. */
  view(view: OthersView): k8s.rbac.v1.ClusterRole {
    return this.#views[view];
  }
}
