import type { NoticeFacts } from "./noticeFacts.ts";
import type { RefusalFacts } from "./refusalFacts.ts";
import type { WarningFacts } from "./warningFacts.ts";

/** Facts by code. The code identifies a finding to programs, whatever its text is. */
type AllFacts = WarningFacts & RefusalFacts & NoticeFacts;

export type Code = keyof AllFacts;
export type WarningCode = keyof WarningFacts;
export type RefusalCode = keyof RefusalFacts;

/** Something to report about a run, as data; the catalogue has the texts. Default: a warning. */
export type Finding<C extends Code = WarningCode> = {
  readonly [K in C]: {
    readonly code: K;
    /** Name of the member. */
    readonly member?: string;
    /** Name of the object, as messages have it. */
    readonly object?: string;
    readonly facts: AllFacts[K];
  };
}[C];

/** Why a run is refused. */
export type Refusal = Finding<RefusalCode>;
