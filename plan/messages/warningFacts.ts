import type { ObjectName } from "../../cluster/read/snapshot.ts";

/** Labels and annotations by their keys. */
interface Marks {
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
}

/** What is lost with somebody's namespace; a number is undefined where nobody could look. */
export interface HomeContents {
  readonly isTerminating: boolean;
  readonly pods: number | undefined;
  readonly claims: readonly { readonly name: string; readonly storage: string }[] | undefined;
  readonly services: readonly string[] | undefined;
}

/** A thing that a preview without a cluster can't know. */
export type OfflineMatter =
  | "cluster"
  | "ownership"
  | "removals"
  | "routes"
  | "drift"
  | "quotas"
  | "admission"
  | "starters"
  | "buckets"
  | "adopt";

interface Why {
  readonly why: string;
}

interface Reason {
  readonly reason: string;
}

/** Nothing beside the member or the object. */
type None = Readonly<Record<string, never>>;

/** The facts of what a run says and does all the same. */
export interface WarningFacts {
  readonly accessEnds: { readonly lastDay: string | undefined };
  readonly accessNotEnded: Why;
  readonly anyImage: { readonly members: readonly string[] };
  readonly bucketInTheWay: Reason;
  readonly buckets: {
    readonly bucket: string;
    /** Undefined for one that stays on the server. */
    readonly deletes: { readonly objects: number; readonly more: boolean } | undefined;
  };
  /** A mistake of the configuration that stops no run. */
  readonly certificate: { readonly path: string; readonly message: string };
  readonly changedByHand: {
    readonly isRebound: boolean;
    readonly isAggregated: boolean;
    readonly added: Marks | undefined;
  };
  readonly checkpointsKept: Why;
  readonly closing: Reason;
  readonly domain: { readonly declared: string; readonly found: string | undefined };
  readonly expires: { readonly lastDay: string; readonly days: number };
  readonly formerManagers: None;
  readonly idleAdoption: { readonly members: readonly string[] };
  readonly leaving: {
    /** Undefined where it is gone. */
    readonly home: HomeContents | undefined;
    readonly routes: readonly string[];
    /** Services that are left where a controller was before. */
    readonly services: readonly string[];
    /** Whether there may be a route that nobody could look at. */
    readonly isRouteUnseen: boolean;
    readonly bindings: number | undefined;
    /** Whether others join in the same run, who may be the same people under another name. */
    readonly othersJoin: boolean;
  };
  readonly leftPolicy: None;
  readonly leftRunning: { readonly pods: number };
  readonly lockFreed: { readonly stack: string; readonly holders: readonly string[] };
  readonly missing: None;
  readonly moves: { readonly from: string; readonly to: string; readonly family: string };
  readonly notHandedOver: { readonly to: string; readonly why: string };
  readonly notRelinquished: Why;
  readonly notTakenOff: Why;
  readonly offline: {
    readonly matter: OfflineMatter;
    readonly clusterId: string | undefined;
    readonly routeNamespace: string;
    readonly isStateKnown: boolean;
  };
  readonly owners: { readonly owner: string };
  readonly pending: Reason;
  readonly podsStop: { readonly pods: number };
  readonly quotaShrinks: {
    readonly resource: string;
    readonly hard: string;
    readonly used: string;
    /** Objects that a full quota refuses. */
    readonly refused: string;
  };
  readonly serviceMended: {
    /** None for one that is taken over as it is. */
    readonly mends: readonly string[];
  };
  readonly slow: { readonly made: number; readonly seconds: number; readonly stack: string };
  readonly starterInTheWay: Reason;
  /** A killed run had made it, and it is in the state by now. */
  readonly takenIn: None;
  readonly takenOver: {
    /** Addresses that it no longer leads from. */
    readonly closed: readonly string[];
  };
  /** Of a kind that could not be read, or of a dry run that may not be made. */
  readonly unchecked: { readonly matter: string; readonly answer: string } | { readonly mayWrite: "no" | "unknown" };
  readonly unmanaged: { readonly name: ObjectName };
  /** Left by a killed run, and nobody's any more: the state does not have it. */
  readonly unrecorded: { readonly stack: string };
  readonly unserved: {
    readonly gateway: string;
    /** Of one whose route it does not serve; else of the Gateway itself. */
    readonly refusal?: string;
    readonly state?: "absent" | "terminating" | { readonly unprogrammed: string };
  };
  readonly unsplit: {
    readonly members: number;
    readonly shards: number;
    /** GiB that a run takes now, and of one shard. */
    readonly memory: { readonly whole: number; readonly shard: number };
  };
}
