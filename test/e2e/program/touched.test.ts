import assert from "node:assert/strict";
import type { KubernetesObject } from "@kubernetes/client-node";
import { useStack } from "./stack.ts";
import { touchedBy } from "./touched.ts";
import { makeNamespace } from "./workloads.ts";

const namespace = "touched";
const configMap = (name: string, data: object) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace },
  data,
});
const autoscaler = {
  apiVersion: "autoscaling/v2",
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "far", namespace },
  spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "far" }, maxReplicas: 3 },
};

describe("objects that something touches", () => {
  const stack = useStack("touched");
  const patch = (kind: string, name: string, change: object) => stack.sandbox.patch(kind, name, namespace, change);

  before(async () => {
    await makeNamespace(stack, namespace);
    const made = ["kept", "changed", "labelled", "shared", "left"].map((name) => configMap(name, { a: "1" }));
    await stack.sandbox.apply(...made, autoscaler);
  });
  after(() => stack.delete("namespace", namespace));

  it("are none where a controller writes a status alone", async () => {
    const version = async () =>
      (await stack.sandbox.get<KubernetesObject>("horizontalpodautoscaler", "far", namespace)).metadata
        ?.resourceVersion;
    const before = await version();
    const touched = await touchedBy(stack, () =>
      patch("horizontalpodautoscaler/status", "far", { status: { desiredReplicas: 2 } }),
    );
    assert.deepEqual(touched, []);
    assert.notEqual(await version(), before);
  });

  it("are all that have other contents, labels or owners of fields, or are made or deleted", async () => {
    const touched = await touchedBy(stack, async () => {
      await patch("configmap", "changed", { data: { a: "2" } });
      await patch("configmap", "labelled", { metadata: { labels: { a: "1" } } });
      await stack.sandbox.applyAs("another", configMap("shared", { a: "1" }));
      await stack.delete("configmap", "left", namespace);
      await stack.sandbox.apply(configMap("made", {}));
      await patch("horizontalpodautoscaler", "far", { spec: { maxReplicas: 4 } });
    });
    assert.deepEqual(touched, [
      ...["changed", "labelled", "left", "made", "shared"].map((name) => `ConfigMap ${namespace}/${name}`),
      `HorizontalPodAutoscaler ${namespace}/far`,
    ]);
  });

  it("are those that are made again as they were", async () => {
    const touched = await touchedBy(stack, async () => {
      await stack.delete("configmap", "kept", namespace);
      await stack.sandbox.apply(configMap("kept", { a: "1" }));
    });
    assert.deepEqual(touched, [`ConfigMap ${namespace}/kept`]);
  });
});
