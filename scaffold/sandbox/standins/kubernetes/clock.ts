import { setTimeout } from "node:timers/promises";

/** The time that waits go by, in milliseconds: tests have another one, so that nobody waits for a minute there. */
export interface Clock {
  now(): number;
  sleep(duration: number, signal: AbortSignal): Promise<void>;
}

export const realClock: Clock = {
  now: () => performance.now(),
  sleep: async (duration, signal) => await setTimeout(duration, undefined, { signal }),
};
