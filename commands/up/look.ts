import type { Plan } from "../../plan/plan.ts";
import type { KnownState } from "./knownState.ts";

/** What a stack is to become, and what it is. */
export interface Look extends Plan {
  readonly state: KnownState;
}
