import { type CustomKind, isCustomKind, partsOfCustom } from "../../config/names/customKinds.ts";
import { customKindsIn } from "../../config/objects/objectKinds.ts";
import { type ControllerKind, controllerResources } from "../../config/route/controllers/resources.ts";
import { controllers } from "../../config/route/controllers.ts";
import { featuresOf, isBeside, type RouteServer, serversOf } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import { admission, apps, batch, envoyGateway, gatewayApi, networking, rbac } from "./apiVersions.ts";
import { type DoorReading, httpRouteDoor, ingressDoor } from "./doors.ts";
import * as select from "./selections.ts";

interface StackKindEntry {
  readonly apiVersion: string;
  readonly plural: string;
  readonly scope?: "Cluster";
  readonly isOptional?: true;
  /** Objects that runs read and the watch follows. For an object in several selections, the last one counts. */
  readonly selections: readonly select.Selection[];
  readonly isOfRoute?: select.IsOfRoute;
  readonly isReadByControllers?: true;
  /** Whether Kubernetes creates the object itself, before a run applies it. */
  readonly isMadeByKubernetes?: true;
  readonly hasStatus?: true;
  readonly isKey?: true;
  readonly door?: DoorReading;
  readonly isWrittenByMembers?: true;
  /**
   * Further comparison of a live object, beyond having all declared fields. `wholeSpec`: its spec has no other field,
   * because a further one, such as a condition, may disable a policy. `pods`: as pods, whose lists the API server
   * completes. `ports`: by its ports, of which it may have others.
   */
  readonly compared?: "wholeSpec" | "pods" | "ports";
}

const byIngress = ({ kind }: RouteServer) => kind === "ingress";
const byGateway = ({ kind }: RouteServer) => kind === "gateway";
const overTls = ({ backend }: RouteServer) => backend.protocol === "HTTPS";

/** Whether an ingress controller's route takes a resource of the controller's own. */
const takesOwn = (kind: ControllerKind) => (route: RouteServer, path?: string) => {
  const { by } = controllers[route.controller];
  return byIngress(route) && featuresOf(route, path).some((feature) => by[feature] === kind);
};

const ofController = <K extends ControllerKind>(kind: K) => ({
  ...controllerResources[kind],
  isOptional: true as const,
  selections: [select.ofRoutes],
  isOfRoute: takesOwn(kind),
});

const ofControllers = Object.fromEntries(
  (Object.keys(controllerResources) as ControllerKind[]).map((kind) => [kind, ofController(kind)]),
) as { readonly [K in ControllerKind]: ReturnType<typeof ofController<K>> };

const ofObjects = {
  selections: select.ofObjects,
  isWrittenByMembers: true as const,
  compared: "pods" as const,
};

