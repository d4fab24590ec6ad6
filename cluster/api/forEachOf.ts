import { inParallel } from "../kinds/inParallel.ts";

/** Most requests at a time: the API server serves others too, and a whole class may expire in one day. */
const hands = 10;

/** Calls a function for each item, some at a time. Rejects at the first failure. */
export async function forEachOf<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  await inParallel(items, hands, act);
}
