import assert from "node:assert/strict";
import { type BoardUp, boardModel } from "../../../../commands/board/model.ts";
import { overviewsOf } from "../../../../watch/board/overviews.ts";
import { ownModel } from "../../../../watch/board/ownModel.ts";
import { today } from "../../samples.ts";
import { LiveStack } from "../live/liveStack.ts";
import { boardStack, lookAt } from "./stack.ts";

const stack = boardStack();
const quota = (name: string) => ({ operation: "update" as const, type: "kubernetes:core/v1:ResourceQuota", name });
const up: BoardUp = {
  at: "2026-06-15T12:01:00.000Z",
  seconds: 3,
  members: undefined,
  why: "configuration",
  outcome: "failed",
  reason: "carol/quota: no room",
  changes: [quota("carol/quota"), quota("bob/quota"), quota("bobby/quota")],
};

describe("a member's part of the board", () => {
  it("keeps others, and what members share, out of a member's own board", () => {
    const { plan } = lookAt(new LiveStack(stack));
    const whole = boardModel({
      ...{ stack: "dev", readAt: new Date(), members: overviewsOf(plan, today) },
      labels: new Map([["bob", { probation: "yes" }]]),
      ups: [{ ...up, changes: [quota("carol/quota")] }, up, { ...up, members: ["bob"], changes: [] }],
      differs: ["bob", "carol", undefined].map((member) => ({
        member,
        what: "missing",
        object: `Of ${member ?? "sue"}`,
      })),
    });
    const own = ownModel(whole, "bob");
    assert.deepEqual(
      own.members.map(({ member, differs }) => [member, differs]),
      [["bob", [{ member: "bob", what: "missing", object: "Of bob" }]]],
    );
    const { reason: _, ...rest } = up;
    assert.deepEqual(own.ups, [
      { ...rest, members: ["bob"], why: "", changes: [quota("bob/quota")] },
      { ...rest, members: ["bob"], changes: [] },
    ]);
    assert.doesNotMatch(JSON.stringify(own), /carol|sue|bobby|probation/);
    assert.deepEqual(ownModel(whole, "eve").members, []);
  });
});
