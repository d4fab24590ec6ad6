import assert from "node:assert/strict";
import { RefreshTracker } from "../../../runs/refreshTracker.ts";

/** Whether ups of everybody, of ada and of bea have to refresh. */
const refreshing = (refreshTracker: RefreshTracker) =>
  [undefined, ["ada"], ["bea"]].map((names) => refreshTracker.matterTo(names));

describe("doubts of what Pulumi's state says", () => {
  it("are of everybody at the start, until an up about everybody has succeeded", () => {
    const refreshTracker = new RefreshTracker();
    assert.deepEqual(refreshing(refreshTracker), [true, true, true]);
    refreshTracker.settle(["ada"]);
    assert.deepEqual(refreshing(refreshTracker), [true, true, true]);
    refreshTracker.settle(undefined);
    assert.deepEqual(refreshing(refreshTracker), [false, false, false]);
  });

  it("are of whom an up was about that failed, until one about them succeeds", () => {
    const refreshTracker = new RefreshTracker();
    refreshTracker.settle(undefined);
    refreshTracker.raise(["ada", "eve"]);
    assert.deepEqual(refreshing(refreshTracker), [true, true, false]);
    refreshTracker.settle(["ada", "bea"]);
    assert.deepEqual(refreshing(refreshTracker), [true, false, false]);
    refreshTracker.settle(["eve"]);
    assert.deepEqual(refreshing(refreshTracker), [false, false, false]);
  });

  it("are of everybody again after a full up that failed, and after a lock that was left", () => {
    for (const raise of [(it: RefreshTracker) => it.raise(undefined), (it: RefreshTracker) => it.ofAll()]) {
      const refreshTracker = new RefreshTracker();
      refreshTracker.settle(undefined);
      raise(refreshTracker);
      refreshTracker.raise(["ada"]);
      assert.deepEqual(refreshing(refreshTracker), [true, true, true]);
    }
  });
});
