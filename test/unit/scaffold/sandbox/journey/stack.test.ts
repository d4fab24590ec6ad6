import assert from "node:assert/strict";
import { changesIn } from "../../../../../scaffold/sandbox/journey/stack.ts";

describe("what an up of the sandbox's stack has done", () => {
  it("is told with who is removed, since nobody is asked", () => {
    const output = ` -  kubernetes:core/v1:ResourceQuota dave/quota deleted (0.20s)
 -  kubernetes:core/v1:Namespace dave/namespace deleting (0s)
 -  kubernetes:core/v1:Namespace dave/namespace deleted (5s)
Resources:
    - 9 deleted
    41 unchanged
`;
    assert.deepEqual(changesIn(output), { changed: true, removed: ["dave"] });
    assert.deepEqual(changesIn("Resources:\n    50 unchanged\n"), { changed: false, removed: [] });
  });
});
