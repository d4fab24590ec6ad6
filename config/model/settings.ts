import type { CannedAcl, Permission } from "./bucketAccess.ts";
import type { BudgetFigure } from "./budgets.ts";
import type { IngressController } from "./controllers.ts";
import type { GivenKind } from "./givenKinds.ts";
import type { MemberLimits } from "./limits.ts";

/**
 * A stack's configuration after reading and validation: plain data, and all that the rest of the program knows of it.
 * `schema/` conforms to these contracts, not the reverse.
 */

/** The cluster that the stack is meant for. */
interface ClusterSettings {
  /** Context of the kubeconfig, for the provider and for kubecamp's own reads. Default: the kubeconfig's current one. */
  readonly context?: string;
  /**
   * UID of the namespace `kube-system`, the nearest that Kubernetes has to a cluster's identity. A run on another
   * cluster stops before it touches anything. Default: any cluster.
   */
  readonly id?: string;
  /** DNS domain of Services. Default: `cluster.local`; a run that finds another domain stops. */
  readonly domain?: string;
}

/**
 * How people sign in, and how their names arrive at the API server.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#openid-connect-tokens
 */
export interface OidcSettings {
  /** URL of the issuer of tokens, as `https://id.example.org`. Default: none, and no kubeconfig can be made. */
  readonly issuerUrl?: string;
  /** Client ID that tokens are issued for. Default: none, and no kubeconfig can be made. */
  readonly clientId?: string;
  /** PEM text of the CA of the issuer's certificate. Default: the CAs that machines trust. */
  readonly ca?: string;
  /** Claim that holds a member's subject. */
  readonly usernameClaim: string;
  /** Claim that holds a user's groups. */
  readonly groupsClaim: string;
  /** Scopes that a kubeconfig requests besides `openid`. */
  readonly scopes: readonly string[];
  /** Prefix of a member's subject. */
  readonly usernamePrefix: string;
  /** Prefix of each of a member's groups. */
  readonly groupsPrefix: string;
}

/** Kind of route from the public host to a member's Service. */
type RouteKind = "ingress" | "gateway";

/**
 * The public path of each member, `https://HOST/<member>/`.
 * @see https://kubernetes.io/docs/concepts/services-networking/ingress/
 */
export interface RouteSettings {
  /** An Ingress in the controller's namespace, or an HTTPRoute in the member's. */
  readonly kind: RouteKind;
  /** The ingress controller, whose annotations an Ingress needs. */
  readonly controller: IngressController;
  /**
   * Namespace of the pods that traffic comes from: the ingress controller's or the Gateway's. It must exist. Default:
   * the controller's usual one; for a Gateway, the Gateway's own.
   */
  readonly namespace: string;
  /** IngressClass of the controller. Default: the controller's usual one. */
  readonly className: string;
  /** The shared Gateway; present if `kind` is `gateway`. */
  readonly gateway?: GatewaySettings;
  /** Whether requests reach the Service with their whole path (`none`) or without the member's prefix (`strip`). */
  readonly rewrite: "none" | "strip";
  /** Certificate of the public hosts. Default: the controller's own. */
  readonly tls?: TlsSettings;
  readonly backend: BackendSettings;
  /** Limits on requests to members' paths. Default: the controller's own. */
  readonly limits?: RouteLimits;
  /** Default: whoever reaches the controller reaches members' paths. */
  readonly login?: LoginSettings;
}

/**
 * A proxy that the controller asks about each request before it passes it on.
 * @see https://oauth2-proxy.github.io/oauth2-proxy/features/endpoints
 */
export interface LoginSettings {
  readonly kind: "oauth2-proxy";
  /** Address of the proxy for the controller, without a path, as `http://oauth2-proxy.login.svc.cluster.local:4180`. */
  readonly url: string;
  /** URL where browsers sign in; present for a controller that sends them there itself. */
  readonly signIn?: string;
  /**
   * Who reaches a path: everyone whom the proxy lets in (`members`), only its own member (`member`), or members of one
   * of these groups.
   */
  readonly allow: "members" | "member" | readonly string[];
}

/** Limits on requests; each by default the controller's own. */
export interface RouteLimits {
  /** Largest body of a request, in MiB. */
  readonly bodyMiB?: number;
  /** How long a request may take, in seconds; what exactly counts differs between controllers (docs/run/routes.md). */
  readonly timeoutSeconds?: number;
  /** Whether the controller passes WebSockets on. */
  readonly websockets?: boolean;
}

