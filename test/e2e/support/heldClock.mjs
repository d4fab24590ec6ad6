// Loaded into a process by NODE_OPTIONS, before all else: its clock is as far from the real one as a file says, in
// milliseconds, and follows the file.
import { readFileSync } from "node:fs";

const { KUBECAMP_TEST_CLOCK: file = "" } = process.env;
const Real = globalThis.Date;
let [offset, readAt] = [0, Number.NEGATIVE_INFINITY];

function now() {
  if (performance.now() - readAt > 100) {
    readAt = performance.now();
    offset = Number(readFileSync(file, "utf8"));
  }
  return Real.now() + offset;
}

globalThis.Date = class HeldDate extends Real {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }

  static now() {
    return now();
  }
};
