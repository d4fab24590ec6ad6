import assert from "node:assert/strict";
import { RefreshTracker } from "../../../runs/refreshTracker.ts";

/** Whether ups of everybody, of ada and of bea have to refresh after these calls. */
function refreshing(...calls: readonly ((tracker: RefreshTracker) => void)[]) {
  const tracker = new RefreshTracker();
  for (const call of calls) call(tracker);
  return [undefined, ["ada"], ["bea"]].map((names) => tracker.matterTo(names));
}
const settle = (names?: readonly string[]) => (tracker: RefreshTracker) => tracker.settle(names);
const raise = (names?: readonly string[]) => (tracker: RefreshTracker) => tracker.raise(names);

describe("doubts of what Pulumi's state says", () => {
  const [all, none] = [
    [true, true, true],
    [false, false, false],
  ];
  for (const [what, calls, expected] of [
    ["everybody at the start", [], all],
    ["everybody after an up of some", [settle(["ada"])], all],
    ["nobody after an up of everybody", [settle()], none],
    ["those whose up failed", [settle(), raise(["ada", "eve"])], [true, true, false]],
    [
      "those of a failed up who had no other up",
      [settle(), raise(["ada", "eve"]), settle(["ada"])],
      [true, false, false],
    ],
    ["nobody once all of a failed up had another", [settle(), raise(["ada", "eve"]), settle(["ada", "eve"])], none],
    ["everybody after a full up that failed", [settle(), raise(), raise(["ada"])], all],
    ["everybody after a lock was left", [settle(), (tracker: RefreshTracker) => tracker.ofAll()], all],
  ] as const) {
    it(`doubts Pulumi's state of ${what}`, () => assert.deepEqual(refreshing(...calls), expected));
  }
});
