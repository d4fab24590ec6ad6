import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { sizesIn, timesIn } from "../../../../../scaffold/bench/measure/procfs.ts";

describe("a process in /proc", () => {
  it("is read though its name has brackets and blanks in it", () => {
    const stat = "4242 (a) b (c d) S 17 4242 4242 0 -1 4194304 9 8 7 6 250 50 3 4 20 0 9 0 100 1 2";
    assert.deepEqual(timesIn(stat), { parent: 17, cpuSeconds: 3 });
  });

  it("has its highest memory and what disks were given, in MiB", () => {
    const status = "Name:\tnode\nVmPeak:\t 9999 kB\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n";
    const io = "rchar: 1\nwchar: 7340032\nread_bytes: 2\nwrite_bytes: 3145728\ncancelled_write_bytes: 1\n";
    assert.deepEqual(sizesIn(status, io), { peakMiB: 2, writtenMiB: 3 });
  });

  it("that has ended has no memory", () => {
    assert.deepEqual(sizesIn("Name:\tnode\nState:\tZ (zombie)\n", ""), { peakMiB: 0, writtenMiB: 0 });
  });
});
