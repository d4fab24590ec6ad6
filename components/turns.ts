/** How many take their turns at a time. Pulumi itself works at some tens of resources at once; a member has about ten. */
const atOnce = 32;

/**
 * Has members registered some at a time. The SDK makes a request of every resource as soon as it can, and Pulumi reads
 * them all: with a thousand members, ten thousand requests would lie about in both, and most of the memory of a run be
 * theirs. Who is registered, in which order, and what waits for what, is the same.
 */
export class Turns {
  #free = atOnce;
  readonly #waiting: (() => void)[] = [];

  /** Resolves when it is somebody's turn. */
  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
    } else {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** The turn is the next one's. */
  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#free += 1;
    } else {
      next();
    }
  }
}
