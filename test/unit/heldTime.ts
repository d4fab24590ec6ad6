import assert from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";

/** Milliseconds of one step of `until`. */
const step = 5;
/** Milliseconds after which `until` fails. */
const most = 600_000;
/** Turns of the event loop in which all that waits for no timeout comes to rest, requests within this process included. */
const turnsToRest = 50;

/**
 * Timeouts of this process go off as a test passes time, and not before. Those of `node:timers/promises` stay real, and so
 * does `performance.now()`: take `now` where the code asks for a clock. Unlike those of `mock.timers`, they can be refreshed.
 */
export class HeldTime {
  /** Milliseconds that have passed. */
  now = 0;
  readonly #pending = new Set<HeldTimeout>();
  readonly #real = setTimeout;
  readonly #mocks: readonly { readonly mock: { readonly restore: () => void } }[];
  #isOver = false;

  constructor() {
    assert.ok(!("mock" in setTimeout), "time is held already");
    const clear = clearTimeout;
    this.#mocks = [
      mock.method(globalThis, "setTimeout", (act: (...args: unknown[]) => void, delay = 1, ...args: unknown[]) =>
        this.#start(
          new HeldTimeout(
            () => act(...args),
            delay,
            (timeout) => this.#start(timeout),
          ),
        ),
      ),
      mock.method(globalThis, "clearTimeout", (timeout: unknown) =>
        timeout instanceof HeldTimeout ? this.#clear(timeout) : clear(timeout as NodeJS.Timeout),
      ),
    ];
  }

  /** Lets timeouts be real again; those that are pending never go off. */
  release(): void {
    this.#isOver = true;
    for (const each of this.#mocks) {
      each.mock.restore();
    }
  }

  /** Has timeouts go off that are due by then, in their order, and those that they set. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds;
    for (;;) {
      await turn();
      const next = [...this.#pending].sort((one, other) => one.due - other.due)[0];
      if (next === undefined || next.due > end) {
        break;
      }
      this.#pending.delete(next);
      this.now = Math.max(this.now, next.due);
      next.act();
    }
    this.now = end;
    await turn();
  }

  /** Lets time pass until something is so; fails after ten minutes of it. */
  async until(condition: () => boolean): Promise<void> {
    const last = this.now + most;
    while (!condition()) {
      assert.ok(this.now < last, "in vain");
      await this.pass(step);
    }
  }

  /** Waits without any time until nothing goes on that waits for no timeout. */
  async rest(): Promise<void> {
    for (let turns = 0; turns < turnsToRest; turns++) {
      await turn();
    }
  }

  #start(timeout: HeldTimeout): HeldTimeout {
    if (this.#isOver) {
      // A library may refresh a timeout for as long as the process lives.
      timeout.real ??= this.#real(timeout.act, timeout.delay).unref();
      timeout.real.refresh();
    } else {
      timeout.due = this.now + timeout.delay;
      this.#pending.add(timeout);
    }
    return timeout;
  }

  #clear(timeout: HeldTimeout): void {
    this.#pending.delete(timeout);
    clearTimeout(timeout.real);
  }
}

/** As much of a NodeJS.Timeout as is used. */
class HeldTimeout {
  due = 0;
  real: NodeJS.Timeout | undefined;
  readonly act: () => void;
  readonly delay: number;
  readonly #start: (timeout: HeldTimeout) => void;

  constructor(act: () => void, delay: number, start: (timeout: HeldTimeout) => void) {
    this.act = act;
    this.delay = delay;
    this.#start = start;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  refresh(): this {
    this.#start(this);
    return this;
  }
}
