import assert from "node:assert/strict";
import type { Change } from "../../../../runs/progress.ts";
import { changesIn } from "../../../../sandbox/journey/stack.ts";

describe("what an up of the sandbox's stack has done", () => {
  it("is told with who is removed, since nobody is asked", () => {
    const changes: Change[] = [
      { operation: "delete", type: "kubernetes:core/v1:ResourceQuota", name: "dave/quota" },
      { operation: "delete", type: "kubernetes:core/v1:Namespace", name: "dave/namespace" },
      { operation: "create", type: "kubernetes:core/v1:Namespace", name: "erin/namespace" },
    ];
    assert.deepEqual(changesIn(changes), { changed: true, removed: ["dave"] });
    assert.deepEqual(changesIn([]), { changed: false, removed: [] });
  });
});
