import type { ObjectName } from "../../cluster/kinds/objectName.ts";
import type { BudgetSum } from "../../config/budgets.ts";
import type { ComingFacts } from "./noticeFacts.ts";
import type { JobOfOther } from "./refusalFacts.ts";

/** Keys of labels and annotations. */
interface Marks {
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
}

/** Contents that are lost with a namespace; undefined if nobody could read them. */
export interface HomeContents {
  readonly isTerminating: boolean;
  readonly pods: number | undefined;
  readonly claims: readonly { readonly name: string; readonly storage: string }[] | undefined;
  readonly services: readonly string[] | undefined;
}

/** A subject that an offline preview knows nothing of. */
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
  | "adopt"
  | "classes"
  | "hardware";

interface Why {
  readonly why: string;
}

interface Reason {
  readonly reason: string;
}

/** No facts besides the member or the object. */
type None = Readonly<Record<string, never>>;

/** Facts of the warnings, which don't stop a run. */
export interface WarningFacts extends ComingFacts {
  readonly accessEnds: { readonly lastDay: string | undefined; readonly hasLeft: boolean };
  readonly accessNotEnded: Why;
  readonly anyImage: { readonly members: readonly string[] };
  /** Such as `asleep since 2026-11-26 20:00, until 2026-11-27 07:00 Europe/Zurich`. */
  readonly asleep: { readonly text: string };
  /** A member back from a suspension, whose controllers could not be asked to make pods at once. */
  readonly backLater: Why;
  readonly bucketInTheWay: Reason;
  /** On the S3 server, a removed member's or maybe one: it stays there, closed or not. */
  readonly bucketsLeft: Why;
  /** A budget whose members use more than it allows. */
  readonly budgetExceeded: {
    readonly budget: string;
    readonly used: BudgetSum;
    /** Objects that a full quota refuses. */
    readonly refused: string;
  };
  /** Sums of a budget's quotas; every run logs them as info. */
  readonly budgets: {
    readonly budget: string;
    /** Number of members with a quota, and without. */
    readonly members: number;
    readonly unbound: number;
    readonly sums: readonly BudgetSum[];
  };
  readonly buckets: {
    readonly bucket: string;
    /** Undefined for a bucket that stays on the server. */
    readonly deletes: { readonly objects: number; readonly more: boolean } | undefined;
  };
  /** A mistake in the configuration that stops no run. */
  readonly certificate: { readonly path: string; readonly message: string };
  /** Likewise. */
  readonly sharedLogin: { readonly path: string; readonly message: string };
  readonly changedByHand: {
    readonly isRebound: boolean;
    readonly isAggregated: boolean;
    readonly added: Marks | undefined;
  };
  readonly closing: Reason;
  /** A device that no node has that pods of these members run on. */
  readonly noDevice: {
    readonly device: string;
    readonly members: readonly string[];
    /** Undefined for members without a pool. */
    readonly pool: string | undefined;
    /** Devices that there are on these nodes, or DeviceClasses. */
    readonly devices: readonly string[];
    /** Labels of these nodes. */
    readonly labels: readonly string[];
  };
  readonly domain: { readonly declared: string; readonly found: string | undefined };
  readonly idleAdoption: { readonly members: readonly string[] };
  /** A member who has left the list and is suspended until their removal. */
  readonly inGrace: { readonly leaves: string };
  /** A member whose day has come, and who is kept until they are archived. */
  readonly unarchived: { readonly stack: string };
  /** A CI job that deploys into the namespace of another stack's member, too. */
  readonly jobOfTwo: JobOfOther;
  readonly leaving: {
    /** Undefined if it is gone. */
    readonly home: HomeContents | undefined;
    readonly routes: readonly string[];
    /** Services left beside a former controller. */
    readonly services: readonly string[];
    /** Whether there may be a route that nobody could read. */
    readonly isRouteUnseen: boolean;
    readonly bindings: number | undefined;
    /** Whether others join in the same run, and may be the same people under new names. */
    readonly othersJoin: boolean;
  };
  /** Left by a killed run or a lost state, and deleted by this run. */
  readonly leftDeleted: None;
  readonly leftPolicy: None;
  readonly leftRunning: { readonly pods: number };
  readonly lockFreed: { readonly stack: string; readonly holders: readonly string[] };
  /** A subject or group that looks like another, or hides something. */
  readonly lookAlike: { readonly text: string };
  readonly missing: None;
  readonly transfers: { readonly from: string; readonly to: string; readonly family: string };
  readonly notGone: Reason;
  readonly notTransferred: { readonly to: string; readonly why: string };
  /** Fields that a run restored, and that something has set again; values as JSON. */
  readonly notKept: {
    readonly fields: readonly {
      readonly field: string;
      readonly live: string | undefined;
      /** Undefined for one that nobody declares. */
      readonly declared: string | undefined;
    }[];
  };
  readonly notTakenOff: Why;
  /** One of the stack's `objects` that a member lacks, because an object of their own has its name. */
  readonly objectInTheWay: None;
  readonly offline: {
    readonly matter: OfflineMatter;
    readonly clusterId: string | undefined;
    readonly routeNamespace: string;
    readonly isStateKnown: boolean;
  };
  readonly owners: { readonly owner: string };
  readonly pending: Reason;
  /** About the nodes that only the pods of these members run on. */
  readonly pool: {
    readonly pool: string;
    readonly members: readonly string[];
    readonly problem:
      | { readonly why: "noNodes"; readonly labels: readonly string[] }
      | { readonly why: "closed"; readonly taints: readonly string[] }
      | { readonly why: "open"; readonly nodes: readonly string[] };
  };
  readonly podsStop: { readonly pods: number };
  readonly quotaShrinks: {
    readonly resource: string;
    readonly hard: string;
    readonly used: string;
    /** Objects that a full quota refuses. */
    readonly refused: string;
  };
  /** A selector of the settings, and a label that it may mean, as a part of a sentence. */
  readonly selectsNobody: { readonly place: string; readonly meant: string };
  readonly serviceMended: {
    /** Empty for a Service that is taken over unchanged. */
    readonly mends: readonly string[];
  };
  readonly sleepUnsettled: Why;
  readonly starterInTheWay: Reason;
  readonly takenOver: {
    /** Addresses at which it no longer serves. */
    readonly closed: readonly string[];
  };
  /** About a kind that could not be read, or a dry run without the right to it. */
  readonly unchecked: { readonly matter: string; readonly answer: string } | { readonly mayWrite: "no" | "unknown" };
  readonly unmanaged: { readonly name: ObjectName };
  /** Left by a killed run or a lost state, absent from the state, and no longer planned. */
  readonly unrecorded: { readonly stack: string };
  readonly unserved: {
    readonly gateway: string;
    /** Why the Gateway does not serve a member's route; absent if the finding is about the Gateway itself. */
    readonly refusal?: string;
    readonly state?: "absent" | "terminating" | { readonly unprogrammed: string };
  };
  readonly unsplit: {
    readonly members: number;
    readonly shards: number;
    /** GiB of memory that a full run takes now, and a run of one shard would. */
    readonly memory: { readonly whole: number; readonly shard: number };
  };
}
