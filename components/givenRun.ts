import { AsyncLocalStorage } from "node:async_hooks";
import { RunError } from "../config/model/runError.ts";
import type { Finding } from "../plan/messages/finding.ts";
import type { Inspected } from "./inspect.ts";

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
  /** Receives the findings. */
  readonly told: Told;
  /** Aborted when Pulumi has ended, and nobody waits for anything any more. */
  readonly ended: AbortSignal;
}

/** What `stack()` registers is taken from here once: timers of Pulumi's SDK keep this object for half an hour. */
const runs = new AsyncLocalStorage<GivenRun & { inspected: Inspected | undefined }>();

/**
 * Runs a program as a part of a run: in it, `stack()` registers what the run has decided.
 * @throws RunError if it has not called that, since Pulumi would then delete everybody's environment
 */
export async function inRun<T>(
  run: GivenRun & { readonly inspected: Inspected },
  program: () => Promise<T>,
): Promise<T> {
  const place = { ...run, inspected: run.inspected as Inspected | undefined };
  const outputs = await runs.run(place, program);
  if (place.inspected !== undefined) {
    throw new RunError(
      "The project's program has not called stack() of this kubecamp, and without that every environment would be deleted.",
    );
  }
  return outputs;
}

/** The run that the calling program is a part of; undefined for one that Pulumi has started, which decides for itself. */
export const givenRun = (): GivenRun | undefined => runs.getStore();

/**
 * What that run is to register.
 * @throws RunError the second time
 */
export function takeInspected(): Inspected | undefined {
  const place = runs.getStore();
  const inspected = place?.inspected;
  if (place !== undefined) {
    if (inspected === undefined) {
      throw new RunError("The project's program calls stack() twice.");
    }
    place.inspected = undefined;
  }
  return inspected;
}
