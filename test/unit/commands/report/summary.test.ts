import assert from "node:assert/strict";
import type { Report } from "../../../../commands/report/model.ts";
import { found } from "../../../../commands/report/summary.ts";

describe("what --fail-on finds", () => {
  const leaver = { member: "zoe", type: "user", namespaceDeleted: true, lost: undefined, objects: 9 };
  const replaced = (object: string) => ({ object, change: "replaced" as const, differences: [] });
  const nothing: Pick<Report, "leaving" | "pending" | "replacements"> = { leaving: [], pending: [], replacements: [] };
  const of = (some: Partial<typeof nothing>) => found({ ...nothing, ...some } as Report);

  it("is a removal where somebody leaves, or all that is in a namespace is lost", () => {
    assert.deepEqual(of({}), []);
    assert.deepEqual(of({ leaving: [leaver] }), ["removal"]);
    assert.deepEqual(of({ replacements: [replaced("Namespace bob")] }), ["removal", "replacement"]);
  });

  it("is a replacement of anything, and whoever is pending", () => {
    assert.deepEqual(of({ replacements: [replaced("Role bob/kubecamp-edit")] }), ["replacement"]);
    assert.deepEqual(of({ pending: [{ name: "bob", text: "why" }] }), ["pending"]);
  });
});
