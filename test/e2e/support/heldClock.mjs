// Loaded into a process by NODE_OPTIONS, before all else: its clock is as far from the real one as a file says, in
// milliseconds, and follows the file.
import { readFileSync } from "node:fs";

const Real = globalThis.Date;

/** The class of a clock that follows a file; without one, the real one. */
export function dateOf(file) {
  if (file === undefined) {
    return Real;
  }
  let [offset, readAt] = [0, Number.NEGATIVE_INFINITY];
  const now = () => {
    if (performance.now() - readAt > 100) {
      readAt = performance.now();
      offset = Number(readFileSync(file, "utf8"));
    }
    return Real.now() + offset;
  };
  return class HeldDate extends Real {
    constructor(...given) {
      super(...(given.length === 0 ? [now()] : given));
    }

    static now() {
      return now();
    }

    /** A module that was loaded by another clock has dates of that one. */
    static [Symbol.hasInstance](value) {
      return Real[Symbol.hasInstance](value);
    }
  };
}

globalThis.Date = dateOf(process.env.KUBECAMP_TEST_CLOCK);
