import { AsyncLocalStorage } from "node:async_hooks";
import { RunError } from "../config/values/runError.ts";
import type { Run } from "../plan/decide/run.ts";
import type { Finding } from "../plan/words/finding.ts";

export class ToldFindings {
  readonly warnings: Finding[] = [];
  readonly notices: Finding[] = [];

  clear(): void {
    this.warnings.length = 0;
    this.notices.length = 0;
  }
}

export interface GivenRun {
  readonly told: ToldFindings;
  /** Aborted when Pulumi has ended, and nobody waits for anything any more. */
  readonly ended: AbortSignal;
}

interface RunSlot extends GivenRun {
  /** What `stack()` is to register. It takes that away: timers of Pulumi's SDK keep this object for half an hour. */
  inspected: Run | undefined;
  registered?: Promise<unknown> | undefined;
}

const runs = new AsyncLocalStorage<RunSlot>();

/**
 * Runs a program as a part of a run: in it, `stack()` registers what the run has decided.
 * @throws RunError where the program has not called it: to Pulumi, everything would be gone from it, and to be deleted
 */
export async function inRun<T>(run: GivenRun, inspected: Run, program: () => Promise<T>): Promise<T> {
  const place: RunSlot = { ...run, inspected };
  const outputs = await runs.run(place, program);
  // A program that does not wait for it, or catches its error, would have Pulumi delete what is not registered.
  await place.registered;
  place.registered = undefined;
  if (place.inspected !== undefined) {
    throw new RunError("The project's program does not call stack() of this kubecamp; nothing was deleted.");
  }
  return outputs;
}

/** The run that the calling program is a part of; undefined for one that Pulumi has started, which decides for itself. */
export const givenRun = (): GivenRun | undefined => runs.getStore();

/** The run waits for it. Gets undefined where Pulumi has started the program. @throws RunError the second time */
export function registering<T>(register: (inspected: Run | undefined) => Promise<T>): Promise<T> {
  const place = runs.getStore();
  if (place === undefined) {
    return register(undefined);
  }
  const { inspected } = place;
  if (inspected === undefined) {
    throw new RunError("The project's program calls stack() twice.");
  }
  place.inspected = undefined;
  const registered = register(inspected);
  place.registered = registered;
  return registered;
}

/** Whether an error only says that a program's connection to Pulumi has ended: those have gRPC's codes. */
export const isCutOff = (error: unknown): boolean => typeof Object(error).code === "number";
