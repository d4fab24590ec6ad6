import assert from "node:assert/strict";
import { unpreviewed } from "../../../../commands/preview/preview.ts";
import { reportOf } from "../../../../commands/report/build.ts";
import { mergedDigest, nothingFound } from "../../../../commands/report/digest.ts";
import { cluster } from "../../cluster/leaving.ts";
import { lookAfter } from "../../plan/decide/afterRun.ts";
import { configuration } from "../../samples.ts";
import { leaving } from "../report/previews.ts";

const user = (member: string) => ({ member, type: "user" });
const look = lookAfter(configuration({ members: [user("ana"), user("ben")] }), cluster());

describe("one report of several previews", () => {
  it("says of members without a preview what a preview of these would", () => {
    const pending = (previewed: readonly string[]) =>
      reportOf(unpreviewed(look, previewed), { stack: "dev" }).pending.map(({ name }) => name);
    assert.deepEqual([pending([]), pending(["ana"]), pending(["ana", "ben"])], [["ana", "ben"], ["ben"], []]);
    assert.equal(reportOf(unpreviewed(look, []), { stack: "dev" }).isThere, true);
  });

  it("merges all that several previews have, under the name that was asked for", () => {
    const other = {
      op: "create" as const,
      urn: "urn:pulumi:prod-1::kubecamp::kubecamp::x::y",
    };
    const first = unpreviewed(look, []);
    const digest = mergedDigest([
      { ...first, warnings: [...first.warnings, leaving("yan")] },
      { ...nothingFound, steps: [other], warnings: [leaving("zoe")] },
    ]);
    const report = reportOf(digest, { stack: "prod", failure: "prod-1: no" });
    assert.deepEqual([report.stack, report.failed, report.errors], ["prod", true, ["prod-1: no"]]);
    assert.deepEqual(
      report.shared.map(({ change }) => change),
      ["made"],
    );
    assert.deepEqual(
      report.leaving.map(({ member }) => member),
      ["yan", "zoe"],
    );
  });
});
