import type { CannedAcl, Permission } from "./bucketAccess.ts";
import type { IngressController } from "./controllers.ts";
import type { MemberLimits } from "./limits.ts";

/**
 * What a stack's configuration says, once it has been read and validated: plain data, and all that the rest of the
 * program knows of it. `schema/` conforms to these contracts, not the reverse.
 */

/** The cluster that the stack is meant for. */
export interface ClusterSettings {
  /** Context of the kubeconfig that the provider and our own reads use. Default: the kubeconfig's current one. */
  readonly context?: string;
  /**
   * UID of the namespace `kube-system`, the nearest that Kubernetes has to a cluster's identity. A run that meets
   * another cluster stops before it touches anything. Default: any cluster will do.
   */
  readonly id?: string;
  /** The DNS domain of Services. Default: `cluster.local`, and a run that finds another one stops. */
  readonly domain?: string;
}

/**
 * How people sign in, and how their names arrive at the API server.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#openid-connect-tokens
 */
export interface OidcSettings {
  /** Where tokens are issued, as `https://id.example.org`. Default: not known here, so that no kubeconfig can be made. */
  readonly issuerUrl?: string;
  /** The client that tokens are for. Default: as for `issuerUrl`. */
  readonly clientId?: string;
  /** PEM text of the CA of the issuer's certificate. Default: one that machines trust anyway. */
  readonly ca?: string;
  /** The claim that a member's subject is compared with. */
  readonly usernameClaim: string;
  /** The claim with a user's groups. */
  readonly groupsClaim: string;
  /** What a kubeconfig asks the issuer for, beside `openid`. */
  readonly scopes: readonly string[];
  /** Put before a member's subject. */
  readonly usernamePrefix: string;
  /** Put before each of a member's groups. */
  readonly groupsPrefix: string;
}

/** What leads from the public host to a member's Service. */
export type RouteKind = "ingress" | "gateway";

/**
 * The public path of each member, `https://HOST/<member>/`.
 * @see https://kubernetes.io/docs/concepts/services-networking/ingress/
 */
export interface RouteSettings {
  /** An Ingress beside the controller, or an HTTPRoute in the member's namespace. */
  readonly kind: RouteKind;
  /** Which ingress controller, as far as it takes annotations of its own. */
  readonly controller: IngressController;
  /** Namespace of the pods that traffic comes from: the ingress controller's or the Gateway's. It must exist. Default: the controller's usual one; the Gateway's own. */
  readonly namespace: string;
  /** IngressClass of the controller. Default: the controller's usual one. */
  readonly className: string;
  /** The shared Gateway; there is one where `kind` is `gateway`. */
  readonly gateway?: GatewaySettings;
  /** Whether requests reach the Service with their whole path, or without the member's prefix. */
  readonly rewrite: "none" | "strip";
  /** The certificate of the public hosts. Default: the controller's own. */
  readonly tls?: TlsSettings;
  /** How the controller speaks to members' Services. */
  readonly backend: BackendSettings;
}

/**
 * The Gateway that members' routes are attached to.
 * @see https://gateway-api.sigs.k8s.io/api-types/gateway/
 */
export interface GatewaySettings {
  readonly name: string;
  /** Default: `route.namespace`. */
  readonly namespace: string;
  /** Name of one of its listeners. Default: all that fit. */
  readonly sectionName?: string;
}

/**
 * Where the certificate of the public hosts comes from: a Secret beside the controller, or cert-manager, which makes one
 * for each host.
 * @see https://cert-manager.io/docs/usage/ingress/
 */
export type TlsSettings =
  | { readonly secretName: string }
  | { readonly clusterIssuer: string }
  | { readonly issuer: string };

/** How the controller speaks to members' Services. */
export interface BackendSettings {
  /** With `HTTPS` the port that a path leads to is 443 instead of 80. */
  readonly protocol: "HTTP" | "HTTPS";
  /**
   * PEM text of the CA that signs members' certificates. Default: an Ingress does not verify them; a Gateway expects one
   * that its system trusts.
   */
  readonly ca?: string;
  /** Name that a member's certificate is for, with `{member}` in it. */
  readonly serverName: string;
}

/** When a route opens. */
export interface ReadinessSettings {
  /**
   * `gate`: once the member's Service is fit; until then it is pending. `wait`: the run waits for that, and fails that
   * member if it takes too long. `managed`: kubecamp makes the Service.
   */
  readonly mode: "gate" | "wait" | "managed";
  /** Whether the Service is enough, or pods must be ready behind it. */
  readonly requires: "service" | "endpoints";
  /** How long a run waits, in seconds. */
  readonly timeoutSeconds: number;
  /** Port of the pods, by number or name, that a managed Service leads to. */
  readonly targetPort: number | string;
}

