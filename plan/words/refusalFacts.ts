import type { ObjectName } from "../../cluster/kinds/objectName.ts";
import type { ClassKind } from "../../cluster/read/snapshot.ts";
import type { Unfit } from "../../objects/declared.ts";

/** Owner of an object that a run would write to. */
export interface Foreign {
  /** Another stack or another member; neither for an object that kubecamp has not made. */
  readonly stack?: string | undefined;
  readonly owner?: string | undefined;
  /** Whether the member has `adopt`. */
  readonly adopts: boolean;
}

/** A CI job of a member's, and the other stack's member for whom it deploys. */
export interface JobOfOther {
  /** User name at the API server. */
  readonly job: string;
  readonly owner: string;
  readonly stack: string;
}

/** Why a namespace is no longer that of the stack that has it in its state. */
export type Disowned =
  | { readonly why: "another" }
  | { readonly why: "unlabelled" }
  | { readonly why: "labelled"; readonly label: string };

/** Facts of the refusals, which keep a run from touching anything. */
export interface RefusalFacts {
  readonly anotherCluster: { readonly id: string; readonly declared: string };
  readonly bucketServer: { readonly members: readonly string[] };
  readonly clusterDomain: { readonly found: string | undefined; readonly declared: string };
  readonly foreign: Foreign;
  /** A member's CI job that deploys for a member of another stack already. */
  readonly jobElsewhere: JobOfOther;
  readonly knownElsewhere: {
    /** Members who have moved, and their stacks. */
    readonly moved: readonly { readonly member: string; readonly to: string }[];
    readonly stack: string;
    readonly family: string | undefined;
    readonly isStateKnown: boolean;
  };
  readonly lostRoute: { readonly foreign: Foreign; readonly stack: string; readonly isStateKnown: boolean };
  readonly namespaceEnding: {
    /** The stack whose state would decide but could not be read. */
    readonly unreadStateOf?: string;
  };
  readonly noController: { readonly namespace: string; readonly isTerminating: boolean; readonly install: string };
  readonly pathTaken: { readonly url: string; readonly giver: string; readonly stack: string };
  readonly protectedRemoval: { readonly members: readonly string[] };
  readonly removalConflict: { readonly stack: string; readonly disowned: Disowned };
  readonly targetedElsewhere: { readonly stack: string };
  readonly tooManyRemovals: {
    readonly members: readonly string[];
    readonly limit: number;
    readonly isListEmpty: boolean;
    /** How many of them a run would suspend, and remove after `graceDays`. */
    readonly suspends: number;
    readonly stack: string;
    /** Set for a sharded list. */
    readonly family: string | undefined;
    /** Value in the settings. */
    readonly maxRemovals: number | undefined;
  };
  readonly unknownClass: {
    readonly kind: ClassKind;
    readonly name: string;
    /** Members who may use it. */
    readonly members: readonly string[];
    /** Classes of that kind that the cluster has. */
    readonly known: readonly string[];
  };
  /** A takeover for which a file of members asks, and to which no admin has agreed. */
  readonly unmarked: {
    /** Such as `Namespace zoe`. */
    readonly objects: readonly string[];
    readonly isHomeThere: boolean;
    /** The stack for which to mark the namespace; for shards, their family. */
    readonly stack: string;
  };
  readonly unfit: { readonly name: ObjectName; readonly unfit: Unfit };
  readonly unguarded: { readonly policies: readonly string[]; readonly stack: string };
  readonly unknownRemovals: { readonly members: readonly string[]; readonly stack: string };
}
