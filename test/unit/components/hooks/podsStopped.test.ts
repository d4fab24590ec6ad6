import assert from "node:assert/strict";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { podsStopped } from "../../../../components/hooks/podsStopped.ts";
import { json, useApiServer } from "../../cluster/fakeApiServer.ts";
import { cluster, managedObject, owned } from "../../cluster/leaving.ts";
import { configuration, member } from "../../samples.ts";

const bob = member({ member: "bob", type: "user", suspended: true });
const hard = { pods: "0" };
const closed = { metadata: { name: "quota", namespace: "bob" }, spec: { hard }, status: { hard } };
const snapshot = cluster({ namespaceContents: new Map([["bob", { pods: 2, claims: [] }]]) });

describe("stopping pods", () => {
  const server = useApiServer();

  const run = async (
    preview: boolean,
    quotaOf: () => k8s.core.v1.ResourceQuota | undefined = () => undefined,
    seen = snapshot,
  ) => {
    await pulumi.runtime.setMocks(
      { newResource: () => ({ id: "", state: {} }), call: () => ({}) },
      "p",
      "dev",
      preview,
    );
    server.answers("resourcequotas", json({ kind: "ResourceQuotaList", items: [closed] }));
    server.answers("pods", json({}));
    const { settings } = configuration({ members: [] });
    server.asked.length = 0;
    const stopped = podsStopped([bob], new Map([["bob", { quota: quotaOf() }]]), settings, seen);
    await new Promise((resolve) => stopped.apply(resolve));
    return server.asked;
  };

  it("stops pods in an up, and never in a preview", async () => {
    assert.deepEqual(await run(true), []);
    assert.deepEqual(await run(false), ["resourcequotas", "pods"]);
  });

  const withoutPods = (hard: object, status: object = { hard }) =>
    cluster({
      namespaces: new Map([["bob", owned("bob")]]),
      managedObjects: new Map([["ResourceQuota bob/quota", managedObject("bob", { spec: { hard }, status })]]),
    });

  it("stops also pods that began after the cluster was read, until the quota was closed", async () => {
    assert.deepEqual(await run(false, undefined, withoutPods({ pods: "50" })), ["resourcequotas", "pods"]);
    assert.deepEqual(await run(false, undefined, withoutPods(hard, { hard: { pods: "50" } })), [
      "resourcequotas",
      "pods",
    ]);
    const withoutQuota = cluster({ namespaces: new Map([["bob", owned("bob")]]) });
    assert.deepEqual(await run(false, undefined, withoutQuota), ["resourcequotas", "pods"]);
  });

  it("stops pods though a run that targets others never learns the quota's ID", async () => {
    const quota = () => new k8s.core.v1.ResourceQuota("bob/quota");
    assert.deepEqual(await run(false, quota), ["resourcequotas", "pods"]);
  });
});
