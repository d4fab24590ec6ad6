import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import { at, type Props, textAt } from "../../../../../buckets/protocol/values.ts";
import { unknown } from "../../../../../naming/pulumiMarks.ts";
import { readOnlyKubeconfig, unreachableKubeconfig } from "./support/kubeconfigs.ts";
import { configMap } from "./support/objects.ts";
import { failureOf } from "./support/plugin.ts";
import { unlimited, urn, useStage } from "./support/stage.ts";

const type = urn("core/v1:ConfigMap", "page");

describe("the stand-in creates", () => {
  const stage = useStage("create");

  it("and keeps as its state what is live, the inputs, and a field manager", async () => {
    const { plugin, hand, namespace } = stage();
    const inputs = configMap(namespace, "kept");
    const { id, state } = await plugin.create(type, inputs);
    equal(id, `${namespace}/kept`);
    const { __inputs, __initialApiVersion, __fieldManager, ...live } = state;
    deepEqual([__inputs, __initialApiVersion], [inputs, "v1"]);
    match(String(__fieldManager), /^pulumi-kubernetes-[0-9a-f]{8}$/);
    const found = await hand.find("v1", "ConfigMap", id);
    deepEqual(at(live, "metadata", "uid"), at(found, "metadata", "uid"));
    deepEqual(live.data, found?.data);
  });

  it("with the name alone as the id of what has no namespace", async () => {
    const { plugin } = stage();
    const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", rules: [] };
    const roleType = urn("rbac.authorization.k8s.io/v1:ClusterRole", "r");
    const { id, state } = await plugin.create(roleType, { ...role, metadata: { name: "standin-create" } });
    equal(id, "standin-create");
    await plugin.delete(roleType, id, state);
  });

  it("but not what exists: an error with advice", async () => {
    const { plugin, hand, namespace } = stage();
    await hand.create(configMap(namespace, "taken", { theirs: "yes" }));
    const failure = await failureOf(plugin.create(type, configMap(namespace, "taken")));
    const [first, , second] = failure.message.split("\n");
    equal(
      first,
      `resource "${type}" was not successfully created by the Kubernetes API server: configmaps "taken" already exists`,
    );
    equal(second, "The resource already exists in the cluster. This can happen when:");
    equal(failure.initFailed, undefined);
    deepEqual(at(await hand.find("v1", "ConfigMap", `${namespace}/taken`), "data"), { theirs: "yes" });
  });

  it("over what exists with upsertExistingObjects", async () => {
    const { kubeconfig, hand, namespace } = stage();
    await hand.create(configMap(namespace, "upserted", { theirs: "yes" }));
    await stage().spare.configure({ kubeconfig, ...unlimited, upsertExistingObjects: "true" });
    const { state } = await stage().spare.create(type, configMap(namespace, "upserted", { mine: "yes" }));
    deepEqual(state.data, { mine: "yes", theirs: "yes" });
  });

  it("but leaves another manager's field, upsert or not", async () => {
    const { kubeconfig, hand, namespace } = stage();
    await hand.create(configMap(namespace, "disputed", { owner: "them" }));
    await stage().spare.configure({ kubeconfig, ...unlimited, upsertExistingObjects: "true" });
    const failure = await failureOf(stage().spare.create(type, configMap(namespace, "disputed", { owner: "us" })));
    match(failure.message, /field conflict detected.*\n.*conflict with "kubectl-create" using v1: .data.owner/);
  });

  it("under the field manager of pulumi.com/patchFieldManager", async () => {
    const { plugin, namespace } = stage();
    const inputs = configMap(namespace, "managed", {}, { "pulumi.com/patchFieldManager": "me" });
    equal((await plugin.create(type, inputs)).state.__fieldManager, "me");
  });

  it("in vain what the API server refuses, and names the object and the reason", async () => {
    const { plugin, namespace } = stage();
    const failure = await failureOf(plugin.create(type, configMap(namespace, "Bad_Name")));
    match(
      failure.message,
      new RegExp(`^resource "${type}" was not .* by the Kubernetes API server: ConfigMap "Bad_Name"`),
    );
    match(failure.message, /metadata.name: Invalid value: "Bad_Name"/);
    equal(failure.initFailed, undefined);
  });

  describe("in a preview", () => {
    it("under another name what is to take the place of what nobody can change", async () => {
      const { kubeconfig, hand, namespace } = stage();
      await hand.create(Object({ ...configMap(namespace, "fixed", { page: "1" }), immutable: true }));
      await stage().spare.configure({
        kubeconfig,
        ...unlimited,
        upsertExistingObjects: "true",
        enablePatchForce: "true",
      });
      const inputs = { ...configMap(namespace, "fixed", { page: "2" }), immutable: true };
      const { state } = await stage().spare.create(type, inputs, { preview: true });
      deepEqual([at(state, "metadata", "name"), state.data], ["fixed-preview", { page: "2" }]);
      const failure = await failureOf(stage().spare.create(type, inputs));
      match(failure.message, /field is immutable/);
    });

    it("what the API server would make of it, without a trace", async () => {
      const { plugin, hand, namespace } = stage();
      const quota: Props = { apiVersion: "v1", kind: "Service", metadata: { namespace, name: "dry" } };
      const inputs = { ...quota, spec: { ports: [{ port: 80 }] } };
      const { id, state } = await plugin.create(urn("core/v1:Service", "dry"), inputs, { preview: true });
      equal(id, "");
      equal(textAt(state, "spec", "ports", 0, "protocol"), "TCP");
      equal("status" in state, false);
      equal(await hand.find("v1", "Service", `${namespace}/dry`), undefined);
    });

    it("what is refused is refused already", async () => {
      const { plugin, namespace } = stage();
      const failure = await failureOf(plugin.create(type, configMap(namespace, "Bad_Name"), { preview: true }));
      match(failure.message, /Invalid value: "Bad_Name"/);
    });

    const echoes: [title: string, inputs: () => Props][] = [
      ["in a namespace that does not exist yet", () => configMap("standin-nowhere", "page")],
      ["with values that only the update will know", () => configMap(stage().namespace, "page", { a: unknown })],
      [
        "of a kind that does not exist yet",
        () => ({ ...configMap(stage().namespace, "x"), apiVersion: "none.test/v1" }),
      ],
    ];
    for (const [title, inputs] of echoes) {
      it(`the inputs as they are, of an object ${title}`, async () => {
        const { plugin } = stage();
        deepEqual(await plugin.create(type, inputs(), { preview: true }), { id: "", state: inputs() });
      });
    }

    it("the inputs as they are, of an object that exists: it may be replaced before", async () => {
      const { plugin, hand, namespace } = stage();
      await hand.create(configMap(namespace, "replaced"));
      const inputs = configMap(namespace, "replaced", { a: "c" });
      deepEqual(await plugin.create(type, inputs, { preview: true }), { id: "", state: inputs });
    });

    it("the inputs as they are, and a note, for those who may not create", async () => {
      const { kubeconfig, hand, namespace } = stage();
      await stage().spare.configure({ kubeconfig: await readOnlyKubeconfig(kubeconfig, "standin-viewer") });
      const inputs = configMap(namespace, "forbidden");
      deepEqual(await stage().spare.create(type, inputs, { preview: true }), { id: "", state: inputs });
      match(stage().spare.messages.at(-1)?.text ?? "", /creation failed: configmaps is forbidden/);
      match(
        (await failureOf(stage().spare.create(type, inputs))).message,
        /not successfully created .* configmaps is forbidden/,
      );
      await hand.deleteNamespace("standin-viewer");
      await hand.delete("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "standin-viewer");
    });

    it("the inputs as they are, when the API server can't be reached; the update fails", async () => {
      await stage().spare.configure({ kubeconfig: unreachableKubeconfig });
      const inputs = configMap("any", "page");
      deepEqual(await stage().spare.create(type, inputs, { preview: true }), { id: "", state: inputs });
      const { message } = await failureOf(stage().spare.create(type, inputs));
      match(message, /^configured Kubernetes cluster is unreachable: unable to load schema information.*ECONNREFUSED/);
    });
  });

  it("again and again while the namespace is on its way", async () => {
    const { plugin, hand } = stage();
    const created = plugin.create(type, configMap("standin-create-late", "page"));
    await hand.createNamespace("standin-create-late");
    ok((await created).id);
    notEqual(await hand.find("v1", "ConfigMap", "standin-create-late/page"), undefined);
    await hand.deleteNamespace("standin-create-late");
  });
});
