import { deepEqual, equal } from "node:assert/strict";
import { at, isSecret, type Props, plain, secret } from "../../../../../buckets/protocol/values.ts";
import { clusterTimeout } from "../../../support/cluster.ts";
import { type TestSandbox, testSandbox } from "../../../support/sandbox.ts";
import { configMap, ingress, namespaceNamed, removed } from "./support/objects.ts";
import { failureOf, Plugin } from "./support/plugin.ts";

const namespace = "standin-secrets";
const urn = (type: string, name: string) => `urn:pulumi:stack::project::kubernetes:${type}::${name}`;
const mapType = urn("core/v1:ConfigMap", "page");
const secretType = urn("core/v1:Secret", "s");

describe("the stand-in keeps secrets secret", () => {
  let sandbox: TestSandbox;
  let plugin: Plugin;
  before(async function () {
    this.timeout(clusterTimeout);
    sandbox = await testSandbox();
    plugin = await Plugin.start();
    await plugin.configure({ kubeconfig: sandbox.kubeconfig });
    await sandbox.create(namespaceNamed(namespace));
  });
  after(async () => {
    await removed(sandbox, "namespace", namespace);
    await plugin.stop();
  });
  const credentials = (name: string, data: Props): Props => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace, name },
    data: secret(data),
  });

  it("in the state of a Secret, whose live data are as they should be", async () => {
    const { state } = await plugin.create(secretType, credentials("made", { key: "czNjcjN0" }));
    equal(isSecret(state.data), true);
    equal(isSecret(at(state, "__inputs", "data")), true);
    deepEqual((await sandbox.get<Props>("secret", "made", namespace)).data, { key: "czNjcjN0" });
  });

  it("even when the program did not say that they are", async () => {
    const open = { ...credentials("open", {}), data: { key: "czNjcjN0" } };
    equal(isSecret((await plugin.check(secretType, open)).data), true);
    equal(isSecret((await plugin.create(secretType, open)).state.data), true);
  });

  it("in the state of any object, field by field", async () => {
    const inputs = configMap(namespace, "page", { hidden: secret("x"), open: "y" });
    const { state } = await plugin.create(mapType, inputs);
    deepEqual(state.data, { hidden: secret("x"), open: "y" });
    deepEqual(state.__inputs, inputs);
  });

  it("in updates, previews, and when they are compared", async () => {
    const { state } = await plugin.create(secretType, credentials("changed", { key: "YQ==" }));
    const news = credentials("changed", { key: "Yg==" });
    equal((await plugin.diff(secretType, state, credentials("changed", { key: "YQ==" }))).changes, "NONE");
    deepEqual((await plugin.diff(secretType, state, news)).replaces, ["data.key"]);
    equal(isSecret((await plugin.update(secretType, state, news, { preview: true })).data), true);
    const updated = await plugin.update(secretType, state, news);
    deepEqual([isSecret(updated.data), plain(updated).data], [true, { key: "Yg==" }]);
  });

  it("when they are read, with or without inputs", async () => {
    const inputs = credentials("read", { key: "YQ==" });
    const { id, state } = await plugin.create(secretType, inputs);
    deepEqual(await plugin.read(secretType, id, inputs, state), { id, inputs, state });
    const imported = await plugin.read(secretType, id);
    deepEqual([isSecret(imported.inputs.data), isSecret(imported.state.data)], [true, true]);
  });

  it("in the state of an object that is not ready", async () => {
    const annotations = { hidden: secret("x"), "pulumi.com/timeoutSeconds": "1" };
    const inputs = ingress(namespace, "vain", "nobody", annotations);
    const { initFailed } = await failureOf(plugin.create(urn("networking.k8s.io/v1:Ingress", "vain"), inputs));
    deepEqual(at(initFailed?.state, "metadata", "annotations", "hidden"), secret("x"));
  });
});
