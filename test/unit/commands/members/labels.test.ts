import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Problem } from "../../../../commands/common/problem.ts";
import { labelValues } from "../../../../commands/members/labels.ts";
import { stackFile } from "../stackFile.ts";

describe("the label that members are summed up by", () => {
  let folder: string;
  const write = (name: string, settings: Record<string, unknown>) =>
    writeFile(join(folder, `Pulumi.${name}.yaml`), stackFile(settings));
  const route = { host: "camp.example.org" };
  const user = (member: string, labels?: object) => ({ member, type: "user", ...(labels && { labels }) });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-labels-"));
    await writeFile(join(folder, "Pulumi.yaml"), "name: kubecamp\nruntime: nodejs\n");
    await write("dev", { route, members: [user("ada", { course: "cs102", term: "ws" }), user("joe")] });
    await write("prod", { route, shards: 2, members: [user("ada", { course: "cs101" }), user("bob")] });
    await write("prod-0", { shardOf: "prod" });
  });
  after(() => rm(folder, { recursive: true }));

  const of = (stack: string, member: string) => ({ stack, member, type: "user" });

  it("is the list's of each member's stack; shards have that of their family", () => {
    const value = labelValues("course", ["dev", "prod-0", "prod-1"], folder);
    assert.deepEqual(
      [of("dev", "ada"), of("dev", "joe"), of("prod-0", "ada"), of("prod-1", "ada"), of("prod-1", "gone")].map(value),
      ["cs102", undefined, "cs101", "cs101", undefined],
    );
    assert.equal(labelValues("course", ["prod", "prod-1"], folder)(of("prod-1", "ada")), "cs101");
  });

  it("has to be somebody's", () => {
    const asked = (label: string) => () => labelValues(label, ["dev", "prod-0"], folder);
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