/**
 * The Gateway that members' routes attach to.
 * @see https://gateway-api.sigs.k8s.io/api-types/gateway/
 */
export interface GatewaySettings {
  readonly name: string;
  /** Default: `route.namespace`. */
  readonly namespace: string;
  /** Name of one of its listeners. Default: all that match. */
  readonly sectionName?: string;
}

/**
 * Source of the certificate of the public hosts: a Secret in the controller's namespace, or cert-manager, which makes
 * one for each host.
 * @see https://cert-manager.io/docs/usage/ingress/
 */
export type TlsSettings =
  | { readonly secretName: string }
  | { readonly clusterIssuer: string }
  | { readonly issuer: string };

/** Connection from the controller to members' Services. */
export interface BackendSettings {
  /** With `HTTPS`, a path leads to the Service's port 443 instead of 80. */
  readonly protocol: "HTTP" | "HTTPS";
  /**
   * PEM text of the CA that signs members' certificates. Default: an Ingress verifies nothing; a Gateway expects a
   * certificate that its system trusts.
   */
  readonly ca?: string;
  /** Name in a member's certificate; contains `{member}`. */
  readonly serverName: string;
}

/** Condition on which a route opens. */
export interface ReadinessSettings {
  /**
   * `gate`: the route stays pending until the member's Service is fit. `wait`: the run waits for the Service, and fails
   * for that member after `timeoutSeconds`. `managed`: kubecamp makes the Service.
   */
  readonly mode: "gate" | "wait" | "managed";
  /** Whether the Service is enough (`service`), or ready pods must be behind it (`endpoints`). */
  readonly requires: "service" | "endpoints";
  /** Longest wait of a run, in seconds. */
  readonly timeoutSeconds: number;
  /** Port of the pods, by number or name, that a managed Service targets. */
  readonly targetPort: number | string;
}

/** A port that connections may use. */
export interface NetworkPort {
  readonly port: number;
  readonly protocol: "TCP" | "UDP" | "SCTP";
}

/** A peer that isolation lets connect, in one direction. */
export interface NetworkException {
  /** Addresses, or pods of a namespace; without labels, all pods of the namespace. */
  readonly peer:
    | { readonly cidr: string }
    | { readonly namespace: string; readonly podLabels: Readonly<Record<string, string>> };
  /** Default: none, which means every port. */
  readonly ports: readonly NetworkPort[];
}

/** Connections that a member's isolation allows besides their own namespace, DNS and the ingress controller. */
export interface NetworkAccess {
  /** Whether pods reach public addresses; private and metadata addresses stay closed. */
  readonly internet: boolean;
  /** Further destinations of connections from their pods. Default: none. */
  readonly egress: readonly NetworkException[];
  /** Further sources of connections to their pods. Default: none. */
  readonly ingress: readonly NetworkException[];
}

/**
 * Settings that members' NetworkPolicies share.
 * @see https://kubernetes.io/docs/concepts/services-networking/network-policies/
 */
export interface NetworkSettings {
  /** Labels of the ingress controller's pods. Default: none, which means every pod of its namespace. */
  readonly ingressPodLabels: Readonly<Record<string, string>>;
  /** Namespace of the cluster's DNS pods. */
  readonly dnsNamespace: string;
  /** Labels of the cluster's DNS pods. */
  readonly dnsPodLabels: Readonly<Record<string, string>>;
  /** Addresses of NodeLocal DNS, as `169.254.20.10`: its pods use the node's network, so no labels select them. */
  readonly nodeLocalDns: readonly string[];
}

/** Limits on removals. */
interface OffboardingSettings {
  /** Most members that a run removes. Default: 3, but none if the list is empty, which is how a truncated file looks. */
  readonly maxRemovals?: number;
}

/** Role of a member in their own namespace: `edit` to run workloads, `view` to look at them. */
export type HomeRole = "edit" | "view";

/** View of other members: workloads, Services and routes (`view`), or Services and routes (`view-guest`). */
export type OthersView = "view" | "view-guest";

/** The name of a Pod Security Standard. */
type PodSecurity = "baseline" | "restricted";

