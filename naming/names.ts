import type { HomeRole, MemberRoute, OthersView, RouteSettings, Settings } from "../config/model/settings.ts";

type Named = { readonly name: string };
type OfStack = Pick<Settings, "stack">;

/**
 * Names of the objects that others refer to. What an object could not change in place (the role that a binding is to)
 * is part of its name, so that a change makes a new object before the old one goes, and never a gap between the two.
 * Cluster-scoped names carry the stack; ':' can stand in no stack's, member's or role's name, so no two collide.
 */
export const namespaceName = (member: Named) => member.name;

/** The Service that a member makes at home, and its ExternalName twin beside the ingress controller. */
export const serviceName = (member: Named) => `${member.name}-svc`;

/** The port of that Service that the member's path leads to. */
export const routedPort = ({ backend }: Pick<RouteSettings, "backend">) => (backend.protocol === "HTTPS" ? 443 : 80);
/** Its name beside the ingress controller. */
export const routedPortName = ({ backend }: Pick<RouteSettings, "backend">) =>
  backend.protocol === "HTTPS" ? "https" : "http";

/** The DNS domain of all Services, and a member's own under its full name. */
export const clusterDomainOf = ({ cluster }: Pick<Settings, "cluster">) => cluster.domain ?? "cluster.local";
export const serviceAddress = (member: Named, settings: Pick<Settings, "cluster">) =>
  `${serviceName(member)}.${namespaceName(member)}.svc.${clusterDomainOf(settings)}`;

export const ingressName = (member: Named) => member.name;

/** What Traefik takes beside a member's Ingress: a Middleware, and a ServersTransport. */
export const middlewareName = (member: Named) => member.name;
export const serversTransportName = (member: Named) => member.name;

/**
 * The end of a name that only its stack's object has. A stack's name may have what no object's can, such as capitals;
 * then its bytes stand for it.
 */
const suffixOf = (stack: string) =>
  /^[-a-z0-9]+$/.test(stack) ? `-${stack}` : `.${Buffer.from(stack).toString("hex")}`;

/** The Secret with the CA of members' Services, beside the ingress controller. */
export const backendCaSecretName = ({ stack }: OfStack) => `kubecamp-backend-ca${suffixOf(stack)}`;

/** The class, which no controller has, of an Ingress that gives its path up to another member. */
export const parkedClass = "kubecamp-parked";

/** The route of a Gateway, at home, and what says how the Gateway speaks to the member's Service. */
export const httpRouteName = (member: Named) => member.name;
export const backendTlsPolicyName = (member: Named) => member.name;
/** The ConfigMap with the CA of members' Services: members have others beside it. */
export const backendCaName = "kubecamp-backend-ca";

/** The starter app's Deployment, and the ConfigMap with the pages that it serves. */
export const starterName = "starter";
export const starterPagesName = "starter-pages";

/** What a run makes at home under one name, of a kind that members make others of. */
export interface HomeName {
  readonly kind: "ConfigMap" | "Deployment";
  readonly name: string;
  /** What it comes with. Default: with every member. */
  readonly comesWith?: "route" | "starter";
  /** Whether members may not make one of that name, either; a quota has room for it. Default: it is theirs to have another. */
  readonly isReserved?: true;
}

/** All of it. Of these kinds, these names alone are read and watched, and no bucket is called so. */
export const homeNames: readonly HomeName[] = [
  { kind: "ConfigMap", name: backendCaName, comesWith: "route", isReserved: true },
  { kind: "ConfigMap", name: starterPagesName, comesWith: "starter" },
  { kind: "Deployment", name: starterName, comesWith: "starter" },
];

export const limitRangeName = "default-limits";

export const networkPolicyName = "isolation";

export const resourceQuotaName = "quota";

/** The ServiceAccount that pods have who name none: Kubernetes makes it in every namespace. */
export const serviceAccountName = "default";

/** The stack's own ValidatingAdmissionPolicies, and the bindings that put them in force. */
export const admissionPolicies = ["amounts", "finalizers", "images", "pods", "reserved", "routes", "services"] as const;
export type AdmissionPolicy = (typeof admissionPolicies)[number];
export const admissionPolicyName = (policy: AdmissionPolicy, { stack }: OfStack) =>
  `kubecamp-${policy}${suffixOf(stack)}`;

export const roleName = (home: HomeRole) => `kubecamp-${home}`;

export const clusterRoleName = (view: OthersView, { stack }: OfStack) => `kubecamp:${stack}:${view}`;

export const clusterRoleBindingName = (member: Named, view: OthersView, { stack }: OfStack) =>
  `kubecamp:${stack}:${member.name}:${view}`;

/** The address of a member's path. */
export const routeUrl = ({ host, path }: MemberRoute) => `https://${host}${path.replace(/\/*$/, "/")}`;
