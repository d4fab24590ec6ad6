import assert from "node:assert/strict";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { ClusterSnapshot } from "../../../cluster/snapshot.ts";
import { podsStopped } from "../../../components/podsStopped.ts";
import { FakeApiServer, json } from "../cluster/fakeApiServer.ts";
import { configuration, member } from "../samples.ts";

const bob = member({ member: "bob", type: "user", suspended: true });
const hard = { pods: "0" };
const closed = { metadata: { name: "quota", namespace: "bob" }, spec: { hard }, status: { hard } };
const snapshot: ClusterSnapshot = {
  id: "1234",
  namespaces: new Map(),
  services: new Map(),
  ingresses: new Map(),
  clusterRoles: new Map(),
  clusterRoleBindings: new Map(),
  guards: new Map(),
  owned: new Map(),
  belongings: new Map([["bob", { pods: 2, claims: [] }]]),
};

describe("stopping pods", () => {
  const server = new FakeApiServer();
  before(() => server.start());
  beforeEach(() => server.reset());
  after(() => server.stop());
  const { KUBECONFIG } = process.env;
  afterEach(() => {
    delete process.env.KUBECONFIG;
    Object.assign(process.env, KUBECONFIG === undefined ? {} : { KUBECONFIG });
  });

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
    process.env.KUBECONFIG = await server.kubeconfig();
    assert.deepEqual(await run(true), []);
    assert.deepEqual(await run(false), ["resourcequotas", "pods"]);
  });

  it("goes on where a run aimed at others does not make the quota, so that its ID is never known", async () => {
    process.env.KUBECONFIG = await server.kubeconfig();
    const quota = () => new k8s.core.v1.ResourceQuota("bob/quota");
    assert.deepEqual(await run(false, quota), ["resourcequotas", "pods"]);
  });
});
