/** Waiting for an object to become what was asked for, by looking at it again and again. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Props } from "../../../../protocol/values.ts";

export interface Look {
  object: Props;
  ready: boolean;
  /** Not all that we hoped to see, but no reason to fail when the time is up. */
  goodEnough?: boolean;
  /** What is missing, for the error if it never comes. */
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

export interface Patience {
  seconds: number;
  signal: AbortSignal;
  /** The error when the time is up. */
  timedOut: string;
}

/** Every failure on the way is a NotReady: whatever goes wrong now, the object has been created. */
export async function waitUntilReady(created: Props, look: () => Promise<Look>, patience: Patience): Promise<Props> {
  const deadline = performance.now() + patience.seconds * 1000;
  let last = created;
  try {
    for (let pause = 50; ; pause = Math.min(1000, pause * 1.5)) {
      const { object, ready, goodEnough, reasons } = await look();
      last = object;
      const left = deadline - performance.now();
      if (ready || (left <= 0 && goodEnough)) return object;
      if (left <= 0) throw new NotReady(patience.timedOut, object, reasons);
      await sleep(Math.min(pause, left), undefined, { signal: patience.signal });
    }
  } catch (error) {
    if (error instanceof NotReady) throw error;
    const cancelled = `Resource operation was cancelled: ${patience.signal.reason}`;
    throw new NotReady(patience.signal.aborted ? cancelled : String(Object(error).message ?? error), last);
  }
}
