import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { clusterTimeout } from "../cluster.ts";
import { type TestSandbox, testSandbox } from "../sandbox.ts";
import { pauses } from "./endingNamespaces.ts";

const home = "/api/v1/namespaces/ending";
const held = { finalizers: ["example.org/held"] };

describe("a namespace that tests delete", () => {
  let sandbox: TestSandbox;

  const send = async (method: string, path: string, body: object, type = "application/json") => {
    const answer = await sandbox.ask(method, path, { headers: { "content-type": type }, body: JSON.stringify(body) });
    assert.ok(answer.code < 300, answer.body);
  };
  const letGo = (path: string) =>
    send("PATCH", path, { metadata: { finalizers: null } }, "application/merge-patch+json");
  const isThere = async (path: string) => (await sandbox.ask("GET", path)).code === 200;
  const isLeaving = async (path: string) =>
    JSON.parse(await sandbox.read(path)).metadata.deletionTimestamp !== undefined;
  const until = async (condition: () => Promise<boolean>) => {
    while (!(await condition())) await setTimeout(50);
  };

  before(async function () {
    this.timeout(clusterTimeout);
    sandbox = await testSandbox();
  });

  // A test that fails must not keep the namespace from going, for which the next suite waits.
  after(() => Promise.allSettled([`${home}/pods/pod`, `${home}/configmaps/held`].map(letGo)));

  it("is emptied of its pods, then of all else, and goes once no finalizer holds anything in it", async () => {
    const spec = { schedulerName: "nobody", containers: [{ name: "main", image: "main" }] };
    await send("POST", "/api/v1/namespaces", { metadata: { name: "ending" } });
    await until(() => isThere(`${home}/serviceaccounts/default`));
    await send("POST", `${home}/pods`, { metadata: { name: "pod", ...held }, spec });
    for (const metadata of [{ name: "free" }, { name: "held", ...held }]) {
      await send("POST", `${home}/configmaps`, { metadata });
    }
    await sandbox.remove(home);
    await until(() => isLeaving(`${home}/pods/pod`));
    assert.equal(await isLeaving(`${home}/configmaps/held`), false);
    assert.equal(await isThere(`${home}/configmaps/free`), true);

    await letGo(`${home}/pods/pod`);
    await until(() => isLeaving(`${home}/configmaps/held`));
    await until(async () => !(await isThere(`${home}/configmaps/free`)));
    assert.deepEqual([await isThere(`${home}/pods/pod`), await isThere(home)], [false, true]);

    await letGo(`${home}/configmaps/held`);
    await until(async () => !(await isThere(home)));

    // The next suite's, of the same name, is another one.
    await send("POST", "/api/v1/namespaces", { metadata: { name: "ending" } });
    await send("POST", `${home}/configmaps`, { metadata: { name: "new" } });
    await setTimeout(2 * pauses.longest);
    assert.equal(await isThere(`${home}/configmaps/new`), true);
    await sandbox.remove(home);
  });
});
