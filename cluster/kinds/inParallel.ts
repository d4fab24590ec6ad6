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
