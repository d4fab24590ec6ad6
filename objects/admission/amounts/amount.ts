import type { Side } from "../fewEnough.ts";

/** Suffix of a variable's name: `Before` if it is about the old object. */
export type When = "" | "Before";

/** CEL: the object of that time. */
export const sideOf = (when: When): Side => (when === "" ? "object" : "oldObject");

/** CEL, about the object as it is to be, or as it was. */
export type Expression = (when: When) => string;

/** A number that the policy limits. */
export interface Amount {
  /** Name of its variable. */
  readonly name: string;
  /** CEL: the number. It asks each list for its length first, since the API server refuses a policy that costs too much. */
  readonly of: Expression;
  /** Variables that the number is made of. */
  readonly from?: Readonly<Record<string, Expression>>;
  /** After `has 101 `: what it is, why it is limited, and what to do instead. */
  readonly what: string;
  readonly limit: number;
  /** CEL: whether to add nothing up. */
  readonly unless?: string;
  /** CEL: whether a former amount was added up to its end, so that it may stay. Default: always. */
  readonly isWhole?: string;
  /** CEL: who may have more, beside the old object. */
  readonly exempt?: string;
}

/** A condition that is about no number. */
export interface Rule {
  /** Variables that the condition is made of. */
  readonly from?: Readonly<Record<string, Expression>>;
  /** CEL: the condition. */
  readonly isMet: string;
  /** CEL, after kind and name: the mistake, the reason and a solution. */
  readonly what: string;
}

/** Limit of most lists. */
export const most = 100;

/** Whether the pods stay as they are, so that finalizers can be taken off whatever there is. */
export const keepsPods = "variables.pod == variables.podBefore";
