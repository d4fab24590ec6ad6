import { cosiKinds, cosiTypes, isCosiKind } from "../../../cluster/kinds/cosi.ts";
import { stackKinds, stackKindsWhere } from "../../../cluster/kinds/stackKinds.ts";
import { customKindsIn, isCustomKind, partsOfCustom, titledKind } from "../../../config/model/members/customKinds.ts";
import type { Member } from "../../../config/model/members/member.ts";
import { othersViews } from "../../../config/model/members/memberTypes.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import { memberLabels, stackLabels } from "../../../naming/labels.ts";
import {
  admissionPolicyName,
  allowName,
  backendCaSecretName,
  bodyLimitName,
  clusterRoleName,
  fillInName,
  ingressName,
  loginName,
  middlewareName,
  namespaceName,
  policyNamesOf,
  serversTransportName,
  serviceName,
} from "../../../naming/names.ts";
import { typeOf } from "../../../naming/urns.ts";
import { driverOf, objectOf } from "../../../plan/routes/drivers/drivers.ts";
import { broken } from "../invariants.ts";
import type { GateObject, Judge } from "../object.ts";
import { shown } from "../values.ts";

/**
 * Kinds in a member's namespace, and kinds beside the ingress controller with their names. Written out rather than
 * derived from the registering code, since the gate guards against mistakes there too. For a kind in neither list, such
 * as a controller's own, the controller's driver decides.
 */
const homely: readonly string[] = [
  ...Object.keys(cosiKinds),
  "BackendTLSPolicy",
  "ConfigMap",
  "CronJob",
  "DaemonSet",
  "Deployment",
  "HTTPRoute",
  "LimitRange",
  "NetworkPolicy",
  "ResourceQuota",
  "Role",
  "RoleBinding",
  "Service",
  "ServiceAccount",
  "StatefulSet",
];
const beside: Readonly<Record<string, (member: Member) => readonly string[]>> = {
  Ingress: (member) => [ingressName(member)],
  Middleware: (member) => [middlewareName, bodyLimitName, loginName, allowName].map((name) => name(member)),
  ServersTransport: (member) => [serversTransportName(member)],
  Service: (member) => [serviceName(member)],
};

/** Shared kinds and their permitted names. */
const shared: Readonly<Record<string, (settings: Settings) => readonly string[]>> = {
  ClusterRole: (settings) => othersViews.map((view) => clusterRoleName(view, settings)),
  MutatingAdmissionPolicy: (settings) => [fillInName(settings)],
  MutatingAdmissionPolicyBinding: (settings) => [fillInName(settings)],
  Secret: (settings) => [backendCaSecretName(settings)],
  ValidatingAdmissionPolicy: policyNames,
  ValidatingAdmissionPolicyBinding: policyNames,
};

function policyNames(settings: Settings): readonly string[] {
  return policyNamesOf(settings).map((policy) => admissionPolicyName(policy, settings));
}

/** Pulumi's types of a kind that the gate can judge; none for others, among them custom ones that the settings don't allow. */
export function typesOf(kind: string, settings: Pick<Settings, "objectKinds">): string[] {
  if (isCustomKind(kind)) {
    const isAllowed = customKindsIn(settings).some((each) => titledKind(each) === kind);
    return isAllowed ? [typeOf(partsOfCustom(kind))] : [];
  }
  if (isCosiKind(kind)) {
    return cosiTypes(kind);
  }
  return stackKindsWhere()
    .filter((each) => each === kind)
    .map((each) => typeOf({ ...stackKinds[each], kind }));
}

/** Every object must have its proper namespace, name and owner labels. */
export const ownPlaces: Judge = (object, { settings }) => {
  const { member, labels, name, namespace } = object;
  const places = member === undefined ? sharedPlaces(object, settings) : memberPlaces(object, member, settings);
  const isThere = places.some((place) => place.namespace === namespace && (place.isName?.(name) ?? name !== ""));
  // A member's own Service keeps its labels: it may be older than the run.
  const isTheirs = object.kind === "Service" && member !== undefined && namespace === namespaceName(member);
  const whose = member === undefined ? stackLabels(settings) : memberLabels(member, settings);
  const wrong = Object.entries(isTheirs ? {} : whose).filter(([key, value]) => labels[key] !== value);
  const place = namespace === undefined ? `'${name}', in no namespace,` : `'${namespace}/${name}'`;
  const owner = member === undefined ? "a shared object" : "a member's object";
  return [
    ...(isThere ? [] : [broken("own-places", "metadata", `${place} is no place for ${owner} of this kind`)]),
    ...wrong.map(([key, value]) =>
      broken("own-places", `metadata.labels['${key}']`, `is ${shown(labels[key])} instead of ${shown(value)}`),
    ),
  ];
};

interface Place {
  readonly namespace: string | undefined;
  /** Default: any. */
  readonly isName?: (name: string) => boolean;
}

function memberPlaces({ kind }: GateObject, member: Member, settings: Settings): Place[] {
  if (kind === "Namespace") {
    return [{ namespace: undefined, isName: (name) => name === namespaceName(member) }];
  }
  if (kind === "ClusterRoleBinding") {
    return [{ namespace: undefined, isName: (name) => name.startsWith(`kubecamp:${settings.stack}:${member.name}:`) }];
  }
  if (kind === "Secret") {
    // The only Secrets that kubecamp makes for a member are those of buckets and copies.
    const names = [
      ...(member.buckets ?? []).map(({ name }) => name),
      ...(member.objects ?? []).flatMap((object) => (object.kind === kind ? [object.name] : [])),
    ];
    const isName = (name: string) => names.includes(name);
    return [{ namespace: namespaceName(member), isName }];
  }
  if (isCustomKind(kind)) {
    return [{ namespace: namespaceName(member) }];
  }
  if (!homely.includes(kind) && beside[kind] === undefined) {
    return driverPlaces(kind, member, settings);
  }
  const home: Place[] = homely.includes(kind) ? [{ namespace: namespaceName(member) }] : [];
  const namesBeside = beside[kind]?.(member);
  return namesBeside === undefined || driverOf(settings).door.place === "home"
    ? home
    : [...home, { namespace: settings.route.namespace, isName: (name) => namesBeside.includes(name) }];
}

function driverPlaces(kind: string, member: Member, settings: Settings): Place[] {
  return driverOf(settings)
    .parts.filter((part) => part.kind === kind)
    .map((part) => objectOf(part, member, settings))
    .map(({ name, namespace }) => ({ namespace, isName: (found) => found === name }));
}

function sharedPlaces({ kind }: GateObject, settings: Settings): Place[] {
  const names = shared[kind]?.(settings) ?? [];
  return [
    { namespace: kind === "Secret" ? settings.route.namespace : undefined, isName: (name) => names.includes(name) },
  ];
}
