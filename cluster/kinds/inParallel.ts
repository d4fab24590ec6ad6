/**
 * Does something with each of some, so many at a time.
 * @returns what came of each, in their order
 */
export async function inParallel<T, R>(
  items: readonly T[],
  most: number,
  act: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Array<R>(items.length);
  // One queue for all hands: each takes what is next.
  const queue = items.entries();
  const hand = async () => {
    for (const [index, item] of queue) {
      results[index] = await act(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, hand));
  return results;
}
