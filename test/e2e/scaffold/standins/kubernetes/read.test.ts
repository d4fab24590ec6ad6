import { deepEqual, equal, match } from "node:assert/strict";
import { at, type Props } from "../../../../../buckets/protocol/values.ts";
import { unreachableKubeconfig } from "./support/kubeconfigs.ts";
import { configMap, ingress, quota, service } from "./support/objects.ts";
import { failureOf } from "./support/plugin.ts";
import { urn, useStage } from "./support/stage.ts";

const type = urn("core/v1:ConfigMap", "page");

describe("the stand-in reads", () => {
  const stage = useStage("read");

  it("an unchanged object as it was", async () => {
    const { plugin, namespace } = stage();
    const inputs = configMap(namespace, "same");
    const { id, state } = await plugin.create(type, inputs);
    deepEqual(await plugin.read(type, id, inputs, state), { id, inputs, state });
  });

  it("a hand-made change of a field of ours as drift, which the comparison then shows", async () => {
    const { plugin, hand, namespace } = stage();
    const quotaType = urn("core/v1:ResourceQuota", "q");
    const inputs = quota(namespace, "q", { pods: "1" });
    const { id, state } = await plugin.create(quotaType, inputs);
    await hand.patch(quota(namespace, "q", { pods: "7" }), "somebody");
    const found = await plugin.read(quotaType, id, inputs, state);
    deepEqual(found.inputs, quota(namespace, "q", { pods: "7" }));
    deepEqual((await plugin.diff(quotaType, found.state, inputs)).detailedDiff, { "spec.hard.pods": "UPDATE" });
  });

  it("a field of ours that is gone as gone", async () => {
    const { plugin, hand, namespace } = stage();
    const inputs = configMap(namespace, "less", { a: "1", b: "2" });
    const { id, state } = await plugin.create(type, inputs);
    await hand.patch({ ...configMap(namespace, "less"), data: { b: null } }, "somebody");
    deepEqual((await plugin.read(type, id, inputs, state)).inputs, configMap(namespace, "less", { a: "1" }));
  });

  it("nothing of what the server or others added", async () => {
    const { plugin, hand, namespace } = stage();
    const serviceType = urn("core/v1:Service", "s");
    const inputs = service(namespace, "s", { ports: [{ port: 80 }] });
    const { id, state } = await plugin.create(serviceType, inputs);
    const metadata = { ...(inputs.metadata as Props), labels: { theirs: "yes" } };
    await hand.patch({ apiVersion: "v1", kind: "Service", metadata }, "somebody");
    deepEqual((await plugin.read(serviceType, id, inputs, state)).inputs, inputs);
  });

  it("no difference in quantities that only look different", async () => {
    const { plugin, namespace } = stage();
    const quotaType = urn("core/v1:ResourceQuota", "n");
    const checked = await plugin.check(quotaType, quota(namespace, "n", { "limits.memory": "1024Mi" }));
    const { id, state } = await plugin.create(quotaType, checked);
    deepEqual((await plugin.read(quotaType, id, checked, state)).inputs, checked);
  });

  it("what is gone as gone", async () => {
    const { plugin, hand, namespace } = stage();
    const inputs = configMap(namespace, "gone");
    const { id, state } = await plugin.create(type, inputs);
    await hand.delete("v1", "ConfigMap", id);
    equal((await plugin.read(type, id, inputs, state)).id, "");
  });

  it("what never was, as `.get` asks for it, as absent: Pulumi says that it does not exist", async () => {
    const { plugin, namespace } = stage();
    equal((await plugin.read(type, `${namespace}/never`)).id, "");
    equal((await plugin.read(urn("core/v1:Namespace", "n"), "standin-never")).id, "");
  });

  it("an object to import with all that a program would have written", async () => {
    const { plugin, hand, namespace } = stage();
    const object = configMap(namespace, "imported", { a: "b" }, { mine: "yes" });
    await hand.create(object);
    const { id, inputs, state } = await plugin.read(type, `${namespace}/imported`);
    equal(id, `${namespace}/imported`);
    deepEqual(inputs, object);
    deepEqual((await plugin.diff(type, state, object)).changes, "NONE");
  });

  it("an object that is not ready with what is wrong, keeping it", async () => {
    const { plugin, namespace } = stage();
    const ingressType = urn("networking.k8s.io/v1:Ingress", "i");
    const skipping = ingress(namespace, "i", "nobody", { "pulumi.com/skipAwait": "true" });
    const { id, state } = await plugin.create(ingressType, skipping);
    deepEqual((await plugin.read(ingressType, id, skipping, state)).inputs, skipping);
    const waiting = ingress(namespace, "i", "nobody");
    const failure = await failureOf(plugin.read(ingressType, id, waiting, state));
    equal(failure.message, "Resource 'i' was created but failed to initialize");
    match(failure.initFailed?.reasons.join() ?? "", /loadBalancer field was not updated/);
    equal(failure.initFailed?.id, id);
    equal(at(failure.initFailed?.inputs, "metadata", "name"), "i");
  });

  describe("without an API server", () => {
    const inputs = configMap("any", "page");
    const state = { ...inputs, __inputs: inputs };
    const warning = /^configured Kubernetes cluster is unreachable: unable to load schema information/;

    it("nothing: an error with a way out", async () => {
      await stage().spare.configure({ kubeconfig: unreachableKubeconfig });
      const failure = await failureOf(stage().spare.read(type, "any/page", inputs, state));
      match(
        failure.message,
        /^failed to read resource state due to unreachable cluster.*PULUMI_K8S_DELETE_UNREACHABLE/,
      );
      match(stage().spare.messages.at(-1)?.text ?? "", warning);
    });
  });
});
