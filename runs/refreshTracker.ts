/** Members whose state may be stale: everyone at start-up, then those whose last up failed. Their next up refreshes. */
export class RefreshTracker {
  #of: "all" | Set<string> = "all";

  ofAll(): void {
    this.#of = "all";
  }

  /** @param names targets of a failed up; undefined: everybody */
  raise(names: readonly string[] | undefined): void {
    if (names === undefined || this.#of === "all") {
      this.#of = "all";
    } else {
      this.#of = new Set([...this.#of, ...names]);
    }
  }

  /** @param names targets of a successful up with refresh; undefined: everybody */
  settle(names: readonly string[] | undefined): void {
    if (names === undefined) {
      this.#of = new Set();
    } else if (this.#of !== "all") {
      this.#of = new Set([...this.#of].filter((name) => !names.includes(name)));
    }
  }

  /** Whether an up for these members has to refresh. */
  matterTo(names: readonly string[] | undefined): boolean {
    const of = this.#of;
    return of === "all" || (names === undefined ? of.size > 0 : names.some((name) => of.has(name)));
  }
}
