import { messageOf } from "./api/errors.ts";

/** Most requests at a time: the API server serves others too, and a whole class may expire in one day. */
export const hands = 10;

/** Calls a function for each item, some at a time. One failure stops no others: returns the reasons by item. */
export async function failuresOf<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<Map<T, string>> {
  const failed = new Map<T, string>();
  await inParallel(items, hands, (item) => act(item).catch((cause) => void failed.set(item, messageOf(cause))));
  return failed;
}

/** Calls a function for each item, up to `most` at a time. Results come in the order of the items. */
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

export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    await promise;
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#free += 1;
    } else {
      next();
    }
  }
}
