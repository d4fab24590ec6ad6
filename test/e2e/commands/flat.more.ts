import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openStack } from "../../../watch/stackRunner.ts";
import { restore } from "../../unit/cluster/fakeApiServer.ts";
import { useStack } from "../program/stack.ts";

/** V8 has compiled by the first of these runs what it compiles, and Node's buffers of a fixed length are full. */
const [settled, last] = [40, 200];
/** Bytes for each run: the modules that it loads, and what Pulumi's SDK keeps of a connection for half an hour. */
const perRun = 64 * 1024;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** What a process holds. */
async function held() {
  // What a run has ended is closed in the next turns of the loop.
  await sleep(500);
  collect();
  collect();
  const files = await readdir(tmpdir());
  return {
    heap: process.memoryUsage().heapUsed,
    handles: process.getActiveResourcesInfo().length,
    listeners: process.eventNames().flatMap((name) => process.listeners(name as never)).length,
    files: files.filter((name) => /automation|pulumi/.test(name)).length,
    children: (await readFile(`/proc/self/task/${process.pid}/children`, "utf8")).trim().split(" ").length,
  };
}

describe("two hundred ups in one process", () => {
  const stack = useStack("flat");
  const environment: NodeJS.ProcessEnv = { ...process.env };

  before(async () => {
    // Pulumi's API starts `pulumi` with the environment of its own process.
    Object.assign(process.env, stack.sandbox.env);
    await stack.makeProject();
  });
  after(() => {
    for (const name of Object.keys(stack.sandbox.env)) {
      restore(name, environment[name]);
    }
  });

  it("holds no more memory, handles, processes, listeners or files after 200 ups than after 40", async function () {
    // A second each, if nothing else runs.
    this.timeout(20 * 60_000);
    const runner = await openStack({ folder: stack.folder, stack: stack.name });
    const never = new AbortController().signal;
    const after = new Map<number, Awaited<ReturnType<typeof held>>>();
    for (let run = 1; run <= last; run++) {
      await stack.configure([{ member: "ada", type: "user", maxCPUm: 500 + (run % 2) }]);
      await runner.sources.configuration();
      const target = run === 1 ? undefined : ["ada"];
      const result = await runner.up({ target, refresh: false }, never);
      assert.equal(result.outcome, "succeeded", JSON.stringify(result));
      assert.ok(result.changes.length > 0);
      if (run === settled || run === last) {
        after.set(run, await held());
      }
    }
    const [before, now] = [after.get(settled), after.get(last)];
    assert.ok(before !== undefined && now !== undefined);
    assert.ok(now.heap - before.heap < perRun * (last - settled), `${before.heap} bytes have become ${now.heap}`);
    assert.deepEqual({ ...now, heap: 0 }, { ...before, heap: 0 });
  });
});
