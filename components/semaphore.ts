/** Members registered at a time. Pulumi works on some tens of resources at once; a member has about ten. */
const atOnce = 64;

/**
 * Limits how many members are registered at a time, and keeps their order and dependencies. A resource that waits takes
 * the SDK a hundred times the resource's own memory, and Pulumi reads its request at once: a thousand members together
 * would take most of the memory of both.
 */
export class Semaphore {
  #free = atOnce;
  readonly #waiting: (() => void)[] = [];

  /** Resolves when a slot is free. */
  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
    } else {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Hands the slot to the next in line. */
  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#free += 1;
    } else {
      next();
    }
  }
}
