import assert from "node:assert/strict";
import { Doubts } from "../../../runs/doubts.ts";

/** What has to refresh: an up about everybody, about ada, about bea. */
const refreshing = (doubts: Doubts) => [undefined, ["ada"], ["bea"]].map((names) => doubts.matterTo(names));

describe("doubts of what Pulumi's state says", () => {
  it("are of everybody at the start, until an up about everybody has succeeded", () => {
    const doubts = new Doubts();
    assert.deepEqual(refreshing(doubts), [true, true, true]);
    doubts.settle(["ada"]);
    assert.deepEqual(refreshing(doubts), [true, true, true]);
    doubts.settle(undefined);
    assert.deepEqual(refreshing(doubts), [false, false, false]);
  });

  it("are of whom an up was about that failed, until one about them succeeds", () => {
    const doubts = new Doubts();
    doubts.settle(undefined);
    doubts.raise(["ada", "eve"]);
    assert.deepEqual(refreshing(doubts), [true, true, false]);
    doubts.settle(["ada", "bea"]);
    assert.deepEqual(refreshing(doubts), [true, false, false]);
    doubts.settle(["eve"]);
    assert.deepEqual(refreshing(doubts), [false, false, false]);
  });

  it("are of everybody again after a full up that failed, and after a lock that was left", () => {
    for (const raise of [(it: Doubts) => it.raise(undefined), (it: Doubts) => it.ofAll()]) {
      const doubts = new Doubts();
      doubts.settle(undefined);
      raise(doubts);
      doubts.raise(["ada"]);
      assert.deepEqual(refreshing(doubts), [true, true, true]);
    }
  });
});
