/**
 * Of whom Pulumi's state may not say what is there: after the start of everybody, and after an up that did not succeed of
 * whom it was about. The next up about them refreshes.
 */
export class RefreshTracker {
  #of: "all" | Set<string> = "all";

  ofAll(): void {
    this.#of = "all";
  }

  /** @param names whom an up was about that did not succeed; undefined: everybody */
  raise(names: readonly string[] | undefined): void {
    if (names === undefined || this.#of === "all") {
      this.#of = "all";
    } else {
      this.#of = new Set([...this.#of, ...names]);
    }
  }

  /** @param names whom an up was about that refreshed and succeeded; undefined: everybody */
  settle(names: readonly string[] | undefined): void {
    if (names === undefined) {
      this.#of = new Set();
    } else if (this.#of !== "all") {
      this.#of = new Set([...this.#of].filter((name) => !names.includes(name)));
    }
  }

  /** Whether an up about these has to refresh. */
  matterTo(names: readonly string[] | undefined): boolean {
    const of = this.#of;
    return of === "all" || (names === undefined ? of.size > 0 : names.some((name) => of.has(name)));
  }
}
