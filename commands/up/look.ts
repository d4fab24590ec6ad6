import type { Plan } from "../../plan/plan.ts";
import type { KnownState } from "./plan/knownState.ts";

/** Plan of a stack, with the state that Pulumi has of it. */
export interface Look extends Plan {
  readonly state: KnownState;
}
