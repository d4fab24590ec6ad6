import { AsyncLocalStorage } from "node:async_hooks";
import { RunError } from "../config/model/runError.ts";
import type { Finding } from "../plan/messages/finding.ts";
import type { Run } from "../plan/run.ts";

/** Findings of a run, in the order in which its program has them. */
export class Told {
  readonly warnings: Finding[] = [];
  /** For information. */
  readonly notices: Finding[] = [];

  /** Before the program runs once more. */
  clear(): void {
    this.warnings.length = 0;
    this.notices.length = 0;
  }
}

/** A run that a command has decided, and whose program runs in its process. */
export interface GivenRun {
  readonly inspected: Run;
  /** Receives the findings. */
  readonly told: Told;
  /** Aborted when Pulumi has ended, and nobody waits for anything any more. */
  readonly ended: AbortSignal;
}

const runs = new AsyncLocalStorage<GivenRun>();
/** Runs whose program has called `stack()`. */
const registered = new WeakSet<GivenRun>();

/**
 * Runs a program as a part of a run: in it, `stack()` registers what the run has decided.
 * @throws RunError where the program has not called it: to Pulumi, everything would be gone from it, and to be deleted
 */
export async function inRun<T>(run: GivenRun, program: () => Promise<T>): Promise<T> {
  registered.delete(run);
  const outputs = await runs.run(run, program);
  if (!registered.has(run)) {
    throw new RunError("The project's program does not call stack() of this kubecamp; nothing was deleted.");
  }
  return outputs;
}

/** The run that the calling program is a part of; undefined for one that Pulumi has started, which decides for itself. */
export const givenRun = (): GivenRun | undefined => runs.getStore();

/** What the calling program is to register; undefined likewise. */
export function givenStack(): Run | undefined {
  const run = runs.getStore();
  if (run !== undefined) registered.add(run);
  return run?.inspected;
}
