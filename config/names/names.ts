import { createHash } from "node:crypto";
import type { Confinement } from "../member/confinement.ts";
import type { HomeRole, OthersView } from "../member/types.ts";
import type { MemberRoute } from "../route/memberRoute.ts";
import type { RouteSettings } from "../route/route.ts";
import type { Settings } from "../settings.ts";
import type { StaffRole } from "../staff.ts";

type Named = { readonly name: string };
type OfStack = Pick<Settings, "stack">;

// Names of objects that other objects refer to. A name contains whatever the object can't change in place, such as the role
// of a binding: a change then creates the new object before it deletes the old one. Cluster-scoped names contain the stack;
// ':' can't be in the name of a stack, member or role, so no two collide.

export const namespaceName = (member: Named) => member.name;

/** The Service that a member makes at home, and its ExternalName twin in the ingress controller's namespace. */
export const serviceName = (member: Named) => `${member.name}-svc`;

/** Port of that Service that receives the path's requests. */
export const routedPort = ({ backend }: Pick<RouteSettings, "backend">) => (backend.protocol === "HTTPS" ? 443 : 80);
/** Name of that port in the ingress controller's namespace. */
export const routedPortName = ({ backend }: Pick<RouteSettings, "backend">) =>
  backend.protocol === "HTTPS" ? "https" : "http";

export const defaultClusterDomain = "cluster.local";

export const clusterDomainOf = ({ cluster }: Pick<Settings, "cluster">) => cluster.domain ?? defaultClusterDomain;
export const serviceAddress = (member: Named, settings: Pick<Settings, "cluster">) =>
  `${serviceName(member)}.${namespaceName(member)}.svc.${clusterDomainOf(settings)}`;

/** Ends a name that is unique to the stack, in hex if the stack's has characters that no object's can, as capitals. */
const suffixOf = (stack: string) =>
  /^[-a-z0-9]+$/.test(stack) ? `-${stack}` : `.${Buffer.from(stack).toString("hex")}`;

/** The Secret with the CA of members' Services, in the ingress controller's namespace. */
export const backendCaSecretName = ({ stack }: OfStack) => `kubecamp-backend-ca${suffixOf(stack)}`;

/** Class of an Ingress that gives its path up to another member. No controller has this class. */
export const parkedClass = "kubecamp-parked";

/** The ConfigMap with the CA of members' Services. Members have further ConfigMaps beside it. */
export const backendCaName = "kubecamp-backend-ca";

/**
 * The Secret at home with the certificate of the member's own host, which cert-manager writes. A member's could be for other
 * hosts, and some controllers would serve it there.
 */
export const routeCertificateName = "kubecamp-route-tls";

/** The starter app's Deployment, and the ConfigMap with the pages that it serves. */
export const starterName = "starter";
export const starterPagesName = "starter-pages";

/** The ConfigMap by which members ask to be awake (`schedule.wakeFor`). They make it, and runs remove it. */
export const wakeName = "wake";

/** An object that runs make, or answer, at home under a fixed name, of a kind that members also create. */
export interface HomeName {
  readonly kind: "ConfigMap" | "Deployment" | "Secret";
  readonly name: string;
  /** The feature that needs it. Default: every member has it. */
  readonly comesWith?: "route" | "starter" | "wakeFor";
  /** Whether members may not create that name themselves; a quota leaves space for it. Default: they may. */
  readonly isReserved?: true;
  /** Whether members make it: runs read its metadata alone, since they may fill it, and remove it. Default: runs make it. */
  readonly isTheirs?: true;
}

/** The only names that are read and watched of these kinds; no bucket may have one of them. */
export const homeNames: readonly HomeName[] = [
  { kind: "ConfigMap", name: backendCaName, comesWith: "route", isReserved: true },
  { kind: "Secret", name: routeCertificateName, comesWith: "route", isReserved: true },
  { kind: "ConfigMap", name: starterPagesName, comesWith: "starter" },
  { kind: "Deployment", name: starterName, comesWith: "starter" },
  { kind: "ConfigMap", name: wakeName, comesWith: "wakeFor", isTheirs: true },
];

export const limitRangeName = "default-limits";

export const networkPolicyName = "isolation";

export const resourceQuotaName = "quota";

/** The ServiceAccount of pods that name none; Kubernetes creates it in every namespace. */
export const serviceAccountName = "default";

/** ValidatingAdmissionPolicies that every stack has, each with its binding. */
export const admissionPolicies = [
  "amounts",
  "finalizers",
  "images",
  "pods",
  "reserved",
  "routes",
  "services",
  "storage",
] as const;
/** ValidatingAdmissionPolicies that a stack has if its types or members set what they hold. */
export const confiningPolicies = [
  "devices",
  "runtimes",
  "pools",
  "users",
] as const satisfies readonly (keyof Confinement)[];
/** The MutatingAdmissionPolicy that fills in what pods leave out, and its binding. */
export const fillInName = ({ stack }: OfStack) => `kubecamp-fill-in${suffixOf(stack)}`;
export type AdmissionPolicy = (typeof admissionPolicies | typeof confiningPolicies)[number] | "restarts" | "tokens";
export const policyNamesOf = ({
  confinement = {},
  staff,
  ci,
}: Pick<Settings, "confinement" | "staff" | "ci">): AdmissionPolicy[] => [
  ...admissionPolicies,
  ...confiningPolicies.filter((name) => confinement[name] !== undefined),
  // Without staff, nobody may restart workloads who may not write them.
  ...(staff?.some(({ role }) => role !== "view") ? ["restarts" as const] : []),
  // Also where no member has a token, so that the policy doesn't come and go with members.
  ...(ci === undefined ? [] : ["tokens" as const]),
];
export const admissionPolicyName = (policy: AdmissionPolicy, { stack }: OfStack) =>
  `kubecamp-${policy}${suffixOf(stack)}`;

export const roleName = (home: HomeRole) => `kubecamp-${home}`;

/** Binding of a member's staff, and the Role that it refers to: staff with `edit` have the member's own. */
export const staffBindingName = (role: StaffRole) => `kubecamp:staff-${role}`;
export const staffRoleName = (role: StaffRole) => (role === "edit" ? roleName(role) : staffBindingName(role));

export const ciBindingName = "kubecamp:ci";
/** The ServiceAccount for CI jobs without an issuer, and the Role to request its tokens, with its binding. */
export const ciAccountName = "kubecamp-ci";
export const ciTokenRoleName = "kubecamp:ci-token";

export const clusterRoleName = (view: OthersView, { stack }: OfStack) => `kubecamp:${stack}:${view}`;

export const clusterRoleBindingName = (member: Named, view: OthersView, { stack }: OfStack) =>
  `kubecamp:${stack}:${member.name}:${view}`;

/** Names of the members whom `kubecamp verify` makes: nobody else's, since the list takes no name that begins so. */
export const verifyName = ({ stack }: OfStack, number: number) =>
  `kubecamp-verify-${createHash("sha256").update(stack).digest("hex").slice(0, 8)}-${number}`;

/** Namespace of what runs kubecamp in the cluster. */
export const systemNamespaceName = "kubecamp-system";

/** The ConfigMap with the last result of `kubecamp verify --record`, and what runs that by itself. */
export const verifyRecordName = ({ stack }: OfStack) => `kubecamp-verify${suffixOf(stack)}`;

/** The public URL of a member's path, with a slash at its end. */
export const routeUrl = ({ host, path }: MemberRoute) => `https://${host}${path.replace(/\/*$/, "/")}`;
