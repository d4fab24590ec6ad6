import assert from "node:assert/strict";
import { offListJson, offListTable } from "../../../../commands/images/offLists.ts";
import type { OffList } from "../../../../plan/live/offList.ts";

const web: OffList = {
  stack: "dev",
  member: "a-member-with-a-long-name",
  namespace: "a-member-with-a-long-name",
  kind: "ReplicationController",
  name: "a-workload-with-quite-a-long-name",
  uid: "1",
  pods: 12,
  uses: [
    { of: "container 'web'", image: `registry.example.org/team/application@sha256:${"0".repeat(64)}` },
    { of: "initContainer 'setup'", image: "evil\u001b[2J\nminer" },
  ],
  allowed: ["nginx"],
};

describe("the table of what is off the lists", () => {
  it("fits a terminal of 80 columns, and shows nothing that moves its cursor", () => {
    const lines = offListTable([web], 80).split("\n");
    assert.equal(lines.length, 3);
    assert.ok(Math.max(...lines.map((line) => line.length)) <= 80, lines.join("\n"));
    assert.match(lines[2] ?? "", / evil\?\[2J\?/);
  });

  it("the table has all of everything where it is piped", () => {
    assert.match(
      offListTable([web], undefined),
      /ReplicationController +a-workload-with-quite-a-long-name +12 +registry\S+0{64} +container 'web'\n/,
    );
  });

  it("the table has keys that a program can rely on", () => {
    assert.deepEqual(offListJson({ ...web, uses: [{ of: "volume 'data'", image: "evil" }] }, true), {
      stack: "dev",
      member: web.member,
      namespace: web.namespace,
      kind: "ReplicationController",
      name: web.name,
      pods: 12,
      images: [{ image: "evil", in: "volume 'data'" }],
      allowed: ["nginx"],
      deleted: true,
    });
  });
});
