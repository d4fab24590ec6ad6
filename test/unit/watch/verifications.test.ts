import assert from "node:assert/strict";
import { Metrics } from "../../../watch/telemetry/metrics.ts";
import { followVerifications } from "../../../watch/verifications.ts";
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

describe("what the watch does about verifications", () => {
  const server = useApiServer();
  let metrics = new Metrics();
  beforeEach(() => {
    metrics = new Metrics();
  });
  const remove = async (cluster: { readonly id?: string } = {}) => {
    const { lines, log } = fakeLog();
    const { signal } = new AbortController();
    await followVerifications({ stack: settings.stack, cluster }, { log, metrics, signal });
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
      [
        ["warn", "verification not removed"],
        ["warn", "verification not read"],
      ],
    );
  });

  describe("with a recorded result", () => {
    beforeEach(() => {
      const none = json(metadataList());
      server.answers("namespaces", none, none, none, none);
    });
    const record = (data: object) => server.answers("kubecamp-verify-dev", json({ kind: "ConfigMap", data }));
    const shown = async () => {
      const [all] = [await metrics.registry.metrics()];
      return all.match(/^kubecamp_verify_\S+ \S+$/gm) ?? [];
    };
    const fine = { at: "2026-06-15T03:17:00.000Z", held: "30", broken: "1", unproven: "4", report: "words" };
    const ofFine = [
      'kubecamp_verify_promises{result="held"} 30',
      'kubecamp_verify_promises{result="broken"} 1',
      'kubecamp_verify_promises{result="unproven"} 4',
      "kubecamp_verify_last_run_timestamp_seconds 1781493420",
    ];

    it("has no metrics before the first", async () => {
      assert.deepEqual([await remove(), await shown()], [[], []]);
    });

    it("shows it, until it is gone", async () => {
      record(fine);
      assert.deepEqual([await remove(), await shown()], [[], ofFine]);
      assert.deepEqual([await remove(), await shown()], [[], []]);
    });

    it("takes nothing else for one", async () => {
      for (const wrong of [
        {},
        { ...fine, at: "yesterday" },
        { ...fine, held: "many" },
        { ...fine, broken: undefined },
      ]) {
        record(wrong);
        assert.deepEqual([await remove(), await shown()], [[], []]);
      }
    });

    it("keeps the last one while it can't be read", async () => {
      record(fine);
      await remove();
      server.answers("kubecamp-verify-dev", json({ message: "no" }, 403));
      const [warning, ...others] = await remove();
      assert.deepEqual([warning?.action, others, await shown()], ["verification not read", [], ofFine]);
      assert.match(String(warning?.reason), /the ConfigMap 'kubecamp-system\/kubecamp-verify-dev' .*403/);
    });
  });
});