/** Ports that connections are let through to. */
export interface NetworkPort {
  readonly port: number;
  readonly protocol: "TCP" | "UDP" | "SCTP";
}

/** One end of a connection that isolation lets through. */
export interface NetworkException {
  /** Addresses, or pods of a namespace; no labels stand for all of its pods. */
  readonly peer:
    | { readonly cidr: string }
    | { readonly namespace: string; readonly podLabels: Readonly<Record<string, string>> };
  /** Default: none, which stands for every port. */
  readonly ports: readonly NetworkPort[];
}

/** What a member's isolation lets through beside their own namespace, DNS and the ingress controller. */
export interface NetworkAccess {
  /** Whether pods reach public addresses; private and metadata addresses stay closed. */
  readonly internet: boolean;
  /** Where connections of their pods may go. Default: nowhere else. */
  readonly egress: readonly NetworkException[];
  /** Where connections to their pods may come from. Default: nowhere else. */
  readonly ingress: readonly NetworkException[];
}

/**
 * What the isolation of all members is made from.
 * @see https://kubernetes.io/docs/concepts/services-networking/network-policies/
 */
export interface NetworkSettings {
  /** Labels of the ingress controller's pods. Default: none, which stands for every pod of its namespace. */
  readonly ingressPodLabels: Readonly<Record<string, string>>;
  /** Namespace of the cluster's DNS pods. */
  readonly dnsNamespace: string;
  /** Labels of the cluster's DNS pods. */
  readonly dnsPodLabels: Readonly<Record<string, string>>;
  /** Addresses of NodeLocal DNS, as `169.254.20.10`, which no labels stand for. */
  readonly nodeLocalDns: readonly string[];
}

/**
 * What a run may remove.
 */
export interface OffboardingSettings {
  /** How many members. By default none when the list is empty, which is how a truncated file looks. */
  readonly maxRemovals?: number;
}

/** The role that a member has in the namespace of their own: to run things, or to look at them. */
export type HomeRole = "edit" | "view";

/** What members can see of others: workloads and Services, or just what is there to visit. */
export type OthersView = "view" | "view-guest";

/** The name of a Pod Security Standard. */
export type PodSecurity = "baseline" | "restricted";

/** What a type of member gets. */
export interface MemberType {
  /** The type's name, as members' entries give it. */
  readonly name: string;
  /** Role in the member's own namespace. */
  readonly home: HomeRole;
  /** View of other namespaces. */
  readonly others: OthersView | "none";
  /** Whether a ResourceQuota holds them. */
  readonly quota: boolean;
  /**
   * Pod Security Standard that is enforced.
   * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/
   */
  readonly podSecurity: PodSecurity;
  /**
   * PriorityClasses that their pods may name.
   * @see https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
   */
  readonly priorityClasses: readonly string[];
}

/** Where a member's Service can be reached. */
export interface MemberRoute {
  /** Host name. */
  readonly host: string;
  /** Such as `/bob`, or `/` on a host of the member's own; no member's path lies within another's on the same host. */
  readonly path: string;
}

/** A member's route, and when it opens. */
export interface PlannedRoute extends MemberRoute {
  readonly readiness: ReadinessSettings;
}

/**
 * Whether the door is open. Suspended and expired members keep what is theirs and lose access, route and running pods.
 */
export type Standing = "active" | "suspended" | "expired";

/**
 * What becomes of a member's starter app once it is made: `once` leaves it to them, with whatever they make of it; `kept`
 * puts it back as declared.
 */
export type StarterMode = "once" | "kept";

/** The app that answers on a member's path from the first minute, as far as it is the same for all who have one. */
export interface StarterSettings {
  /** As `docker.io/library/caddy:2`. */
  readonly image: string;
  /** Port that its container listens on. */
  readonly port: number;
  /** How many pods. */
  readonly replicas: number;
  /** CPU request and limit of each pod, in thousandths of a CPU. */
  readonly cpuMillicores: number;
  /** Memory request and limit of each pod, in MiB. */
  readonly memoryMiB: number;
  /** Markdown by the names of files, `index.md` among them, with `{member}` and such in it. Default: a page of kubecamp's. */
  readonly pages?: Readonly<Record<string, string>>;
}

/**
 * The server of members' buckets: one that speaks S3, or whatever a driver of the cluster's makes them on.
 * @see https://container-object-storage-interface.sigs.k8s.io/
 */
export type StorageSettings = S3Settings | CosiSettings;

