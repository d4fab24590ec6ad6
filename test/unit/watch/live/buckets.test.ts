import assert from "node:assert/strict";
import { findings } from "../../../../watch/live/findings.ts";
import { watchedKinds } from "../../../../watch/live/watchedKinds.ts";
import { configuration, storage, withBuckets } from "../../samples.ts";
import { LiveStack } from "./liveStack.ts";

describe("what comes with buckets, to the watch", () => {
  const stack = new LiveStack(withBuckets({ member: "ana", type: "user", route: false, buckets: [{ name: "data" }] }));
  const found = (change: (live: LiveStack) => void) => {
    const live = stack.copy();
    change(live);
    return findings(live.configuration, live.snapshot());
  };

  it("is missed when the member deletes it, and put right where its labels were changed", () => {
    assert.deepEqual(
      found(() => undefined),
      [],
    );
    assert.deepEqual(
      found((live) => live.delete("Secret ana/data")),
      [{ member: "ana", object: "Secret ana/data", what: "missing", refresh: true }],
    );
    const key = "ConfigMap ana/data";
    const { labels = {} } = stack.objects.get(key)?.metadata ?? {};
    const more = { labels: { ...labels, "app.kubernetes.io/instance": "x" } };
    assert.deepEqual(
      found((live) => live.change(key, ({ metadata }) => ({ metadata: { ...metadata, ...more } }))),
      [{ member: "ana", object: key, what: "changed", refresh: false }],
    );
  });

  it("is the metadata alone, of this stack, and nothing where nobody has one", () => {
    const kindsOf = ({ settings, members }: ReturnType<typeof withBuckets>) =>
      watchedKinds(settings, members).filter(({ labelSelector = "" }) => labelSelector.includes("bucket"));
    assert.deepEqual(
      kindsOf(stack.configuration).map(({ kind, labelSelector, metadataOnly }) => [kind, labelSelector, metadataOnly]),
      ["Secret", "ConfigMap"].map((kind) => [kind, "kubecamp.dev/stack=dev,kubecamp.dev/bucket", true]),
    );
    assert.deepEqual(kindsOf(configuration({ storage, members: [{ member: "ana", type: "user" }] })), []);
  });
});
