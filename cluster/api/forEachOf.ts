import { inParallel } from "../kinds/inParallel.ts";

/** Requests that are under way at a time: the API server has others to serve, and a whole class may expire in a day. */
const hands = 10;

/** Does something with each of many, some at a time. Fails as soon as one does. */
export async function forEachOf<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  await inParallel(items, hands, act);
}
