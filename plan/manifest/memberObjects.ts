import {
  type ClusterSnapshot,
  guardKey,
  type LiveObject,
  type ObjectName,
  serviceKey,
} from "../../cluster/read/snapshot.ts";
import { hasQuota } from "../../config/model/memberTypes.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import {
  admissionPolicies,
  admissionPolicyName,
  backendCaName,
  backendTlsPolicyName,
  clusterRoleBindingName,
  clusterRoleName,
  httpRouteName,
  ingressName,
  limitRangeName,
  middlewareName,
  namespaceName,
  networkPolicyName,
  resourceQuotaName,
  roleName,
  serversTransportName,
  serviceAccountName,
  serviceName,
} from "../../naming/names.ts";
import { bucketsPlan } from "../decisions/buckets/plan.ts";
import { managedServiceOf } from "../decisions/managedService.ts";
import { isOpening, readinessOf } from "../decisions/readiness.ts";
import { starterObject } from "../decisions/starter/names.ts";
import { starterPlan } from "../decisions/starter/plan.ts";
import { type KindOfRoute, kindsOfRoute } from "../routes/routeKinds.ts";

/** An object that a run declares, as far as it takes to find it on the cluster and to judge what is there. */
export interface MemberObject extends ObjectName {
  /** Kind and name of the role that a binding is to. */
  readonly role?: { readonly kind: "ClusterRole" | "Role"; readonly name: string };
}

/** Key of an object among the guards, and what messages call it. */
export const keyOf = ({ kind, name, namespace }: ObjectName) => guardKey(kind, name, namespace);

/** An object as it is on the cluster, if it is there. */
export function liveOf(
  object: ObjectName,
  { guards, services }: Pick<ClusterSnapshot, "guards" | "services">,
): Pick<LiveObject, "labels"> | undefined {
  const { kind, name, namespace = "" } = object;
  return kind === "Service" ? services.get(serviceKey(namespace, name)) : guards.get(keyOf(object));
}

/** The policies that judge what is asked for in members' namespaces, and what puts them in force. */
export function policyObjectsOf(settings: Settings): ObjectName[] {
  return admissionPolicies.flatMap((policy) =>
    (["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"] as const).map((kind) => ({
      kind,
      name: admissionPolicyName(policy, settings),
      namespace: undefined,
    })),
  );
}

/** What a member's route consists of when it is open, each object after those that it refers to. */
export function routeObjectsOf(member: Member, settings: Settings): MemberObject[] {
  const { namespace } = settings.route;
  const home = namespaceName(member);
  const objects: Readonly<Record<KindOfRoute, Omit<ObjectName, "kind">>> = {
    BackendTLSPolicy: { name: backendTlsPolicyName(member), namespace: home },
    ConfigMap: { name: backendCaName, namespace: home },
    HTTPRoute: { name: httpRouteName(member), namespace: home },
    Ingress: { name: ingressName(member), namespace },
    Middleware: { name: middlewareName(member), namespace },
    ServersTransport: { name: serversTransportName(member), namespace },
    Service: { name: serviceName(member), namespace },
  };
  return kindsOfRoute(settings, member.route?.path).map((kind) => ({ kind, ...objects[kind] }));
}

/** What the program declares for a member in this run; its route only when that is open. */
export function objectsOf(
  member: Member,
  settings: Settings,
  snapshot: Pick<ClusterSnapshot, "guards" | "services" | "unread">,
): MemberObject[] {
  const namespace = namespaceName(member);
  const { home, others } = member.type;
  const objects: MemberObject[] = [
    { kind: "Namespace", name: namespace, namespace: undefined },
    { kind: "LimitRange", name: limitRangeName, namespace },
    { kind: "NetworkPolicy", name: networkPolicyName, namespace },
    { kind: "Role", name: roleName(home), namespace },
    { kind: "ServiceAccount", name: serviceAccountName, namespace },
  ];
  if (hasQuota(member)) {
    objects.push({ kind: "ResourceQuota", name: resourceQuotaName, namespace });
  }
  if (member.standing === "active") {
    const role = { kind: "Role", name: roleName(home) } as const;
    objects.push({ kind: "RoleBinding", name: roleName(home), namespace, role });
  }
  if (member.standing === "active" && others !== "none") {
    const role = { kind: "ClusterRole", name: clusterRoleName(others, settings) } as const;
    const name = clusterRoleBindingName(member, others, settings);
    objects.push({ kind: "ClusterRoleBinding", name, namespace: undefined, role });
  }
  const { made = [] } = starterPlan(member, settings, snapshot) ?? {};
  objects.push(...made.map((kind) => starterObject(member, kind)));
  objects.push(...bucketsPlan(member, settings, snapshot).made);
  const plan = managedServiceOf(member, settings, snapshot);
  if (plan !== undefined && "service" in plan && plan.service.isLeft !== true) {
    objects.push({ kind: "Service", name: serviceName(member), namespace });
  }
  if (member.route !== undefined && isOpening(readinessOf(member, settings, snapshot))) {
    objects.push(...routeObjectsOf(member, settings));
  }
  return objects;
}
