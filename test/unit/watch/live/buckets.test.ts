import assert from "node:assert/strict";
import { findings } from "../../../../watch/live/findings.ts";
import { watchedKinds } from "../../../../watch/live/watchedKinds.ts";
import { plannedBy } from "../../plan/planned.ts";
import { configuration, storage, withBuckets } from "../../samples.ts";
import { LiveStack } from "./liveStack.ts";

describe("what comes with buckets, to the watch", () => {
  const stack = new LiveStack(withBuckets({ member: "ana", type: "user", route: false, buckets: [{ name: "data" }] }));
  const found = (change: (live: LiveStack) => void) => {
    const live = stack.copy();
    change(live);
    return findings(plannedBy(live.configuration, live.snapshot()));
  };

  it("finds a bucket's objects that a member has deleted, or whose labels were changed", () => {
    assert.deepEqual(
      found(() => undefined),
      [],
    );
    assert.deepEqual(
      found((live) => live.delete("Secret ana/data")),
      [{ member: "ana", object: "Secret ana/data", what: "missing" }],
    );
    const key = "ConfigMap ana/data";
    assert.deepEqual(
      found((live) => live.mark(key, { labels: { "app.kubernetes.io/part-of": "x" } })),
      [{ member: "ana", object: key, what: "changed" }],
    );
  });

  for (const [kind, resource] of [
    ["Secret", "count/secrets"],
    ["ConfigMap", "count/configmaps"],
  ] as const) {
    it(`misses a bucket's ${kind} only where the quota has room for another`, () => {
      const withUsed = (used: string) =>
        found((live) => {
          live.delete(`${kind} ana/data`);
          live.change("ResourceQuota ana/quota", () => ({
            status: { hard: { [resource]: "10" }, used: { [resource]: used } },
          }));
        });
      assert.deepEqual(withUsed("10"), []);
      assert.deepEqual(
        withUsed("9").map(({ object, what }) => [object, what]),
        [[`${kind} ana/data`, "missing"]],
      );
    });
  }

  it("watches the metadata of objects with buckets' names at home, and nothing without buckets", () => {
    const kindsOf = ({ settings, members }: ReturnType<typeof withBuckets>) =>
      watchedKinds({ settings, members }).filter(({ isMeant }) => isMeant !== undefined);
    const keys = ["ana/data", "ana/other", "ben/data"];
    assert.deepEqual(
      kindsOf(stack.configuration).map(({ kind, labelSelector, metadataOnly, isMeant }) => [
        ...[kind, labelSelector, metadataOnly],
        ...keys.filter((key) => isMeant?.(key)),
      ]),
      ["ConfigMap", "Secret"].map((kind) => [kind, undefined, true, "ana/data"]),
    );
    assert.deepEqual(kindsOf(configuration({ storage, members: [{ member: "ana", type: "user" }] })), []);
  });
});
