import { admission, apps, gatewayApi, networking, rbac, traefikApi } from "./apiVersions.ts";
import * as select from "./selections.ts";

/** How everything deals with a kind that a stack can have objects of. */
export interface StackKindEntry {
  readonly apiVersion: string;
  /** What several of them are called. */
  readonly plural: string;
  /** As Kubernetes calls it. Default: Namespaced. */
  readonly scope?: "Cluster";
  /** Whether there are clusters that do not know it, and have none. */
  readonly isOptional?: true;
  /** Which of them runs read, and the watch follows. One that is in several counts as it is in the last. */
  readonly selections: readonly select.Selection[];
  /** Whether members' routes can be made of it. */
  readonly isOfRoutes?: true;
  /** Whether members make what they like of it at home. */
  readonly isWrittenByMembers?: true;
  /**
   * How a live object is held against what is declared, beside that it has all of it: its spec has nothing else, since any
   * further field, such as a condition, may mean that nothing is refused any more; or as pods are, whose lists the API server
   * fills in.
   */
  readonly compared?: "wholeSpec" | "pods";
}

/** What guards members, and what opens something to them. */
const table = {
  BackendTLSPolicy: {
    apiVersion: gatewayApi,
    plural: "BackendTLSPolicies",
    isOptional: true,
    selections: [select.ofRoutes],
    isOfRoutes: true,
  },
  ClusterRole: { apiVersion: rbac, plural: "ClusterRoles", scope: "Cluster", selections: [select.everywhere] },
  ClusterRoleBinding: {
    apiVersion: rbac,
    plural: "ClusterRoleBindings",
    scope: "Cluster",
    selections: [select.everywhere],
  },
  ConfigMap: {
    apiVersion: "v1",
    plural: "ConfigMaps",
    selections: [select.ofBuckets, ...select.atHome("ConfigMap")],
    isOfRoutes: true,
    isWrittenByMembers: true,
  },
  Deployment: {
    apiVersion: apps,
    plural: "Deployments",
    selections: select.atHome("Deployment"),
    isWrittenByMembers: true,
    compared: "pods",
  },
  HTTPRoute: {
    apiVersion: gatewayApi,
    plural: "HTTPRoutes",
    isOptional: true,
    selections: [select.httpRoutes],
    isOfRoutes: true,
  },
  Ingress: { apiVersion: networking, plural: "Ingresses", selections: [select.ingresses], isOfRoutes: true },
  LimitRange: { apiVersion: "v1", plural: "LimitRanges", selections: [select.everywhere] },
  Middleware: {
    apiVersion: traefikApi,
    plural: "Middlewares",
    isOptional: true,
    selections: [select.besideController],
    isOfRoutes: true,
  },
  Namespace: { apiVersion: "v1", plural: "Namespaces", scope: "Cluster", selections: [select.namespaces] },
  NetworkPolicy: { apiVersion: networking, plural: "NetworkPolicies", selections: [select.everywhere] },
  ResourceQuota: { apiVersion: "v1", plural: "ResourceQuotas", selections: [select.everywhere] },
  Role: { apiVersion: rbac, plural: "Roles", selections: [select.everywhere] },
  RoleBinding: { apiVersion: rbac, plural: "RoleBindings", selections: [select.everywhere] },
  Secret: {
    apiVersion: "v1",
    plural: "Secrets",
    selections: [select.ofBuckets, select.caSecret],
    isWrittenByMembers: true,
  },
  Service: {
    apiVersion: "v1",
    plural: "Services",
    selections: [select.services],
    isOfRoutes: true,
    isWrittenByMembers: true,
  },
  ServersTransport: {
    apiVersion: traefikApi,
    plural: "ServersTransports",
    isOptional: true,
    selections: [select.besideController],
    isOfRoutes: true,
  },
  ServiceAccount: { apiVersion: "v1", plural: "ServiceAccounts", selections: [select.serviceAccounts] },
  ValidatingAdmissionPolicy: {
    apiVersion: admission,
    plural: "ValidatingAdmissionPolicies",
    scope: "Cluster",
    selections: [select.everywhere],
    compared: "wholeSpec",
  },
  ValidatingAdmissionPolicyBinding: {
    apiVersion: admission,
    plural: "ValidatingAdmissionPolicyBindings",
    scope: "Cluster",
    selections: [select.everywhere],
    compared: "wholeSpec",
  },
} as const satisfies Readonly<Record<string, StackKindEntry>>;

/** Kinds of everything that a stack can have, but for what asks a driver for buckets, which nobody reads. */
export type StackKind = keyof typeof table;

type With<Entry> = { [K in StackKind]: (typeof table)[K] extends Entry ? K : never }[StackKind];

/** Kinds that members' routes can be made of. */
export type KindOfRoute = With<{ readonly isOfRoutes: true }>;

export const stackKinds: Readonly<Record<StackKind, StackKindEntry>> = table;

/** All of them, or those of which something is so. */
export const stackKindsWhere = (is: (entry: StackKindEntry) => unknown = () => true): StackKind[] =>
  (Object.keys(table) as StackKind[]).filter((kind) => is(stackKinds[kind]));

/** Whether members write a kind at home: what its labels and annotations say there, is their word and nobody else's. */
export const isWrittenByMembers = ({ kind }: { readonly kind: StackKind }): boolean =>
  stackKinds[kind].isWrittenByMembers === true;
