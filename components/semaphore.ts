/** How many take their turns at a time. Pulumi itself works at some tens of resources at once; a member has about ten. */
const atOnce = 64;

/**
 * Has members made some at a time. What the SDK needs for a resource that is not registered yet is a hundred times the
 * resource itself, and its requests are read by Pulumi as soon as they come: with a thousand members at once, most of the
 * memory of both would be theirs. Who is made, in which order, and what waits for what, is the same.
 */
export class Semaphore {
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
