import type { Budget } from "../members/budgets.ts";
import type { CiSettings } from "../members/ci.ts";
import type { ObjectKind } from "../members/customKinds.ts";
import type { GivenObjects } from "../members/givenObjects.ts";
import type { Member } from "../members/member.ts";
import type { Confinement } from "../members/memberTypes.ts";
import type { OffboardingSettings } from "../members/offboarding.ts";
import type { Staff } from "../members/staff.ts";
import type { NetworkSettings } from "../routes/network.ts";
import type { RouteSettings } from "../routes/route.ts";
import type { BoardSettings } from "./board.ts";
import type { NotifySettings } from "./notify.ts";
import type { StarterSettings } from "./starter.ts";
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
