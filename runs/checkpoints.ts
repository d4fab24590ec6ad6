import { checkpointSeconds } from "../plan/findings/checkpoints.ts";

/**
 * Environment of a run that writes the state once, at its end, instead of before and after each object. Needs Pulumi
 * CLI 3.104.
 */
export const atItsEnd: Readonly<Record<string, string>> = { PULUMI_SKIP_CHECKPOINTS: "true" };

/** Planned work of a run, as far as it matters if the run is killed. */
export interface Doing {
  /** Numbers of resources that the run would make or change, and that the state has. */
  readonly makes: number;
  readonly changes: number;
  readonly knows: number;
  /**
   * Whether it does what no later run would find if it were killed without checkpoints. A killed run without them
   * leaves the earlier state: the next up takes over objects that it made, by their labels, and makes changes again. But
   * the state would still have deleted objects, only the state has the keys of buckets, and no run compares all of a
   * Service or a ConfigMap.
   */
  readonly needsCheckpoints: boolean;
  /** Whether the state is doubtful already: operations are pending, or one of its objects is gone. */
  readonly isStale: boolean;
}

/** Least saving that counts, in seconds. */
const worth = 1;

/** Whether a run without checkpoints saves enough time. One that makes nothing leaves nothing unknown if it is killed. */
export const isWorthIt = ({ makes, changes, knows }: Pick<Doing, "makes" | "changes" | "knows">): boolean =>
  makes === 0 ? changes > 0 : checkpointSeconds(makes + changes, knows) > worth;
