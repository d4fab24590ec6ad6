// Loaded into a process by NODE_OPTIONS, before all else: its clock is as far from the real one as a file says, in
// milliseconds, and follows the file.
import { readFileSync } from "node:fs";

const Real = globalThis.Date;
let [file, offset, readAt] = ["", 0, Number.NEGATIVE_INFINITY];

function now() {
  if (performance.now() - readAt > 100) {
    readAt = performance.now();
    offset = Number(readFileSync(file, "utf8"));
  }
  return Real.now() + offset;
}

class HeldDate extends Real {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }

  static now() {
    return now();
  }
}

/** Goes by a file from now on; by the real clock if there is none. */
export function goBy(clock = "") {
  [file, readAt] = [clock, Number.NEGATIVE_INFINITY];
  globalThis.Date = clock === "" ? Real : HeldDate;
}

goBy(process.env.KUBECAMP_TEST_CLOCK);
