import { deepEqual, equal, match, notEqual } from "node:assert/strict";
import { at, type Props } from "../../../../../buckets/protocol/values.ts";
import { unreachableKubeconfig } from "./support/kubeconfigs.ts";
import { configMap, deployment } from "./support/objects.ts";
import { failureOf } from "./support/plugin.ts";
import { urn, useStage, waitingTests } from "./support/stage.ts";

const type = urn("core/v1:ConfigMap", "page");

describe("the stand-in deletes", () => {
  const stage = useStage("delete");
  const it = waitingTests();

  const withFinalizer = (object: Props): Props => ({
    ...object,
    metadata: { ...(object.metadata as Props), finalizers: ["kubecamp.dev/test"] },
  });
  const release = async (apiVersion: string, kind: string, namespace: string, name: string): Promise<void> => {
    await stage().hand.patch({ apiVersion, kind, metadata: { namespace, name, finalizers: null } } as never, "test");
  };

  it("a Namespace, and waits until it is gone with all that is in it", async () => {
    const { plugin, hand } = stage();
    const namespaceType = urn("core/v1:Namespace", "n");
    const inputs = { apiVersion: "v1", kind: "Namespace", metadata: { name: "standin-delete-all" } };
    const { id, state } = await plugin.create(namespaceType, inputs);
    await plugin.create(type, configMap(id, "page"));
    await plugin.delete(namespaceType, id, state);
    equal(await hand.find("v1", "Namespace", id), undefined);
  });

  it("a Namespace without waiting, with pulumi.com/skipAwait", async () => {
    const { plugin, hand } = stage();
    const namespaceType = urn("core/v1:Namespace", "n");
    const metadata = { name: "standin-delete-skip", annotations: { "pulumi.com/skipAwait": "true" } };
    const { id, state } = await plugin.create(namespaceType, { apiVersion: "v1", kind: "Namespace", metadata });
    await plugin.delete(namespaceType, id, state);
    equal(at(await hand.find("v1", "Namespace", id), "status", "phase"), "Terminating");
  });

  it("what is gone already", async () => {
    const { plugin, hand, namespace } = stage();
    const { id, state } = await plugin.create(type, configMap(namespace, "gone"));
    await hand.delete("v1", "ConfigMap", id);
    await plugin.delete(type, id, state);
  });

  it("what has no kind any more", async () => {
    const { plugin, namespace } = stage();
    const custom = { ...configMap(namespace, "custom"), apiVersion: "none.test/v1", kind: "None" };
    await plugin.delete(urn("none.test/v1:None", "c"), `${namespace}/custom`, { ...custom, __inputs: custom });
  });

  it("in vain what a finalizer holds: the object stays in the state", async () => {
    const { plugin, namespace } = stage();
    const { id, state } = await plugin.create(type, withFinalizer(configMap(namespace, "held")));
    const failure = await failureOf(plugin.delete(type, id, state, { timeout: 1 }));
    match(failure.message, /timed out waiting for the condition/);
    equal(failure.initFailed?.id, id);
    notEqual(at(failure.initFailed?.state, "metadata", "deletionTimestamp"), undefined);
    deepEqual(
      plugin.messages.filter((message) => message.text.includes("finalizers might be preventing deletion")).length,
      1,
    );
    await release("v1", "ConfigMap", namespace, "held");
  });

  it("what depends on a Deployment first, unless told otherwise", async () => {
    const { plugin, hand, namespace } = stage();
    const webType = urn("apps/v1:Deployment", "web");
    const replicaSetsLeft = async (name: string, annotations?: Props): Promise<boolean> => {
      const { id, state } = await plugin.create(webType, deployment(namespace, name, "nginx", annotations));
      await plugin.delete(webType, id, state);
      equal(await hand.find("apps/v1", "Deployment", id), undefined);
      return await hand.hasReplicaSets(namespace, name);
    };
    equal(await replicaSetsLeft("foreground"), false);
    equal(await replicaSetsLeft("orphan", { "pulumi.com/deletionPropagationPolicy": "orphan" }), true);
  });
});

describe("the stand-in deletes without an API server", () => {
  const state = { ...configMap("any", "page"), __inputs: configMap("any", "page") };
  const stage = useStage("delete-unreachable");

  it("nothing: an error with a way out", async () => {
    const { spare } = stage();
    await spare.configure({ kubeconfig: unreachableKubeconfig });
    const failure = await failureOf(spare.delete(type, "any/page", state));
    match(failure.message, /^configured Kubernetes cluster is unreachable. If the cluster was deleted, .*"true"$/);
  });
});