/** A member type. */
export interface MemberType {
  /** The type's name, as in members' entries. */
  readonly name: string;
  /** Role in the member's own namespace. */
  readonly home: HomeRole;
  /** View of other members' namespaces. */
  readonly others: OthersView | "none";
  /** Whether members of the type have a ResourceQuota. */
  readonly quota: boolean;
  /**
   * Enforced Pod Security Standard.
   * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/
   */
  readonly podSecurity: PodSecurity;
  /**
   * PriorityClasses that members' pods may name.
   * @see https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
   */
  readonly priorityClasses: readonly string[];
  /** Most devices of all pods, by extended resource or DRA DeviceClass; none of others. Default: any, uncounted. */
  readonly devices?: Readonly<Record<string, number>>;
  /** Most storage of all claims in MiB, by StorageClass; none of others. Default: any. */
  readonly storage?: Readonly<Record<string, number>>;
  /**
   * Default: any.
   * @see https://kubernetes.io/docs/concepts/containers/runtime-class/
   */
  readonly runtimeClasses?: RuntimeClasses;
  /** Default: nodes that are in no pool. */
  readonly pool?: Pool;
  /**
   * Whether pods must have a user namespace of their own, in which root is nobody on the node. Default: they may.
   * @see https://kubernetes.io/docs/concepts/workloads/pods/user-namespaces/
   */
  readonly userNamespaces?: "required";
}

/** RuntimeClasses of a member's pods. */
export interface RuntimeClasses {
  /** A pod has one of these; if there are none, it names none. */
  readonly allowed: readonly string[];
  /** The one that a pod gets which names none. Default: such a pod is refused. */
  readonly default?: string;
}

/**
 * A taint that pods tolerate; an absent effect means any.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/
 */
export interface Toleration {
  readonly key: string;
  readonly operator: "Equal" | "Exists";
  /** Absent with `Exists`. */
  readonly value?: string;
  readonly effect?: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
}

/** Nodes that only the pods of some members run on, and these on no others. */
export interface Pool {
  /** Labels of the nodes. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Taints that keep others' pods off the nodes. */
  readonly tolerations: readonly Toleration[];
}

/** Settings of types and members that admission policies enforce, by the policy's name. */
export interface Confinement {
  readonly devices?: {
    /** Whether there are DRA DeviceClasses among them, for which members make ResourceClaims. */
    readonly claims: boolean;
  };
  readonly storage?: true;
  readonly runtimes?: true;
  /** All pools, each once. */
  readonly pools?: readonly Pool[];
  readonly users?: true;
  /** Whether something of it is filled in where pods leave it out. */
  readonly fillsIn?: true;
}

/** The public address of a member's Service. */
export interface MemberRoute {
  readonly host: string;
  /** Such as `/bob`, or `/` on a host of the member's own. No member's path is within another's on the same host. */
  readonly path: string;
}

/** A member's route, with its condition to open. */
export interface PlannedRoute extends MemberRoute {
  readonly readiness: ReadinessSettings;
}

/** Suspended and expired members keep their objects and data, and lose access, route and running pods. */
export type Standing = "active" | "suspended" | "expired";

/**
 * Treatment of a starter app after it is made: `once` leaves it to the member, with all changes; `kept` restores the
 * declared state.
 */
export type StarterMode = "once" | "kept";

/** Settings shared by all starter apps; such an app answers on a member's path from the first run on. */
export interface StarterSettings {
  /** Such as `docker.io/library/caddy:2`. */
  readonly image: string;
  /** Port that the container listens on. */
  readonly port: number;
  /** How many pods. */
  readonly replicas: number;
  /** CPU request and limit of each pod, in thousandths of a CPU. */
  readonly cpuMillicores: number;
  /** Memory request and limit of each pod, in MiB. */
  readonly memoryMiB: number;
  /**
   * Markdown by file name, with `index.md`; placeholders such as `{member}` are filled in. Default: a page of
   * kubecamp's.
   */
  readonly pages?: Readonly<Record<string, string>>;
}

/**
 * Storage of members' buckets: an S3 server, or a COSI driver of the cluster.
 * @see https://container-object-storage-interface.sigs.k8s.io/
 */
export type StorageSettings = S3Settings | CosiSettings;

/** An S3 server and its administrator's key. */
export interface S3Settings {
  readonly kind: "s3";
  /** URL, as `https://s3.example.org`. Default: AWS. */
  readonly endpoint?: string;
  /** URL that members' pods use. Default: `endpoint`. */
  readonly appEndpoint?: string;
  readonly region: string;
  /** Whether the bucket is in the URL's path instead of the host name. Default: true if `endpoint` is set. */
  readonly forcePathStyle: boolean;
  /** Access key of a user who may create buckets, set their policies and create users. */
  readonly accessKeyId: string;
  /** Secret key; undefined if the configuration was read without its secrets, as commands outside of Pulumi do. */
  readonly secretAccessKey?: string;
  /** Kind of the server if kubecamp creates members' keys on it. Default: none; keys are given. */
  readonly users?: "versitygw";
  /** URL of the API for users. Default: `endpoint`. */
  readonly usersEndpoint?: string;
}

