/** Requests that are under way at a time: the API server has others to serve, and a whole class may expire in a day. */
const hands = 10;

/** Does something with each of many, some at a time. Fails as soon as one does. */
export async function forEachOf<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  // One queue for all hands: each takes what is next.
  const queue = items.values();
  const hand = async () => {
    for (const item of queue) {
      await act(item);
    }
  };
  await Promise.all(Array.from({ length: hands }, hand));
}
