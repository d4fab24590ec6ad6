import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, it } from "mocha";
import { Interrupted } from "../../../commands/common/problem.ts";
import { withLock } from "../../../sandbox/lock.ts";
import { useFolder } from "../testFolder.ts";

describe("a lock", () => {
  const folder = useFolder();
  let file: string;
  const never = new AbortController().signal;
  const nobody = (): void => assert.fail("waited");

  beforeEach(() => {
    file = join(folder.path, "lock");
  });

  it("names its process while it is held, and goes with the work", async () => {
    const inside = await withLock(file, never, nobody, () => readFile(file, "utf8"));
    assert.equal(inside, String(process.pid));
    assert.equal(existsSync(file), false);
  });

  it("of a process that is gone counts for nothing", async () => {
    // More than any system counts to.
    await writeFile(file, String(2 ** 30));
    assert.equal(await withLock(file, never, nobody, async () => "done"), "done");
  });

  it("is waited for, with word of who has it", async () => {
    const waited: unknown[] = [];
    const order: string[] = [];
    const held = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    const one = withLock(file, never, nobody, async () => {
      held.resolve();
      await first.promise;
      order.push("one");
    });
    await held.promise;
    const two = withLock(
      file,
      never,
      (pid, at) => {
        waited.push(pid, at);
        first.resolve();
      },
      async () => void order.push("two"),
    );
    await Promise.all([one, two]);
    assert.deepEqual({ waited, order }, { waited: [process.pid, file], order: ["one", "two"] });
  });

  it("is no longer waited for after Ctrl-C", async () => {
    await writeFile(file, String(process.pid));
    const controller = new AbortController();
    const waiting = withLock(
      file,
      controller.signal,
      () => controller.abort(),
      async () => assert.fail("ran"),
    );
    await assert.rejects(waiting, Interrupted);
    assert.equal(await readFile(file, "utf8"), String(process.pid));
  });
});
