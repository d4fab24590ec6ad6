import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Finding } from "../../../plan/messages/finding.ts";
import type { Lock } from "../../../runs/lock.ts";
import type { PulumiUpResult } from "../../../runs/pulumiUp.ts";
import { freesFile, pastLeftLock } from "../../../runs/staleLock.ts";
import { textOf } from "../plan/planned.ts";

/** A machine on which process 1 and all others with a lower number have ended. */
const processes = {
  host: "here",
  began: Number.NEGATIVE_INFINITY,
  startOf: (pid: number) => (pid <= 1 ? undefined : 0),
};
const up: PulumiUpResult = { outcome: "succeeded", changes: [] };

for (const scheme of ["file", "s3"]) {
  describe(`a lock that was left in a backend with ${scheme}://`, () => {
    let folder: string;
    let cancels: number;
    /** Processes that hold locks, each with its own file. */
    const held = () => readdir(folder);
    const taken = (pid: number) => writeFile(join(folder, `${pid}.json`), "");
    const locks = async (): Promise<Lock[]> =>
      (await held()).map((file) => ({
        url: scheme === "file" ? `${pathToFileURL(join(folder, file))}?no_tmp_dir=true` : `s3://state/${file}`,
        ...{ user: "ada", host: "here", pid: Number.parseInt(file, 10), since: 0 },
      }));
    const stack = {
      name: "left",
      cancel: async () => {
        cancels++;
        await Promise.all((await held()).map((file) => rm(join(folder, file), { force: true })));
      },
    };
    /** An up of a process: it takes its lock if there is none, and gives it back when it is let go. */
    const upOf = (pid: number, letGo: Promise<unknown>) => async (): Promise<PulumiUpResult> => {
      const met = await locks();
      if (met.length > 0) {
        return { outcome: "locked", by: "", locks: met };
      }
      await taken(pid);
      await letGo;
      assert.deepEqual(await held(), [`${pid}.json`], "its lock was taken away");
      await rm(join(folder, `${pid}.json`));
      return up;
    };

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "kubecamp-freed-"));
      cancels = 0;
    });
    afterEach(() => rm(folder, { recursive: true }));

    it("is freed, and told of, before the up that met it is run again", async () => {
      await taken(1);
      const notes: Finding[] = [];
      assert.equal(await pastLeftLock(stack, upOf(2, Promise.resolve()), (note) => notes.push(note), processes), up);
      assert.match(textOf(notes) ?? "", /^freed the lock on stack 'left' that was left by ada@here \(pid 1\)/);
      assert.deepEqual(await held(), []);
      assert.equal(cancels, scheme === "file" ? 0 : 1);
    });

    it("is freed by one of two that meet it, and the lock that this one takes is not", async () => {
      await taken(1);
      const letGo = Promise.withResolvers<void>();
      const first = upOf(2, letGo.promise);
      const bothHaveMet = Promise.withResolvers<void>();
      let tries = 0;
      // The second one has met the lock as well, and comes to free it when the first has its own.
      const second = async () => {
        const result = await upOf(3, Promise.resolve())();
        if (++tries === 1) {
          bothHaveMet.resolve();
          while (!(await held()).includes("2.json")) {
            await new Promise((resolve) => setImmediate(resolve));
          }
        }
        return result;
      };
      const results = [
        bothHaveMet.promise.then(() => pastLeftLock(stack, first, () => undefined, processes)),
        pastLeftLock(stack, second, () => undefined, processes),
      ];
      assert.equal((await results[1])?.outcome, "locked");
      assert.deepEqual(await held(), ["2.json"]);
      letGo.resolve();
      assert.equal(await results[0], up);
    });

    it("is freed also where a process has been killed while it was at that", async () => {
      await taken(1);
      const left = freesFile("killed");
      await writeFile(left, "1");
      const killed = { ...stack, name: "killed" };
      assert.equal(await pastLeftLock(killed, upOf(2, Promise.resolve()), () => undefined, processes), up);
      await rm(left, { force: true });
    });

    it("is left to another process that is at it", async () => {
      await taken(1);
      const busy = freesFile("busy");
      await writeFile(busy, "7");
      const result = await pastLeftLock(
        { ...stack, name: "busy" },
        upOf(2, Promise.resolve()),
        () => undefined,
        processes,
      );
      assert.equal(result.outcome, scheme === "file" ? "succeeded" : "locked");
      await rm(busy);
    });

    it("is left where another lock beside it is held", async () => {
      await taken(1);
      await taken(2);
      const result = await pastLeftLock(stack, upOf(3, Promise.resolve()), () => undefined, processes);
      assert.equal(result.outcome, "locked");
      assert.deepEqual(await held(), ["1.json", "2.json"]);
    });
  });
}
