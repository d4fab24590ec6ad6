import assert from "node:assert/strict";
import type { Report } from "../../../../../commands/report/build.ts";
import type { LostBucket } from "../../../../../commands/report/model.ts";
import { alarmsIn, metBy } from "../../../../../commands/report/print/summary.ts";
import type { Finding } from "../../../../../plan/words/finding.ts";
import { pending, reportOfEdit, reportOn } from "../previews.ts";

describe("what --fail-on finds", () => {
  const leaver = { member: "zoe", type: "user", namespaceDeleted: true, lost: undefined, objects: 9 };
  const replaced = (object: string) => ({ object, change: "replaced" as const, differences: [] });
  const of = (some: Partial<Report>) => alarmsIn({ ...reportOn([]), ...some });

  it("finds a removal for --fail-on where somebody leaves, or a namespace's content is lost", () => {
    assert.deepEqual(of({}), []);
    assert.deepEqual(of({ leaving: [leaver] }), ["removal"]);
    assert.deepEqual(of({ replacements: [replaced("Namespace bob")] }), ["removal", "replacement"]);
  });

  it("finds a takeover for --fail-on where a run takes over what exists", () => {
    assert.deepEqual(of({ takenOver: [{ name: "bob", text: "namespace bob" }] }), ["takeover"]);
  });

  it("finds a bucket for --fail-on that is deleted, or may be, and none that is kept", () => {
    const bucket = (fate: LostBucket["fate"]) =>
      of({ buckets: [{ bucket: "bob-data", member: "bob", fate, what: "" }] });
    assert.deepEqual([bucket("deleted"), bucket("driver"), bucket("kept")], [["bucket"], ["bucket"], []]);
  });

  it("finds any change for --fail-on, but not a path that waits for its Service", async () => {
    const members = [{ member: "bob", type: "user" }];
    const raw = { members, route: { host: "camp.example.org", readiness: { mode: "wait" } } };
    const met = async (...warnings: readonly Finding[]) =>
      metBy(await reportOfEdit({ before: raw, after: raw, open: [[], ["bob"]], warnings }), ["change"]);
    assert.deepEqual([await met(pending("bob")), await met()], [[], ["change"]]);
  });
});
