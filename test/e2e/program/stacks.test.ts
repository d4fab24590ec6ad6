import assert from "node:assert/strict";
import { refusedInProcess } from "./inProcess.ts";
import { everything, nameOf } from "./inventory.ts";
import { type TestStack, useStack } from "./stack.ts";

describe("two stacks on one cluster", function () {
  this.timeout(120_000);
  const first = useStack("first");
  const second = useStack("second");
  const objectsOf = async (stack: TestStack) =>
    (await everything(stack.sandbox))
      .filter(({ metadata }) => metadata.labels?.["kubecamp.dev/stack"] === stack.name)
      .map((object) => `${nameOf(object)} ${object.metadata.resourceVersion}`)
      .sort();

  before(async () => {
    await first.configure([{ member: "lea", type: "user" }]);
    await second.configure([{ member: "mia", type: "user" }]);
    await first.upFine();
  });

  it("live side by side, each with its own", async () => {
    const before = await objectsOf(first);
    assert.notEqual(before.length, 0);
    await second.upFine();
    assert.equal((await objectsOf(second)).length, before.length);
    assert.deepEqual(await objectsOf(first), before);
  });

  it("can't have the same member, with adopt either", async () => {
    for (const adopt of [false, true]) {
      await second.configure(["mia", "lea"].map((member) => ({ member, type: "user", adopt })));
      await refusedInProcess(second, [
        /member 'lea': namespace 'lea' belongs to stack 'first'.*; a member can be in one stack only/,
      ]);
    }
  });

  it("go one without the other", async () => {
    const before = await objectsOf(first);
    const destroyed = await second.run(["destroy", "--yes", "--skip-preview"]);
    assert.equal(destroyed.exitCode, 0, destroyed.output);
    assert.deepEqual(await objectsOf(second), []);
    assert.deepEqual(await objectsOf(first), before);
  });
});