const table = {
  ...ofControllers,
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
    selections: [select.ofBuckets, ...select.atHome("ConfigMap"), ...select.ofObjects],
    isOfRoute: (route) => byGateway(route) && overTls(route) && route.backend.ca !== undefined,
    isWrittenByMembers: true,
  },
  CronJob: { apiVersion: batch, plural: "CronJobs", ...ofObjects },
  DaemonSet: { apiVersion: apps, plural: "DaemonSets", ...ofObjects },
  Deployment: {
    apiVersion: apps,
    plural: "Deployments",
    selections: [...select.atHome("Deployment"), ...select.ofObjects],
    isWrittenByMembers: true,
    compared: "pods",
  },
  HTTPRoute: {
    apiVersion: gatewayApi,
    plural: "HTTPRoutes",
    isOptional: true,
    selections: [select.doors],
    isOfRoute: byGateway,
    hasStatus: true,
    door: httpRouteDoor,
  },
  Ingress: {
    apiVersion: networking,
    plural: "Ingresses",
    selections: [select.doorsAlways],
    isOfRoute: byIngress,
    isReadByControllers: true,
    door: ingressDoor,
  },
  LimitRange: { apiVersion: "v1", plural: "LimitRanges", selections: [select.everywhere] },
  ListenerSet: {
    apiVersion: gatewayApi,
    plural: "ListenerSets",
    isOptional: true,
    selections: [select.ofRoutes],
    isOfRoute: (route) => byGateway(route) && route.tls !== undefined,
  },
  MutatingAdmissionPolicy: {
    apiVersion: admission,
    plural: "MutatingAdmissionPolicies",
    scope: "Cluster",
    isOptional: true,
    selections: [select.fillIns],
    compared: "wholeSpec",
  },
  MutatingAdmissionPolicyBinding: {
    apiVersion: admission,
    plural: "MutatingAdmissionPolicyBindings",
    scope: "Cluster",
    isOptional: true,
    selections: [select.fillIns],
    compared: "wholeSpec",
  },
  Namespace: {
    apiVersion: "v1",
    plural: "Namespaces",
    scope: "Cluster",
    selections: [select.namespaces],
    hasStatus: true,
  },
  NetworkPolicy: { apiVersion: networking, plural: "NetworkPolicies", selections: [select.everywhere] },
  ResourceQuota: { apiVersion: "v1", plural: "ResourceQuotas", selections: [select.everywhere], hasStatus: true },
  Role: { apiVersion: rbac, plural: "Roles", selections: [select.everywhere] },
  RoleBinding: { apiVersion: rbac, plural: "RoleBindings", selections: [select.everywhere], isKey: true },
  Secret: {
    apiVersion: "v1",
    plural: "Secrets",
    selections: [select.ofBuckets, select.caSecret, select.copiedSecrets],
    isWrittenByMembers: true,
  },
  SecurityPolicy: {
    apiVersion: envoyGateway,
    plural: "SecurityPolicies",
    isOptional: true,
    selections: [select.ofRoutes],
    isOfRoute: (route) => byGateway(route) && route.login !== undefined,
  },
  Service: {
    apiVersion: "v1",
    plural: "Services",
    selections: [select.services],
    isOfRoute: isBeside,
    isReadByControllers: true,
    isWrittenByMembers: true,
    compared: "ports",
  },
  ServiceAccount: {
    apiVersion: "v1",
    plural: "ServiceAccounts",
    selections: [select.serviceAccounts, select.ciAccounts],
    isMadeByKubernetes: true,
  },
  StatefulSet: { apiVersion: apps, plural: "StatefulSets", ...ofObjects },
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

export type TableKind = keyof typeof table;

export type StackKind = TableKind | CustomKind;

/** Kinds that are read and watched alike. Namespaces are read first, and decisions handle Services separately. */
export type ListedKind = Exclude<TableKind, "Namespace" | "Service"> | CustomKind;

type With<Entry> = { [K in TableKind]: (typeof table)[K] extends Entry ? K : never }[TableKind];

export type KindOfRoute = With<{ readonly isOfRoute: unknown }>;

export type DoorKind = With<{ readonly door: unknown }>;

export const stackKinds: Readonly<Record<TableKind, StackKindEntry>> = table;

export function stackKind(kind: StackKind): StackKindEntry {
  if (!isCustomKind(kind)) {
    return stackKinds[kind];
  }
  const { apiVersion, plural } = partsOfCustom(kind);
  return { apiVersion, plural, isOptional: true, ...ofObjects };
}

const names = (Object.keys(table) as TableKind[]).sort();

/** All kinds, or those whose entry passes the test; by name, wherever a row is written. */
export const stackKindsWhere = (is: (entry: StackKindEntry) => unknown = () => true): TableKind[] =>
  names.filter((kind) => is(stackKinds[kind]));

const tableListed = names.filter((kind) => kind !== "Namespace" && kind !== "Service");

export const listedKinds = (settings: Pick<Settings, "objectKinds">): ListedKind[] => [
  ...tableListed,
  ...customKindsIn(settings),
];

export const stackKindsOf = (settings: Pick<Settings, "objectKinds">): StackKind[] => [
  ...stackKindsWhere(),
  ...customKindsIn(settings),
];

/** Whether members create this kind at home; its labels and annotations there are then only their word. */
export const isWrittenByMembers = ({ kind }: { readonly kind: StackKind }): boolean =>
  stackKind(kind).isWrittenByMembers === true;

/** Whether the watch goes on without a kind that it may not list: only starter apps, objects and buckets need these. */
export const isLeftOutUnread = (kind: string): boolean =>
  isCustomKind(kind) ||
  (kind !== "Service" && names.some((name) => name === kind && isWrittenByMembers({ kind: name })));

export const keyKinds: readonly StackKind[] = stackKindsWhere(({ isKey }) => isKey);

export const doorKinds = stackKindsWhere(({ door }) => door) as DoorKind[];

/** Whether an open route includes an object of a kind. @param path the member's; default: any path of the stack's */
export const isKindOfRoute = (kind: StackKind, settings: Pick<Settings, "route">, path?: string): boolean =>
  serversOf(settings).some(({ route }) => stackKind(kind).isOfRoute?.(route, path) === true);
