import assert from "node:assert/strict";
import { nearestStack } from "../../../../commands/common/stackFile.ts";
import { repository } from "../../../../sandbox/paths.ts";

describe("nearestStack", () => {
  it("names the stack of the folder that a mistyped name may mean", () => {
    assert.equal(nearestStack("prodd", repository), "; did you mean 'prod'?");
  });

  it("names none for a stack with a file, and none where no name is like it", () => {
    assert.equal(nearestStack("dev", repository), "");
    assert.equal(nearestStack("nowhere", repository), "");
  });
});
