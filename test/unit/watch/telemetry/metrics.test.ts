import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Coming } from "../../../../plan/findings/coming.ts";
import { repository } from "../../../../sandbox/paths.ts";
import { Metrics } from "../../../../watch/telemetry/metrics.ts";

describe("the watch's metrics", () => {
  it("serves the metrics in docs/reference/metrics.md, no more and no fewer", async () => {
    const page = await readFile(join(repository, "docs/reference/metrics.md"), "utf8");
    const documented = [...page.matchAll(/^\| `(kubecamp_\w+)` \|/gm)].map(([, name]) => name);
    const own = new Metrics().registry
      .getMetricsAsArray()
      .flatMap(({ name }) => (name.startsWith("kubecamp_") ? [name] : []));
    assert.deepEqual(documented.toSorted(), own.toSorted());
  });

  it("measures present members' time to a last day, until that has passed, and use of quotas", async () => {
    const metrics = new Metrics();
    const coming = (member: string, seconds: number): Coming => ({
      finding: { code: "expires", member, facts: { lastDay: "2026-06-15", days: 0 } },
      ...{ key: "expires 2026-06-15", at: new Date(Date.now() + seconds * 1000), step: 3 },
      ...{ isForgotten: false, isForAdmins: true },
    });
    const facts = { resource: "pods", used: "9", hard: "10", ratio: 0.9, refused: "pods" };
    const { at: _, ...rest } = coming("bob", 0);
    const quota: Coming = { ...rest, finding: { code: "quotaNearlyFull", member: "bob", facts } };
    const shown = async () => (await metrics.registry.metrics()).match(/^kubecamp_member_\w+\{.*\} \S+$/gm);
    metrics.expect([coming("bob", 100), coming("carol", -1), quota]);
    const [expires = "", used] = (await shown()) ?? [];
    assert.match(expires, /^kubecamp_member_expires_seconds\{member="bob"\} (99|100)/);
    assert.equal(used, 'kubecamp_member_quota_used_ratio{member="bob",resource="pods"} 0.9');
    metrics.expect([]);
    assert.equal(await shown(), null);
  });
});
