import assert from "node:assert/strict";
import { shutDownServer } from "../../../../buckets/protocol/serve.ts";
import { HeldTime } from "../../heldTime.ts";

describe("the end of a plugin", () => {
  let time: HeldTime;
  let exits = 0;
  beforeEach(() => {
    time = new HeldTime();
    exits = 0;
  });
  afterEach(() => time.release());

  it("ends a plugin once its running requests have answered", () => {
    const answers: (() => void)[] = [];
    shutDownServer({ tryShutdown: (done) => void answers.push(done) }, () => exits++);
    assert.equal(exits, 0);
    for (const answer of answers) {
      answer();
    }
    assert.equal(exits, 1);
  });

  it("leaves a running request the 30 seconds in which it takes a bucket back", async () => {
    shutDownServer({ tryShutdown: () => undefined }, () => exits++);
    await time.pass(31_000);
    assert.equal(exits, 0);
    await time.pass(5_000);
    assert.equal(exits, 1);
  });
});
