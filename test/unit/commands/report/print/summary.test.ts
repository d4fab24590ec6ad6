import assert from "node:assert/strict";
import type { LostBucket, Report } from "../../../../../commands/report/model.ts";
import { alarmsIn, metBy } from "../../../../../commands/report/print/summary.ts";
import { reportOfEdit, warning } from "../previews.ts";

describe("what --fail-on finds", () => {
  const leaver = { member: "zoe", type: "user", namespaceDeleted: true, lost: undefined, objects: 9 };
  const replaced = (object: string) => ({ object, change: "replaced" as const, differences: [] });
  const nothing: Pick<Report, "leaving" | "stranded" | "takenOver" | "buckets" | "pending" | "replacements"> = {
    leaving: [],
    stranded: [],
    takenOver: [],
    buckets: [],
    pending: [],
    replacements: [],
  };
  const of = (some: Partial<typeof nothing>) => alarmsIn({ ...nothing, ...some } as Report);

  it("is a removal where somebody leaves, or all that is in a namespace is lost", () => {
    assert.deepEqual(of({}), []);
    assert.deepEqual(of({ leaving: [leaver] }), ["removal"]);
    assert.deepEqual(of({ replacements: [replaced("Namespace bob")] }), ["removal", "replacement"]);
  });

  it("is a takeover where a run takes over what exists", () => {
    assert.deepEqual(of({ takenOver: [{ name: "bob", text: "namespace bob" }] }), ["takeover"]);
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

  it("is a change of anything, and not the path of who is waited for and has no Service", async () => {
    const members = [{ member: "bob", type: "user" }];
    const raw = { members, route: { host: "camp.example.org", readiness: { mode: "wait" } } };
    const met = async (after: object, open: readonly string[], ...pending: readonly string[]) => {
      const diagnostics = pending.map((name) => warning(`[pending] a title\n  ${name}: no Service`));
      const report = await reportOfEdit({ before: raw, after: { ...raw, ...after }, open: [[], open], diagnostics });
      return metBy(report, ["change"]);
    };
    assert.deepEqual(await met({}, ["bob"], "bob"), []);
    assert.deepEqual(await met({}, ["bob"]), ["change"]);
    assert.deepEqual(await met({}, []), []);
    const limited = [{ member: "bob", type: "user", maxCPUm: 900 }];
    assert.deepEqual(await met({ members: limited }, ["bob"], "bob"), ["change"]);
    assert.deepEqual(await met({ members: [] }, []), ["change"]);
  });
});
