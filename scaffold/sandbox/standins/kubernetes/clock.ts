import { setTimeout } from "node:timers/promises";

/** A clock in milliseconds; tests pass one of their own, so that they don't wait for real. */
export interface Clock {
  now(): number;
  sleep(duration: number, signal: AbortSignal): Promise<void>;
}

export const realClock: Clock = {
  now: () => performance.now(),
  sleep: async (duration, signal) => await setTimeout(duration, undefined, { signal }),
};
