import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

/** Waits until something is so, in real time, such as for a request; fails after ten seconds, with what there is instead. */
export async function until(holds: () => boolean, what: () => string = () => ""): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    assert.ok(tries < 2_000, `in vain, with: ${what()}`);
    await sleep(5);
  }
}
