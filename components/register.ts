import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { cosiTypes, isCosiKind } from "../cluster/kinds/cosi.ts";
import type { ManagedKind } from "../cluster/read/snapshot.ts";
import type { Declared } from "../plan/compare/difference.ts";
import type { Drift } from "../plan/compare/drift.ts";
import { linksOf } from "../plan/manifest/manifest.ts";
import { keptOptions } from "../plan/manifest/options.ts";
import type { PlannedKind, PlannedObject } from "../plan/manifest/row.ts";
import { saidOf } from "../plan/manifest/said.ts";
import { madeAnew } from "./madeAnew.ts";

/** What objects are registered with. */
export interface Registry {
  readonly parent: pulumi.ComponentResource;
  /** What the name of each begins with: `bob` of `bob/limits`; undefined for what members share. */
  readonly member: string | undefined;
  /** What there is by now, by its part: what members share, and what the member has. */
  readonly resources: ReadonlyMap<string, pulumi.Resource>;
  readonly drift: Drift;
}

/** Of an object that is not registered just as it is planned. */
export interface Said extends pulumi.CustomResourceOptions {
  readonly declared?: Declared;
}

/**
 * Registers an object of the plan: as its row in plan/manifest has it, after what its row comes after, and with the mark of
 * what is applied, by which the next run sees what was changed by hand.
 * @param declared what is said of it; default: all that is planned
 */
export function register(
  object: PlannedObject,
  { parent, member, resources, drift }: Registry,
  { declared = saidOf(object, drift), ...more }: Said = {},
): pulumi.CustomResource {
  const { part, kind, apiVersion, left } = object;
  const { after, lifetime } = linksOf(part, [...resources.keys()]);
  const home = resources.get("namespace");
  const isInside = lifetime !== "own" && home instanceof k8s.core.v1.Namespace;
  const namespace = isInside ? { namespace: home.metadata.name } : {};
  const args = { ...declared, metadata: { ...declared.metadata, ...namespace } };
  const opts: pulumi.CustomResourceOptions = {
    parent,
    dependsOn: after.flatMap((each) => resources.get(each) ?? []),
    ...(lifetime === "withNamespace" && home !== undefined ? { deletedWith: home } : {}),
    ...keptOptions({ part, kind, left, metadata: declared.metadata }),
    ...runOptions(object, drift),
    ...more,
  };
  const name = member === undefined ? part : `${member}/${part}`;
  const Class = classes[kind];
  return Class === undefined
    ? new k8s.apiextensions.CustomResource(name, { apiVersion, kind, ...args }, opts)
    : new Class(name, args as never, opts);
}

/** What matters while Pulumi runs, and is not kept in its state. */
function runOptions({ part, kind, args, left }: PlannedObject, drift: Drift): pulumi.CustomResourceOptions {
  if (isCosiKind(kind)) {
    // With another version it stays the same: as another resource it would be deleted after the change.
    return { aliases: cosiTypes(kind).map((type) => ({ type })) };
  }
  if (part.startsWith("bucket/")) {
    // Another one takes the place of what differs in anything: whoever put their own there with our labels may have made it
    // immutable, and to change it would fail, and with it the run for everybody else.
    return { replaceOnChanges: ["*"], deleteBeforeReplace: true };
  }
  if (part === "service") {
    return { deleteBeforeReplace: false };
  }
  if (kind === "Ingress") {
    // In another namespace it is another object, and no two may have one path.
    return { deleteBeforeReplace: true };
  }
  return membersDelete.includes(kind) && left.length === 0 ? madeAnew(kind as ManagedKind, args, drift) : {};
}

const membersDelete: readonly PlannedKind[] = ["ConfigMap", "Deployment"];

type Class = new (name: string, args: never, opts: pulumi.CustomResourceOptions) => pulumi.CustomResource;

/** The SDK's class for each kind that has one: the plugin knows by the type how its objects become ready. */
const classes: Partial<Record<PlannedKind, Class>> = {
  ClusterRole: k8s.rbac.v1.ClusterRole,
  ClusterRoleBinding: k8s.rbac.v1.ClusterRoleBinding,
  ConfigMap: k8s.core.v1.ConfigMap,
  Deployment: k8s.apps.v1.Deployment,
  Ingress: k8s.networking.v1.Ingress,
  LimitRange: k8s.core.v1.LimitRange,
  Namespace: k8s.core.v1.Namespace,
  NetworkPolicy: k8s.networking.v1.NetworkPolicy,
  ResourceQuota: k8s.core.v1.ResourceQuota,
  Role: k8s.rbac.v1.Role,
  RoleBinding: k8s.rbac.v1.RoleBinding,
  Secret: k8s.core.v1.Secret,
  Service: k8s.core.v1.Service,
  ServiceAccount: k8s.core.v1.ServiceAccount,
  ValidatingAdmissionPolicy: k8s.admissionregistration.v1.ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding: k8s.admissionregistration.v1.ValidatingAdmissionPolicyBinding,
};
