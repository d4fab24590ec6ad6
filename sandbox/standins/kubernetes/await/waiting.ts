/** Waits for an object by looking at it repeatedly. */
import { setTimeout } from "node:timers/promises";
import type { Props } from "../../../../buckets/protocol/values.ts";

export interface Look {
  object: Props;
  ready: boolean;
  /** Not fully ready, but enough to succeed when the time is up. */
  goodEnough?: boolean;
  /** Missing conditions, for the error. */
  reasons: string[];
}

/** The object exists but is not ready. */
export class NotReady extends Error {
  readonly object: Props;
  readonly reasons: string[];

  constructor(message: string, object: Props, reasons: string[] = []) {
    super(message);
    this.object = object;
    this.reasons = reasons;
  }
}

interface Patience {
  seconds: number;
  signal: AbortSignal;
  /** The error message when the time is up. */
  timedOut: string;
}

/** Every error becomes a NotReady, since the object has already been created. */
export async function waitUntilReady(created: Props, look: () => Promise<Look>, patience: Patience): Promise<Props> {
  const { signal } = patience;
  const deadline = performance.now() + patience.seconds * 1000;
  let last = created;
  try {
    for (let pause = 50; ; pause = Math.min(1000, pause * 1.5)) {
      const { object, ready, goodEnough, reasons } = await look();
      last = object;
      const left = deadline - performance.now();
      if (ready || (left <= 0 && goodEnough)) {
        return object;
      }
      if (left <= 0) {
        throw new NotReady(patience.timedOut, object, reasons);
      }
      await setTimeout(Math.min(pause, left), undefined, { signal });
    }
  } catch (error) {
    if (error instanceof NotReady) {
      throw error;
    }
    const cancelled = `Resource operation was cancelled: ${signal.reason}`;
    throw new NotReady(signal.aborted ? cancelled : String(Object(error).message ?? error), last);
  }
}
