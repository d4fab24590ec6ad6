import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { execa } from "execa";
import { after, before, describe, it } from "mocha";
import { Problem } from "../../../commands/common/problem.ts";
import { deleteCluster, ensureCluster } from "../../../sandbox/cluster/cluster.ts";
import type { ClusterSpec } from "../../../sandbox/cluster/clusterSpec.ts";
import { endProcesses, processesStartedFrom } from "../../../sandbox/processes.ts";
import { clusterOf, removeSandbox } from "../../../sandbox/sandbox.ts";
import { apiClient } from "../support/cluster/apiClient.ts";
import { apiObjects } from "../support/cluster/apiObjects.ts";
import { listeningAddresses } from "../support/cluster/listeningAddresses.ts";
import { clusterTimeout, testCluster } from "../support/cluster.ts";
import { testSandboxNamed } from "../support/testSandboxes.ts";

describe("a sandbox's cluster", () => {
  const { signal } = new AbortController();
  // Beside the cluster that the other tests share, since this one is broken in many ways.
  const sandbox = testSandboxNamed("own");
  let cluster: ClusterSpec;

  before(async function () {
    this.timeout(clusterTimeout);
    const { tools } = await testCluster();
    cluster = clusterOf(sandbox, tools, ["request-timeout=59s"]);
    assert.equal(await ensureCluster(cluster, signal), "created");
  });
  after(() => removeSandbox(sandbox));

  const kubectl = (...args: string[]): Promise<{ stdout: string }> =>
    execa(cluster.tools.kubectl, ["--kubeconfig", cluster.kubeconfig, ...args]);
  const pids = (): number[] => processesStartedFrom(cluster.folder);

  it("has two nodes that are ready", async () => {
    const { stdout } = await kubectl("wait", "--for=condition=Ready", "node", "--all", "--timeout=30s");
    assert.equal(stdout.split("\n").length, 2);
  });

  it("hands more arguments to the API server", async () => {
    const lines = await Promise.all(pids().map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8")));
    assert.equal(lines.filter((line) => line.includes("--request-timeout=59s")).length, 1);
  });

  it("listens on 127.0.0.1 and nowhere else", async () => {
    const open = (await Promise.all(pids().map(listeningAddresses))).flat();
    assert.ok(open.length >= 6, String(open));
    assert.deepEqual([...new Set(open)], ["0100007F"]);
  });

  it("is left as it is when it runs", async () => {
    const before = pids();
    assert.equal(await ensureCluster(cluster, signal), "running");
    assert.deepEqual(pids(), before);
  });

  it("starts again with all that was in it when a process has died", async () => {
    const { create, get } = apiObjects(apiClient(cluster.kubeconfig));
    await create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "kept" } });
    const [victim] = pids();
    assert.ok(victim);
    await endProcesses([victim]);
    assert.equal(await ensureCluster(cluster, signal), "started");
    await get("namespace", "kept");
  });

  it("runs pods soon after it has started again", async () => {
    // No pod is made before the controllers, which have just started, have made its ServiceAccount.
    await kubectl("wait", "--for=create", "serviceaccount/default", "-n", "kept", "--timeout=90s");
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "later", namespace: "kept" } };
    const spec = { automountServiceAccountToken: false, containers: [{ name: "web", image: "web" }] };
    await apiObjects(apiClient(cluster.kubeconfig)).create({ ...pod, spec });
    try {
      await kubectl("wait", "--for=condition=Ready", "pod/later", "-n", "kept", "--timeout=240s");
    } catch (error) {
      // Whether it has no node, or its node has no kwok, says who is late.
      const { stdout } = await kubectl("get", "pods,events,nodes,leases", "-A", "-o", "wide");
      throw new Error(stdout, { cause: error });
    }
  });

  it("says which port another program has taken", async () => {
    const address = /server: https:\/\/(127\.0\.0\.1):(\d+)/.exec(await readFile(cluster.kubeconfig, "utf8"));
    await endProcesses(pids());
    const other = createServer().listen(Number(address?.[2]), address?.[1]);
    await once(other, "listening");
    try {
      await assert.rejects(ensureCluster(cluster, signal), (error: unknown) => {
        assert.ok(error instanceof Problem);
        assert.equal(error.message, "A port that the cluster needs is taken.");
        assert.ok(error.why.includes(`127.0.0.1:${address?.[2]}`), error.why);
        return true;
      });
    } finally {
      other.close();
    }
  });

  it("shows why a component does not start", async () => {
    const another = testSandboxNamed("broken");
    const broken = clusterOf(another, cluster.tools, ["no-such-flag=1"]);
    try {
      await assert.rejects(ensureCluster(broken, signal), (error: unknown) => {
        assert.ok(error instanceof Problem);
        assert.match(error.why, /unknown flag: --no-such-flag/);
        return true;
      });
    } finally {
      await removeSandbox(another);
    }
  });

  it("goes without a trace, when it is stopped too", async () => {
    await deleteCluster(cluster);
    assert.deepEqual(pids(), []);
    assert.equal(existsSync(cluster.folder), false);
    await deleteCluster(cluster);
  });
});
