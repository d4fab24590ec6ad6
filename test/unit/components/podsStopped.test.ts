import assert from "node:assert/strict";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { podsStopped } from "../../../components/podsStopped.ts";
import { json, useApiServer } from "../cluster/fakeApiServer.ts";
import { cluster } from "../cluster/leaving.ts";
import { configuration, member } from "../samples.ts";

const bob = member({ member: "bob", type: "user", suspended: true });
const hard = { pods: "0" };
const closed = { metadata: { name: "quota", namespace: "bob" }, spec: { hard }, status: { hard } };
const snapshot = cluster({ belongings: new Map([["bob", { pods: 2, claims: [] }]]) });

describe("stopping pods", () => {
  const server = useApiServer();

  const run = async (preview: boolean, quotaOf: () => k8s.core.v1.ResourceQuota | undefined = () => undefined) => {
    await pulumi.runtime.setMocks(
      { newResource: () => ({ id: "", state: {} }), call: () => ({}) },
      "p",
      "dev",
      preview,
    );
    server.answers("resourcequotas", json({ kind: "ResourceQuotaList", items: [closed] }));
    server.answers("pods", json({}));
    const { settings } = configuration({ members: [] });
    const stopped = podsStopped([bob], new Map([["bob", { quota: quotaOf() }]]), settings, snapshot);
    await new Promise((resolve) => stopped.apply(resolve));
    return server.asked;
  };

  it("is for an up, and never for a preview", async () => {
    assert.deepEqual(await run(true), []);
    assert.deepEqual(await run(false), ["resourcequotas", "pods"]);
  });

  it("goes on where a run aimed at others does not make the quota, so that its ID is never known", async () => {
    const quota = () => new k8s.core.v1.ResourceQuota("bob/quota");
    assert.deepEqual(await run(false, quota), ["resourcequotas", "pods"]);
  });
});
