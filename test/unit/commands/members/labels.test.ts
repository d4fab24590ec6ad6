import assert from "node:assert/strict";
import { Problem } from "../../../../commands/common/problem.ts";
import { labelValues } from "../../../../commands/members/labels.ts";
import { route } from "../../samples.ts";
import { project, useFolder } from "../../testFolder.ts";
import { stackFile } from "../stackFile.ts";

describe("the label that members are summed up by", () => {
  const user = (member: string, labels?: object) => ({ member, type: "user", ...(labels && { labels }) });

  const ofDev = [user("ada", { course: "cs102", term: "ws" }), user("joe")];
  const ofProd = [user("ada", { course: "cs101" }), user("bob")];
  const folder = useFolder({
    ...project,
    "Pulumi.dev.yaml": stackFile({ route, members: ofDev }),
    "Pulumi.prod.yaml": stackFile({ route, shards: 2, members: ofProd }),
    "Pulumi.prod-0.yaml": stackFile({ shardOf: "prod" }),
  });

  const of = (stack: string, member: string) => ({ stack, member, type: "user" });

  it("the label is the list's of each member's stack; shards have that of their family", () => {
    const value = labelValues("course", ["dev", "prod-0", "prod-1"], folder.path);
    assert.deepEqual(
      [of("dev", "ada"), of("dev", "joe"), of("prod-0", "ada"), of("prod-1", "ada"), of("prod-1", "gone")].map(value),
      ["cs102", undefined, "cs101", "cs101", undefined],
    );
    assert.equal(labelValues("course", ["prod", "prod-1"], folder.path)(of("prod-1", "ada")), "cs101");
  });

  it("the label has to be somebody's", () => {
    const asked = (label: string) => () => labelValues(label, ["dev", "prod-0"], folder.path);
    assert.throws(
      asked("corse"),
      new Problem("No member has the label 'corse'; did you mean 'course'?", {
        why: "The lists of dev, prod-0 have course, term, type.",
        remedy: "Name one of these with --by, or give members the label (docs/run/budgets.md).",
      }),
    );
    assert.throws(asked("floor"), /^Problem: No member has the label 'floor'\.$/);
  });
});