/** A COSI driver of the cluster, which makes buckets and keys. */
export interface CosiSettings {
  readonly kind: "cosi";
  /** Version of the API that the cluster serves. */
  readonly version: "v1alpha1" | "v1alpha2";
  readonly bucketClassName: string;
  readonly bucketAccessClassName: string;
}

/** A member's bucket. */
export interface MemberBucket {
  /** A DNS label; also the name of the bucket's Secret and ConfigMap in the member's namespace. */
  readonly name: string;
  /** Name on the server; never changes. Default: the member's name, `-` and `name`. */
  readonly bucketName: string;
  /** Treatment of the bucket after its declaration is removed. */
  readonly reclaimPolicy: "Retain" | "Delete";
  /** Default: `private`. */
  readonly acl?: CannedAcl;
  /** Grants to use instead of `acl`. */
  readonly grants?: readonly BucketGrant[];
  /** Bucket policy as JSON text, added to the one that lets the member in. */
  readonly policy?: string;
  readonly versioning: boolean;
  /** Whether to take over an existing bucket of that name, with its content. */
  readonly adopt: boolean;
}

/**
 * A grant to others.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html
 */
export interface BucketGrant {
  /** Canonical user ID (with versitygw: an access key), or a group's URI. */
  readonly grantee: string;
  readonly permission: Permission;
}

/** Keys that somebody else made for a member. */
export interface GivenKeys {
  readonly accessKeyId: string;
  /** Undefined if the configuration was read without its secrets. */
  readonly secretAccessKey?: string;
  /**
   * Principal in bucket policies, such as an ARN; each of the member's buckets lets it in. Default: kubecamp lets
   * nobody in.
   */
  readonly principal?: string;
}

/** Some of a stack's members: those that fit each of its keys. */
export interface Selector {
  /** Names of types. Default: any. */
  readonly types?: readonly string[];
  /** Labels that a member has, all of them. Default: any. */
  readonly labels: Readonly<Record<string, string>>;
  /** Names. Default: any. */
  readonly members?: readonly string[];
}

/** Upper bound on the sum of some members' quotas. */
export interface Budget {
  readonly name: string;
  readonly over: Selector;
  /** Highest sum by figure. Default: not bounded. */
  readonly most: Readonly<Partial<Record<BudgetFigure, number>>>;
}

/**
 * Rights of staff in a member's namespace: to look (`view`), also to run commands in pods and restart (`assist`), or what
 * the member may do (`edit`).
 */
export type StaffRole = "view" | "assist" | "edit";

/** A user or a group at the API server, prefix included. */
export interface StaffSubject {
  readonly kind: "User" | "Group";
  readonly name: string;
}

/** Who looks after some members. */
export interface Staff {
  readonly subject: StaffSubject;
  readonly role: StaffRole;
  readonly over: Selector;
}

/** Who looks after one member: each subject once, in the strongest of their roles; no role without subjects. */
export type MemberStaff = Readonly<Partial<Record<StaffRole, readonly StaffSubject[]>>>;

/** An issuer of tokens for CI jobs. */
export interface CiIssuer {
  /** Form of the tokens' subjects. */
  readonly kind: "github" | "gitlab";
  /** URL, the `iss` of tokens. */
  readonly issuerUrl: string;
  /** PEM text of the CA of the issuer's certificate. Default: the CAs that machines trust. */
  readonly ca?: string;
  /** Prefix of subjects at the API server. */
  readonly prefix: string;
}

/** CI jobs that deploy into members' namespaces. */
export interface CiSettings {
  /** The `aud` of tokens for this cluster. Default: none; no member has jobs of an issuer. */
  readonly audience?: string;
  /** Issuers of members' jobs. */
  readonly issuers: readonly CiIssuer[];
  /** Audiences of tokens of members' ServiceAccounts for CI jobs: the API server's own. */
  readonly apiAudiences: readonly string[];
}

