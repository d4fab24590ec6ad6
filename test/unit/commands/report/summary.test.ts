import assert from "node:assert/strict";
import type { LostBucket, Report } from "../../../../commands/report/model.ts";
import { found } from "../../../../commands/report/summary.ts";

describe("what --fail-on finds", () => {
  const leaver = { member: "zoe", type: "user", namespaceDeleted: true, lost: undefined, objects: 9 };
  const replaced = (object: string) => ({ object, change: "replaced" as const, differences: [] });
  const nothing: Pick<Report, "leaving" | "buckets" | "pending" | "replacements"> = {
    leaving: [],
    buckets: [],
    pending: [],
    replacements: [],
  };
  const of = (some: Partial<typeof nothing>) => found({ ...nothing, ...some } as Report);

  it("is a removal where somebody leaves, or all that is in a namespace is lost", () => {
    assert.deepEqual(of({}), []);
    assert.deepEqual(of({ leaving: [leaver] }), ["removal"]);
    assert.deepEqual(of({ replacements: [replaced("Namespace bob")] }), ["removal", "replacement"]);
  });

  it("is a bucket where one is deleted, or may be, and not where it is kept", () => {
    const bucket = (fate: LostBucket["fate"]) =>
      of({ buckets: [{ bucket: "bob-data", member: "bob", fate, what: "" }] });
    assert.deepEqual([bucket("deleted"), bucket("driver"), bucket("kept")], [["bucket"], ["bucket"], []]);
  });

  it("is a replacement of anything, and whoever is pending", () => {
    assert.deepEqual(of({ replacements: [replaced("Role bob/kubecamp-edit")] }), ["replacement"]);
    assert.deepEqual(of({ pending: [{ name: "bob", text: "why" }] }), ["pending"]);
  });
});
