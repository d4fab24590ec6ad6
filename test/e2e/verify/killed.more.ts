import assert from "node:assert/strict";
import { type Entry, useStack } from "../program/stack.ts";
import { inUseUntil, isWrite, MetVerify, madeBy, RunningVerify, removes } from "./runningVerify.ts";

const ada: Entry = { member: "ada", type: "user" };
const gus: Entry = { member: "gus", type: "guest-user" };
const moments = Array.from({ length: 10 }, (_, at) => at / 10);
const quick = ["--only", "sign-in"];

describe("a verification that does not come to its end", () => {
  after(() => met.stop());
  const stack = useStack("killed");
  const met = new MetVerify(stack);
  let writes = 0;
  /** The first write after a part of all. */
  const writeAt = (part: number) => {
    let count = 0;
    return (asked: Parameters<typeof isWrite>[0]) => isWrite(asked) && count++ >= Math.floor(part * writes);
  };

  before(async () => {
    await stack.configure([ada, gus]);
    await stack.upFine();
    await met.start();
    writes = await met.writes();
    assert.deepEqual(await madeBy(stack), []);
  });

  for (const [index, part] of moments.entries()) {
    const when = index % 2 === 0 ? "answered" : "before";
    it(`leaves nothing for long if it is killed ${part * 100} % on, ${when === "before" ? "asking" : "answered"}`, async () => {
      const left = await met.kill(writeAt(part), { when });
      assert.notDeepEqual(left, []);
      await inUseUntil(stack, new Date(0));
      const next = new RunningVerify(stack, quick);
      assert.equal(await next.end(), 0, next.output);
      assert.deepEqual(await madeBy(stack), []);
    });
  }

  for (const [part, when] of [
    // What it was asking for meanwhile comes after it has looked for what to remove.
    [0, "answered"],
    [0.1, "before"],
    [0.5, "before"],
    [0.9, "before"],
  ] as const) {
    it(`removes all after Ctrl-C ${part * 100} % on, and says that it was interrupted`, async () => {
      const verify = await met.at(writeAt(part), async (running) => running.signal("SIGINT"), { when });
      assert.deepEqual([await verify.end(), await madeBy(stack)], [130, []], verify.output);
    });
  }

  it("refuses a second one beside it, which leaves its members alone", async () => {
    let made: readonly string[] = [];
    const first = await met.at(removes, async () => {
      made = await madeBy(stack);
      const second = new RunningVerify(stack, quick);
      assert.equal(await second.end(), 1);
      assert.match(second.output, /Another verification of this stack runs, or was killed within the last minute\./);
      assert.deepEqual(await madeBy(stack), made);
    });
    assert.equal(await first.end(), 0, first.output);
    assert.notDeepEqual(made, []);
    assert.deepEqual(await madeBy(stack), []);
  });

  it("gives no results if its members go while it runs", async () => {
    const robbed = await met.at(writeAt(0.5), async () => {
      const [namespace = assert.fail()] = (await madeBy(stack)).filter((each) => each.startsWith("namespaces/"));
      await stack.kubectl("delete", namespace);
    });
    assert.equal(await robbed.end(), 1);
    assert.match(robbed.output, /Somebody removed what was made for the verification while it ran\./);
    assert.doesNotMatch(robbed.output, /PROMISE/);
    assert.deepEqual(await madeBy(stack), []);
  });

  it("says that all may be left if the cluster goes away, and the next one removes it", async () => {
    const lost = await met.at(writeAt(0.5), () => met.stop());
    assert.equal(await lost.end(), 1);
    assert.match(lost.output, /Not all is removed that was made for the verification\./);
    assert.match(lost.output, /kubectl get namespace (kubecamp-verify-\w{8}-[1-4] ?){4} -o yaml/);
    assert.doesNotMatch(lost.output, /Nothing was changed/);
    assert.notDeepEqual(await madeBy(stack), []);
    await inUseUntil(stack, new Date(0));
    const next = new RunningVerify(stack, quick);
    assert.equal(await next.end(), 0, next.output);
    assert.deepEqual(await madeBy(stack), []);
  });
});
