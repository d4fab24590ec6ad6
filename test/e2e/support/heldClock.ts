import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Milliseconds after which every process goes by what a test has set: longer than heldClock.mjs waits before it reads again. */
export const noticed = 150;

/** Options for Node that have a process go by a clock of its environment. */
export const clockOptions = `--import=${fileURLToPath(new URL("heldClock.mjs", import.meta.url))}`;

/** A clock that a test sets, for the processes that it starts with its environment. It goes on from where it is set. */
export class HeldClock {
  readonly env: Readonly<{ KUBECAMP_TEST_CLOCK: string; NODE_OPTIONS: string }>;
  readonly #file: string;

  /** @param folder for the clock's file */
  constructor(folder: string) {
    this.#file = join(folder, "clock");
    this.env = { KUBECAMP_TEST_CLOCK: this.#file, NODE_OPTIONS: clockOptions };
  }

  /** @param moment such as `2026-11-26T20:00:30+01:00` */
  set(moment: string): void {
    const whole = `${this.#file}.new`;
    writeFileSync(whole, String(Date.parse(moment) - Date.now()));
    // A file that is empty for a moment would be the real time.
    renameSync(whole, this.#file);
  }
}
