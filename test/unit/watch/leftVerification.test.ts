import assert from "node:assert/strict";
import { removeLeftVerification } from "../../../watch/leftVerification.ts";
import { json, metadataList, useApiServer } from "../cluster/fakeApiServer.ts";
import { settings } from "../samples.ts";
import { fakeLog } from "./fakes.ts";

const labels = { "kubecamp.dev/verify": settings.stack };
const binding = "kubecamp:dev:left:view";
const namespace = (name: string, until: Date, rest: object = {}) => ({
  metadata: {
    ...{ name, uid: name, labels, ...rest },
    annotations: {
      "kubecamp.dev/verify-until": until.toISOString(),
      "kubecamp.dev/verify-outside": `ClusterRoleBinding ${binding}`,
    },
  },
});
const left = namespace("left", new Date(Date.now() - 1_000));
const bound = { kind: "ClusterRoleBinding", metadata: { name: binding, uid: "1", labels } };
const list = metadataList(
  left,
  namespace("used", new Date(Date.now() + 60_000)),
  namespace("going", new Date(0), { deletionTimestamp: new Date() }),
);

describe("what the watch does about a verification that was killed", () => {
  const server = useApiServer();
  const remove = async (cluster: { readonly id?: string } = {}) => {
    const { lines, log } = fakeLog();
    await removeLeftVerification({ stack: settings.stack, cluster }, log, new AbortController().signal);
    return lines.map(({ level, action, namespaces, reason }) => ({ level, action, namespaces, reason }));
  };
  const deleted = () => server.writes.map(({ method, url }) => `${method} ${url}`);
  const paths = [
    `DELETE /apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${encodeURIComponent(binding)}`,
    "DELETE /api/v1/namespaces/left",
  ];

  it("removes what nobody renews, what is elsewhere first, and logs that", async () => {
    server.answers("namespaces", json(list));
    server.answers(encodeURIComponent(binding), json(bound), json({}));
    server.answers("left", json({ kind: "Namespace", ...left }), json({}));
    assert.deepEqual(await remove(), [
      { level: "info", action: "verification removed", namespaces: ["left"], reason: undefined },
    ]);
    assert.deepEqual(deleted(), paths);
  });

  it("logs nothing where there is nothing", async () => {
    server.answers("namespaces", json(metadataList()));
    assert.deepEqual([await remove(), deleted()], [[], []]);
  });

  it("logs what it may not remove, and removes the rest", async () => {
    server.answers("namespaces", json(list));
    server.answers(encodeURIComponent(binding), json(bound), json({ message: "no" }, 403));
    server.answers("left", json({ kind: "Namespace", ...left }), json({}));
    const [, warning] = await remove();
    assert.deepEqual([warning?.level, warning?.action], ["warn", "verification not removed"]);
    assert.match(String(warning?.reason), /delete ClusterRoleBinding kubecamp:dev:left:view .*403 no/);
    assert.deepEqual(deleted(), paths);
  });

  it("removes nothing on another cluster than the stack's", async () => {
    server.answers("namespaces", json(list));
    server.answers("kube-system", json({ kind: "Namespace", metadata: { name: "kube-system", uid: "1234" } }));
    const [warning] = await remove({ id: "5678" });
    assert.match(String(warning?.reason), /^Nothing was written: /);
    assert.deepEqual(deleted(), []);
  });

  it("goes on without a cluster", async () => {
    process.env.KUBECONFIG = "/dev/null";
    assert.deepEqual(
      (await remove()).map(({ level, action }) => [level, action]),
      [["warn", "verification not removed"]],
    );
  });
});