/** CI jobs that deploy into one member's namespace. */
export interface MemberCi {
  /** User names at the API server, prefix included. */
  readonly subjects: readonly string[];
  /** Whether the member may request tokens of a ServiceAccount. */
  readonly token?: true;
}

/** A manifest for members, with placeholders such as `${member}`. */
export interface Manifest {
  readonly kind: GivenKind;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** All but `apiVersion`, `kind` and `metadata`; empty for a copy. */
  readonly content: Readonly<Record<string, unknown>>;
  /** Namespace of the live object of that kind and name to copy. Default: it is no copy. */
  readonly copyOf?: string;
  /** Whether pods use it to pull images without asking for it. */
  readonly isPullSecret?: true;
}

/** Manifests of one entry of `objects`. */
export interface GivenObjects {
  /** Index in `objects`. */
  readonly index: number;
  readonly for: Selector;
  readonly manifests: readonly Manifest[];
}

/** A manifest as a member gets it, with all placeholders filled in. */
export interface GivenObject extends Manifest {
  /** Index in `objects`. */
  readonly index: number;
  /** Index in the entry's manifests. */
  readonly at: number;
}

/** One person. */
export interface Member {
  /** A DNS label: the member's name and namespace. */
  readonly name: string;
  /** The type's traits, with the member's own changes. */
  readonly type: MemberType;
  /** Labels that selectors of the settings refer to. */
  readonly labels: Readonly<Record<string, string>>;
  readonly limits: MemberLimits;
  /** Allowed images of their pods, as patterns such as `docker.io/library/nginx:1.*`. Default: any. */
  readonly images?: readonly string[];
  readonly network: NetworkAccess;
  /** User name at the API server, prefix included. */
  readonly username: string;
  /** Group names at the API server, prefix included. */
  readonly groups: readonly string[];
  /** The public path; absent for a member without one. */
  readonly route?: PlannedRoute;
  /** Absent for a member without a starter app. */
  readonly starter?: { readonly mode: StarterMode };
  /** Absent for a member whom no staff is over. */
  readonly staff?: MemberStaff;
  /** Absent for a member without CI jobs. */
  readonly ci?: MemberCi;
  /** Absent for a member without buckets. */
  readonly buckets?: readonly MemberBucket[];
  /** Keys for the member's buckets. Default: keys that kubecamp or the driver makes. */
  readonly bucketKeys?: GivenKeys;
  /** Number of the keys that kubecamp makes; a new number gives a new secret. */
  readonly bucketKeyGeneration?: number;
  /** Objects that the platform gives them. Default: none. */
  readonly objects?: readonly GivenObject[];
  readonly standing: Standing;
  /** Last day of the environment in UTC, as `2026-12-31`. Default: none. */
  readonly expires?: string;
  /** Whether to take over objects of theirs that kubecamp did not make. */
  readonly adopt: boolean;
  /** Whether to refuse their removal. */
  readonly protect: boolean;
}

/** Stacks that one list of members is split over: `prod-0`, `prod-1` and so on. */
export interface ShardSettings {
  /** Prefix of their names, and the stack whose file has the settings and members: `prod`. */
  readonly family: string;
  /** How many shards; 0 to move everyone back into the undivided stack. */
  readonly count: number;
}

/** All settings except the members. */
export interface Settings {
  /** The Pulumi stack. Cluster-scoped objects contain its name, so that stacks can share a cluster. */
  readonly stack: string;
  /** Shards of the list; absent for a stack with a list of its own. */
  readonly shards?: ShardSettings;
  readonly cluster: ClusterSettings;
  readonly oidc: OidcSettings;
  readonly route: RouteSettings;
  readonly network: NetworkSettings;
  /** Contact for members in messages, such as `platform@example.org`. */
  readonly contact: string;
  readonly starter: StarterSettings;
  /** Absent if nobody may have buckets. */
  readonly storage?: StorageSettings;
  readonly offboarding: OffboardingSettings;
  /** Absent for a stack without. */
  readonly budgets?: readonly Budget[];
  /** Absent for a stack without. */
  readonly staff?: readonly Staff[];
  /** Absent for a stack without, none of whose members has CI jobs. */
  readonly ci?: CiSettings;
  /** Objects for members; absent for a stack without. */
  readonly objects?: readonly GivenObjects[];
  /** Absent if no type and no member sets any of it. */
  readonly confinement?: Confinement;
}

/** A stack's whole configuration. */
export interface Configuration {
  readonly settings: Settings;
  readonly members: readonly Member[];
}
