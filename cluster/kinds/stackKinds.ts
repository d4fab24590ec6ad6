import { controllers, doorOf } from "../../config/model/controllers.ts";
import type { RouteSettings, Settings } from "../../config/model/settings.ts";
import { admission, apps, gatewayApi, networking, rbac, traefikApi } from "./apiVersions.ts";
import { type DoorReading, httpRouteDoor, ingressDoor } from "./doors.ts";
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
  /**
   * Whether members' routes are made of it where the settings are these. Default: no route is.
   * @param path the member's; default: any that routes of the stack can have
   */
  readonly isOfRoute?: (route: RouteSettings, path?: string) => boolean;
  /** Whether annotations of controllers mean something on it. */
  readonly isReadByControllers?: true;
  /** Whether Kubernetes makes one by itself, which a run comes to only later. */
  readonly isMadeByKubernetes?: true;
  /** Whether decisions go by its status. */
  readonly hasStatus?: true;
  /** Whether it gives access to whom it names. */
  readonly isKey?: true;
  /** Of what has members' paths: how it says so. */
  readonly door?: DoorReading;
  /** Whether members make what they like of it at home. */
  readonly isWrittenByMembers?: true;
  /**
   * How a live object is held against what is declared, beside that it has all of it: its spec has nothing else, since any
   * further field, such as a condition, may mean that nothing is refused any more; or as pods are, whose lists the API server
   * fills in; or by its ports, of which it may have others.
   */
  readonly compared?: "wholeSpec" | "pods" | "ports";
}

/** What routes are made of, by the settings of routes. */
const byIngress = ({ kind }: RouteSettings) => kind === "ingress";
const byGateway = ({ kind }: RouteSettings) => kind === "gateway";
const overTls = ({ backend }: RouteSettings) => backend.protocol === "HTTPS";

/** What guards members, and what opens something to them. */
const table = {
  BackendTLSPolicy: {
    apiVersion: gatewayApi,
    plural: "BackendTLSPolicies",
    isOptional: true,
    selections: [select.ofRoutes],
    isOfRoute: (route) => byGateway(route) && overTls(route),
  },
  ClusterRole: { apiVersion: rbac, plural: "ClusterRoles", scope: "Cluster", selections: [select.everywhere] },
  ClusterRoleBinding: {
    apiVersion: rbac,
    plural: "ClusterRoleBindings",
    scope: "Cluster",
    selections: [select.everywhere],
    isKey: true,
  },
  ConfigMap: {
    apiVersion: "v1",
    plural: "ConfigMaps",
    selections: [select.ofBuckets, ...select.atHome("ConfigMap")],
    isOfRoute: (route) => byGateway(route) && overTls(route) && route.backend.ca !== undefined,
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
    selections: [select.doors],
    isOfRoute: (route) => doorOf(route) === "HTTPRoute",
    door: httpRouteDoor,
  },
  Ingress: {
    apiVersion: networking,
    plural: "Ingresses",
    selections: [select.doorsBesideController],
    isOfRoute: (route) => doorOf(route) === "Ingress",
    isReadByControllers: true,
    door: ingressDoor,
  },
  LimitRange: { apiVersion: "v1", plural: "LimitRanges", selections: [select.everywhere] },
  Middleware: {
    apiVersion: traefikApi,
    plural: "Middlewares",
    isOptional: true,
    selections: [select.besideController],
    // On a host of the member's own there is nothing to strip.
    isOfRoute: (route, path) =>
      byIngress(route) &&
      route.rewrite === "strip" &&
      path !== "/" &&
      controllers[route.controller].strip?.by === "Middleware",
  },
  Namespace: { apiVersion: "v1", plural: "Namespaces", scope: "Cluster", selections: [select.namespaces] },
  NetworkPolicy: { apiVersion: networking, plural: "NetworkPolicies", selections: [select.everywhere] },
  ResourceQuota: { apiVersion: "v1", plural: "ResourceQuotas", selections: [select.everywhere], hasStatus: true },
  Role: { apiVersion: rbac, plural: "Roles", selections: [select.everywhere] },
  RoleBinding: { apiVersion: rbac, plural: "RoleBindings", selections: [select.everywhere], isKey: true },
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
    isOfRoute: byIngress,
    isReadByControllers: true,
    isWrittenByMembers: true,
    compared: "ports",
  },
  ServersTransport: {
    apiVersion: traefikApi,
    plural: "ServersTransports",
    isOptional: true,
    selections: [select.besideController],
    isOfRoute: (route) =>
      byIngress(route) && overTls(route) && controllers[route.controller].https.by === "ServersTransport",
  },
  ServiceAccount: {
    apiVersion: "v1",
    plural: "ServiceAccounts",
    selections: [select.serviceAccounts],
    isMadeByKubernetes: true,
  },
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

/** Those that are read and watched alike: Namespaces come before all else, and decisions look at Services by themselves. */
export type ListedKind = Exclude<StackKind, "Namespace" | "Service">;

type With<Entry> = { [K in StackKind]: (typeof table)[K] extends Entry ? K : never }[StackKind];

/** Kinds that members' routes can be made of. */
export type KindOfRoute = With<{ readonly isOfRoute: unknown }>;

/** Kinds of what has members' paths. */
export type DoorKind = With<{ readonly door: unknown }>;

export const stackKinds: Readonly<Record<StackKind, StackKindEntry>> = table;

/** All of them, or those of which something is so. */
export const stackKindsWhere = (is: (entry: StackKindEntry) => unknown = () => true): StackKind[] =>
  (Object.keys(table) as StackKind[]).filter((kind) => is(stackKinds[kind]));

const apart: readonly StackKind[] = ["Namespace", "Service"];
export const listedKinds = stackKindsWhere().filter((kind): kind is ListedKind => !apart.includes(kind));

/** Whether members write a kind at home: what its labels and annotations say there, is their word and nobody else's. */
export const isWrittenByMembers = ({ kind }: { readonly kind: StackKind }): boolean =>
  stackKinds[kind].isWrittenByMembers === true;

/** Kinds of what gives access. */
export const keyKinds = stackKindsWhere(({ isKey }) => isKey);

/** Kinds of what has somebody's path, whoever made it. */
export const doorKinds = stackKindsWhere(({ door }) => door) as DoorKind[];

/**
 * Whether an open route has an object of a kind.
 * @param path the member's; default: any that routes of this stack can have
 */
export const isOfRoute = (kind: StackKind, { route }: Pick<Settings, "route">, path?: string): boolean =>
  stackKinds[kind].isOfRoute?.(route, path) === true;
