import type { NoticeFacts } from "./noticeFacts.ts";
import type { RefusalFacts } from "./refusalFacts.ts";
import type { WarningFacts } from "./warningFacts.ts";

/** The facts of each matter. Its key is the code by which programs know the matter, whatever the words are. */
type AllFacts = WarningFacts & RefusalFacts & NoticeFacts;

export type Code = keyof AllFacts;
export type WarningCode = keyof WarningFacts;
export type RefusalCode = keyof RefusalFacts;

/** Something that somebody should know about a run, as data; the catalogue has the words. Default: what a run warns of. */
export type Finding<C extends Code = WarningCode> = {
  readonly [K in C]: {
    readonly code: K;
    /** Name of the member whom it concerns. */
    readonly member?: string;
    /** The object that it concerns, as messages call it. */
    readonly object?: string;
    readonly facts: AllFacts[K];
  };
}[C];

/** Why a run can't be made. */
export type Refusal = Finding<RefusalCode>;
