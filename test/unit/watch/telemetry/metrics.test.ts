import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../../../../scaffold/sandbox/paths.ts";
import { Metrics } from "../../../../watch/telemetry/metrics.ts";

describe("the watch's metrics", () => {
  it("are those of docs/reference/metrics.md, no more and no fewer", async () => {
    const page = await readFile(join(repository, "docs/reference/metrics.md"), "utf8");
    const documented = [...page.matchAll(/^\| `(kubecamp_\w+)` \|/gm)].map(([, name]) => name);
    const own = new Metrics().registry
      .getMetricsAsArray()
      .flatMap(({ name }) => (name.startsWith("kubecamp_") ? [name] : []));
    assert.deepEqual(documented.toSorted(), own.toSorted());
  });

  it("count members anew each time", async () => {
    const metrics = new Metrics();
    metrics.countMembers(["ready", "pending", "ready"]);
    metrics.countMembers(["suspended"]);
    const { values } = await metrics.members.get();
    assert.deepEqual(
      values.map(({ labels, value }) => [labels.state, value]),
      [
        ["ready", 0],
        ["pending", 0],
        ["asleep", 0],
        ["suspended", 1],
      ],
    );
  });
});
