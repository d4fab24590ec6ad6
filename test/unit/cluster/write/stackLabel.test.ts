import assert from "node:assert/strict";
import { patchOf } from "../../../../cluster/write/stackLabel.ts";

const label = "/metadata/labels/kubecamp.dev~1stack";
const former = "/metadata/annotations/kubecamp.dev~1former-stacks";
const move = { member: "bob", from: "prod-0", to: "prod-2" };

describe("a namespace that is handed over", () => {
  it("gives a handed-over namespace the new stack only where the old one is, and notes that one", () => {
    assert.deepEqual(patchOf(move, { "kubecamp.dev/applied": "x" }), [
      { op: "test", path: label, value: "prod-0" },
      { op: "replace", path: label, value: "prod-2" },
      { op: "add", path: former, value: "prod-0" },
    ]);
  });

  it("notes on a handed-over namespace all its former stacks, and not the present one", () => {
    const [, , last] = patchOf(move, { "kubecamp.dev/former-stacks": "prod,prod-2" });
    assert.deepEqual(last, { op: "add", path: former, value: "prod,prod-0" });
  });

  it("makes annotations for a handed-over namespace that has none", () => {
    const [, , last] = patchOf(move, {});
    assert.deepEqual(last, {
      op: "add",
      path: "/metadata/annotations",
      value: { "kubecamp.dev/former-stacks": "prod-0" },
    });
  });
});