/** A server that speaks S3, and who is its administrator. */
export interface S3Settings {
  readonly kind: "s3";
  /** As `https://s3.example.org`. Default: AWS. */
  readonly endpoint?: string;
  /** The same as members' pods reach it. Default: `endpoint`. */
  readonly appEndpoint?: string;
  readonly region: string;
  /** Whether buckets stand in the path and not in the host's name. Default: true where there is an endpoint. */
  readonly forcePathStyle: boolean;
  /** Of whoever may make buckets, set their policies and make users. */
  readonly accessKeyId: string;
  /** Undefined where the configuration was read without its secrets, as commands beside Pulumi do. */
  readonly secretAccessKey?: string;
  /** The server's kind, where kubecamp makes members' keys on it. Default: none; keys are given. */
  readonly users?: "versitygw";
  /** Where the API for users is. Default: `endpoint`. */
  readonly usersEndpoint?: string;
}

/** A driver of the cluster's, which makes buckets and keys. */
export interface CosiSettings {
  readonly kind: "cosi";
  /** Which version of the API the cluster serves. */
  readonly version: "v1alpha1" | "v1alpha2";
  readonly bucketClassName: string;
  readonly bucketAccessClassName: string;
}

/** A member's bucket. */
export interface MemberBucket {
  /** A DNS label: what the Secret and the ConfigMap about it are called in the member's namespace. */
  readonly name: string;
  /** What the server calls it; never changes. Default: the member's name, `-` and `name`. */
  readonly bucketName: string;
  /** What becomes of it once nobody declares it. */
  readonly reclaimPolicy: "Retain" | "Delete";
  /** Default: `private`. */
  readonly acl?: CannedAcl;
  /** Instead of `acl`. */
  readonly grants?: readonly BucketGrant[];
  /** A bucket policy beside what lets the member in, as JSON text. */
  readonly policy?: string;
  readonly versioning: boolean;
  /** Whether one of that name that is there already is taken over, with all that is in it. */
  readonly adopt: boolean;
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html */
export interface BucketGrant {
  /** A canonical user ID (with versitygw: an access key), or a group's URI. */
  readonly grantee: string;
  readonly permission: Permission;
}

/** Keys that somebody else has made for a member. */
export interface GivenKeys {
  readonly accessKeyId: string;
  /** Undefined where the configuration was read without its secrets. */
  readonly secretAccessKey?: string;
  /** What policies of buckets call them, such as an ARN, so that each bucket of theirs lets them in. Default: nobody is let in by kubecamp. */
  readonly principal?: string;
}

/** One person. */
export interface Member {
  /** A DNS label: the member's name and namespace. */
  readonly name: string;
  /** What the type gives, with what the member has otherwise. */
  readonly type: MemberType;
  readonly limits: MemberLimits;
  /** Images that their pods may have, as patterns such as `docker.io/library/nginx:1.*`. Default: any. */
  readonly images?: readonly string[];
  readonly network: NetworkAccess;
  /** Name of the user at the API server, prefix included. */
  readonly username: string;
  /** Names of the member's groups at the API server, prefix included. */
  readonly groups: readonly string[];
  /** The public path; absent for a member who is to have none. */
  readonly route?: PlannedRoute;
  /** Absent for a member who is to have no starter app. */
  readonly starter?: { readonly mode: StarterMode };
  /** Absent for a member who has none. */
  readonly buckets?: readonly MemberBucket[];
  /** What they reach their buckets with. Default: keys that kubecamp makes, or the driver. */
  readonly bucketKeys?: GivenKeys;
  /** Another number, another secret of the keys that kubecamp makes. */
  readonly bucketKeyGeneration?: number;
  readonly standing: Standing;
  /** Last day of the environment in UTC, as `2026-12-31`. Default: none. */
  readonly expires?: string;
  /** Whether objects of theirs that kubecamp did not make are taken over. */
  readonly adopt: boolean;
  /** Whether their removal is refused. */
  readonly protect: boolean;
}

/** The stacks that one list of members is split over: `prod-0`, `prod-1` and so on. */
export interface ShardSettings {
  /** The name that they begin with, and the stack whose file has settings and members: `prod`. */
  readonly family: string;
  /** How many there are; 0 where all are to be back in the one undivided stack. */
  readonly count: number;
}

/** Everything but the members. */
export interface Settings {
  /** The Pulumi stack; cluster-scoped objects carry it, so that stacks can share a cluster. */
  readonly stack: string;
  /** The stacks that the list is split over; absent for a stack that has its list to itself. */
  readonly shards?: ShardSettings;
  readonly cluster: ClusterSettings;
  readonly oidc: OidcSettings;
  readonly route: RouteSettings;
  readonly network: NetworkSettings;
  /** Whom members ask, as messages name them, such as `platform@example.org`. */
  readonly contact: string;
  readonly starter: StarterSettings;
  /** Absent where nobody may have buckets. */
  readonly storage?: StorageSettings;
  readonly offboarding: OffboardingSettings;
}

/** The whole of a stack's configuration. */
export interface Configuration {
  readonly settings: Settings;
  readonly members: readonly Member[];
}
