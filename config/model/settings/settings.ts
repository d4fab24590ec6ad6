import type { Budget } from "../members/budgets.ts";
import type { CiSettings } from "../members/ci.ts";
import type { ObjectKind } from "../members/givenKinds.ts";
import type { GivenObjects, Member, Staff } from "../members/member.ts";
import type { Confinement } from "../members/memberTypes.ts";
import type { NetworkSettings } from "../routes/network.ts";
import type { LoginSettings, RouteSettings } from "../routes/route.ts";
import type { NotifySettings } from "./notify.ts";
import type { StorageSettings } from "./storage.ts";

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

/** Headers in which the login's proxy names a visitor: controllers set them anew, whatever the visitor sends. */
export const boardHeaders = [
  "X-Auth-Request-User",
  "X-Auth-Request-Email",
  "X-Auth-Request-Preferred-Username",
] as const;

export type BoardHeader = (typeof boardHeaders)[number];

/** Port of the watch's probes and metrics in a Pod. */
export const metricsPort = 9464;

/** The pages about members that the watch serves. */
export interface BoardSettings {
  /** The host of the pages, which no member has. */
  readonly host: string;
  /** Port that the watch listens on. */
  readonly port: number;
  /** Login that the controller asks before it passes a request on, for everyone who has signed in. Default: `route.login`. */
  readonly login: LoginSettings;
  /** Header with a visitor's subject. */
  readonly header: BoardHeader;
  /** Whether the watch itself asks the login's proxy about each request, and goes by that header of its answer. */
  readonly verify: boolean;
  /** Subjects of those who see all members, as the header has them. */
  readonly admins: readonly string[];
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
  readonly notify: NotifySettings;
  /** Absent if the watch serves no board. */
  readonly board?: BoardSettings;
  /** Absent for a stack without. */
  readonly budgets?: readonly Budget[];
  /** Absent for a stack without. */
  readonly staff?: readonly Staff[];
  /** Absent for a stack without, none of whose members has CI jobs. */
  readonly ci?: CiSettings;
  /** Custom kinds that `objects` may have; absent for a stack without. */
  readonly objectKinds?: readonly ObjectKind[];
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

/** Rules for removals. */
export interface OffboardingSettings {
  /** Most members that a run removes. Default: 3, but none if the list is empty, which is how a truncated file looks. */
  readonly maxRemovals?: number;
  /** Days between leaving the list and removal, in which a member is suspended. Default: 0, which removes at once. */
  readonly graceDays?: number;
  /** Names of members who have left the list and are removed without waiting. Default: none. */
  readonly removeNow?: readonly string[];
  /** Archive that has to exist before a member is removed. Default: none. */
  readonly archive?: ArchiveSettings;
}

/** Archive of a member's namespace before its deletion. */
export interface ArchiveSettings {
  /** Bucket on the stack's S3 server, which kubecamp doesn't make. */
  readonly bucket: string;
  /** Whether Secrets are archived too. */
  readonly secrets: boolean;
  /**
   * Fate of volumes: they outlive the namespace (`retain`), a snapshot of each does (`snapshot`), or they go
   * with it (`none`).
   * @see https://kubernetes.io/docs/concepts/storage/persistent-volumes/#reclaiming
   */
  readonly volumes: "retain" | "snapshot" | "none";
  /** VolumeSnapshotClass of snapshots. Default: the cluster's default for the volume's driver. */
  readonly snapshotClass?: string;
}
