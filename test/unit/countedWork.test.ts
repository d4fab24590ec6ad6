import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

/** What sorting takes grows a little faster than what is sorted: at ten times as many, by a third more. */
const tenfold = 10 * 1.34;

/** With how many members, to begin with. */
const works = {
  "read and check their list": 1000,
  "tell a mistake in each of them": 200,
  "see what is not as it should be": 100,
  "read the cluster, and say what is to be said": 50,
  "report what a preview says": 100,
  "hold what it registers against what nothing may break": 10,
};

describe("what is done for ten times as many members is ten times as much work", function () {
  this.timeout(120_000);

  for (const [name, few] of Object.entries(works)) {
    it(`to ${name}`, async () => {
      const worker = new Worker(join(import.meta.dirname, "countedWork/worker.ts"), { workerData: { name, few } });
      const [{ less, more }] = (await once(worker, "message")) as [{ less: number; more: number }];
      await worker.terminate();
      assert.ok(less > few, `counted ${less} for ${few} members`);
      assert.ok(more / less < tenfold, `${less} for ${few} members, ${more} for ${10 * few}`);
    });
  }
});
