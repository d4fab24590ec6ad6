/**
 * Calls a function for each item, up to `most` at a time.
 * @returns the results in the order of the items
 */
export async function inParallel<T, R>(
  items: readonly T[],
  most: number,
  act: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Array<R>(items.length);
  // All workers share one queue, and each takes the next item.
  const queue = items.entries();
  const hand = async () => {
    for (const [index, item] of queue) {
      results[index] = await act(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, hand));
  return results;
}

/** Calls a function for each item, ten at a time: the API server serves others too. Rejects at the first failure. */
export async function forEachOf<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  await inParallel(items, 10, act);
}
