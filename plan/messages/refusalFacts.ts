import type { ObjectName } from "../../cluster/read/snapshot.ts";

/** Whose an object is that a run would write to. */
export interface Foreign {
  /** Of another stack, or of another member; neither of what is not kubecamp's. */
  readonly stack?: string | undefined;
  readonly owner?: string | undefined;
  /** Whether the member has `adopt`. */
  readonly adopts: boolean;
}

/** Why a live object can't be made as it is declared. */
export type Unfit =
  | { readonly why: "terminating" }
  | { readonly why: "role"; readonly role: string }
  | { readonly why: "scopes" }
  | { readonly why: "type"; readonly type: string }
  | { readonly why: "port"; readonly port: string };

/** What a namespace says, by now, of the stack that has it in its state. */
export type Disowned =
  | { readonly why: "another" }
  | { readonly why: "unlabelled" }
  | { readonly why: "labelled"; readonly label: string };

/** The facts of what keeps a run from touching anything. */
export interface RefusalFacts {
  readonly anotherCluster: { readonly id: string; readonly declared: string };
  readonly bucketServer: { readonly members: readonly string[] };
  readonly clusterDomain: { readonly found: string | undefined; readonly declared: string };
  readonly foreign: Foreign;
  readonly knownElsewhere: {
    /** Who has moved, and to which stack. */
    readonly moved: readonly { readonly member: string; readonly to: string }[];
    readonly stack: string;
    readonly family: string | undefined;
    readonly isStateKnown: boolean;
  };
  readonly lostRoute: { readonly foreign: Foreign; readonly stack: string; readonly isStateKnown: boolean };
  readonly namespaceEnding: {
    /** The stack, where only its state tells more and could not be read. */
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
    readonly stack: string;
    /** Of a list that is split. */
    readonly family: string | undefined;
    /** As the settings have it. */
    readonly maxRemovals: number | undefined;
  };
  readonly unfit: { readonly name: ObjectName; readonly unfit: Unfit };
  readonly unguarded: { readonly policies: readonly string[]; readonly stack: string };
  readonly unknownRemovals: { readonly members: readonly string[]; readonly stack: string };
}
