import { deepEqual, equal, match, ok } from "node:assert/strict";
import { at, type Props } from "../../../../../buckets/protocol/values.ts";
import { unknown } from "../../../../../naming/pulumiMarks.ts";
import { unreachableKubeconfig } from "./support/kubeconfigs.ts";
import { configMap, deployment } from "./support/objects.ts";
import { failureOf } from "./support/plugin.ts";
import { unlimited, urn, useStage } from "./support/stage.ts";

const type = urn("core/v1:ConfigMap", "page");

describe("the stand-in updates", () => {
  const stage = useStage("update");

  const made = async (name: string, data: Props): Promise<Props> =>
    (await stage().plugin.create(type, configMap(stage().namespace, name, data))).state;
  const live = async (name: string): Promise<Props | undefined> =>
    await stage().hand.find("v1", "ConfigMap", `${stage().namespace}/${name}`);
  const managers = (object: Props | undefined): string[] =>
    (at(object, "metadata", "managedFields") as Props[]).map((each) => `${each.manager} ${each.operation}`);

  it("by server-side apply, under the field manager of the state, which takes over from the create", async () => {
    const { plugin, namespace } = stage();
    const created = await made("page", { a: "1", b: "1" });
    deepEqual(managers(created), ["pulumi-kubernetes Update"]);
    const updated = await plugin.update(type, created, configMap(namespace, "page", { a: "2" }));
    deepEqual(updated.data, { a: "2" });
    equal(updated.__fieldManager, created.__fieldManager);
    deepEqual(managers(updated), [`${created.__fieldManager} Apply`]);
    deepEqual(at(await live("page"), "data"), { a: "2" });
  });

  it("and leaves others' fields alone", async () => {
    const { plugin, hand, namespace } = stage();
    const created = await made("shared", { ours: "1" });
    await hand.patch(configMap(namespace, "shared", { theirs: "1" }), "somebody");
    const updated = await plugin.update(type, created, configMap(namespace, "shared", { ours: "2" }));
    deepEqual(updated.data, { ours: "2", theirs: "1" });
  });

  it("and fails on a field that another manager has taken; the state says what is live", async () => {
    const { plugin, hand, namespace } = stage();
    const created = await made("disputed", { a: "1" });
    await hand.patch(configMap(namespace, "disputed", { a: "theirs" }), "somebody");
    const failure = await failureOf(plugin.update(type, created, configMap(namespace, "disputed", { a: "2" })));
    match(
      failure.message,
      /^the Kubernetes API server reported that "standin-update\/disputed" failed to fully initialize/,
    );
    match(failure.message, /field conflict detected.*\n.*conflict with "somebody" using v1: .data.a/);
    equal(failure.initFailed?.id, `${namespace}/disputed`);
    deepEqual(at(failure.initFailed?.state, "data"), { a: "theirs" });
    deepEqual(at(await live("disputed"), "data"), { a: "theirs" });
  });

  it("and takes such a field with enablePatchForce", async () => {
    const { kubeconfig, hand, namespace } = stage();
    await stage().spare.configure({ kubeconfig, ...unlimited, enablePatchForce: "true" });
    const created = await made("allowed", { a: "1" });
    await hand.patch(configMap(namespace, "allowed", { a: "theirs" }), "somebody");
    deepEqual((await stage().spare.update(type, created, configMap(namespace, "allowed", { a: "2" }))).data, {
      a: "2",
    });
  });

  it("and puts back what kubectl has changed, without a dispute", async () => {
    const { plugin, hand, namespace } = stage();
    const created = await made("edited", { a: "1" });
    await hand.patch(configMap(namespace, "edited", { a: "by hand", more: "by hand" }), "kubectl-edit");
    const updated = await plugin.update(type, created, configMap(namespace, "edited", { a: "1", b: "2" }));
    // Fields that kubectl added are ours now, too, and go because our inputs lack them.
    deepEqual(updated.data, { a: "1", b: "2" });
    deepEqual(managers(updated), [`${created.__fieldManager} Apply`]);
  });

  it("in a preview without a trace", async () => {
    const { plugin, namespace } = stage();
    const created = await made("dry", { a: "1" });
    const previewed = await plugin.update(type, created, configMap(namespace, "dry", { a: "2" }), { preview: true });
    equal(at(previewed, "data", "a"), "2");
    ok(at(previewed, "metadata", "uid"));
    deepEqual(at(await live("dry"), "data"), { a: "1" });
    deepEqual(managers(await live("dry")), ["pulumi-kubernetes Update"]);
  });

  it("in a preview with unknown values to the inputs as they are", async () => {
    const { plugin, namespace } = stage();
    const created = await made("unknown", { a: "1" });
    const news = configMap(namespace, "unknown", { a: unknown });
    deepEqual(await plugin.update(type, created, news, { preview: true }), news);
  });

  it("in a preview without an API server to the inputs as they are; the update fails", async () => {
    const { namespace } = stage();
    await stage().spare.configure({ kubeconfig: unreachableKubeconfig });
    const created = await made("unreachable", { a: "1" });
    const news = configMap(namespace, "unreachable", { a: "2" });
    deepEqual(await stage().spare.update(type, created, news, { preview: true }), news);
    match(
      (await failureOf(stage().spare.update(type, created, news))).message,
      /^configured Kubernetes cluster is unreachable: /,
    );
  });

  it("not what is gone: an error that names object and reason", async () => {
    const { plugin, hand, namespace } = stage();
    const created = await made("gone", { a: "1" });
    await hand.delete("v1", "ConfigMap", `${namespace}/gone`);
    const failure = await failureOf(plugin.update(type, created, configMap(namespace, "gone", { a: "2" })));
    equal(
      failure.message,
      `update of resource "${type}" failed: configmaps "gone" not found\nunable to get cluster state: configmaps "gone" not found`,
    );
    equal(failure.initFailed, undefined);
  });

  it("and leaves an ignored field to who manages it", async () => {
    const { plugin, hand, namespace } = stage();
    const webType = urn("apps/v1:Deployment", "web");
    const base = deployment(namespace, "web");
    const { replicas: _, ...spec } = base.spec as Props;
    const { state } = await plugin.create(webType, { ...base, spec });
    await hand.patch({ ...base, spec: { replicas: 2 } }, "an-autoscaler");
    const news = { ...base, metadata: { ...(base.metadata as Props), labels: { a: "b" } } };
    const updated = await plugin.update(webType, state, news, { ignoreChanges: ["spec.replicas"] });
    equal(at(updated, "spec", "replicas"), 2);
    equal(at(updated, "metadata", "labels", "a"), "b");
    const owners = (at(updated, "metadata", "managedFields") as Props[]).filter((each) =>
      at(each.fieldsV1, "f:spec", "f:replicas"),
    );
    deepEqual(
      owners.map((each) => each.manager),
      ["an-autoscaler"],
    );
  });
});
