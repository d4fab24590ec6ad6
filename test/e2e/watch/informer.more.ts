import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { V1ConfigMap } from "@kubernetes/client-node";
import { parseAllDocuments } from "yaml";
import { inform } from "../../../cluster/api/informer.ts";
import { findApiTarget } from "../../../cluster/api/kubeconfig/kubeconfig.ts";
import { ensureCluster } from "../../../scaffold/sandbox/cluster/cluster.ts";
import { endProcesses, processesStartedFrom } from "../../../scaffold/sandbox/processes.ts";
import { clusterOf } from "../../../scaffold/sandbox/sandbox.ts";
import { until } from "../program/workloads.ts";
import { isReady } from "../support/cluster/apiClient.ts";
import { clusterTimeout } from "../support/cluster.ts";
import { lastLines } from "../support/lastLines.ts";
import { type TestSandbox, testSandbox } from "../support/sandbox.ts";

/** A process of the cluster, as kwokctl's own file has it. */
interface Component {
  readonly name: string;
  readonly binary: string;
  readonly args: readonly string[];
}

describe("an informer of a real API server", () => {
  let sandbox: TestSandbox;
  const stop = new AbortController();

  before(async function () {
    this.timeout(clusterTimeout);
    sandbox = await testSandbox();
  });
  after(async () => {
    stop.abort();
    // Other components end where the API server is away for too long, and other tests need them.
    const { signal } = new AbortController();
    await ensureCluster(clusterOf(sandbox.sandbox, sandbox.tools), signal);
  });

  const make = async (name: string) => {
    const metadata = { name, namespace: "default", labels: { "kubecamp.dev/stack": "informed" } };
    await sandbox.create({ apiVersion: "v1", kind: "ConfigMap", metadata });
  };

  it("keeps what it knows while the API server is dead, and then tells of what has changed behind its back", async () => {
    await ensureCluster(clusterOf(sandbox.sandbox, sandbox.tools), new AbortController().signal);
    for (const name of ["comes", "goes", "stays"]) {
      await sandbox.remove(`/api/v1/namespaces/default/configmaps/${name}`);
    }
    const reported: string[] = [];
    const trouble = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    let pausing = Promise.resolve();
    const target = findApiTarget(undefined, { env: { KUBECONFIG: sandbox.kubeconfig }, serviceAccount: "" });
    const { items, synced } = inform<V1ConfigMap>(
      () => target,
      {
        what: "the ConfigMaps",
        path: "/api/v1/configmaps",
        kind: "ConfigMap",
        labelSelector: "kubecamp.dev/stack=informed",
      },
      {
        change: (key, object, before) => {
          reported.push(`${key}: ${before === undefined ? "new" : object === undefined ? "gone" : "changed"}`);
        },
        trouble: ({ message }) => {
          reported.push("trouble");
          // No further try before the API server is there and other than it was, however long this test takes to get there.
          pausing = held.promise;
          assert.match(message, /^Can't (read|watch) the ConfigMaps from the API server https:\/\/127\.0\.0\.1:/);
          trouble.resolve();
        },
        well: () => reported.push("well"),
      },
      stop.signal,
      { pause: async () => await pausing },
    );
    await synced;
    await make("stays");
    await make("goes");
    await until(async () => reported.length === 2);

    const apiServer = await apiServerOf(sandbox);
    await endProcesses(processesStartedFrom(clusterFolder(sandbox)).filter(apiServer.isIt));
    await trouble.promise;
    assert.deepEqual([...items.keys()].sort(), ["default/goes", "default/stays"]);
    const restarted = await apiServer.start();
    await until(async () => {
      if (restarted.hasEnded) assert.fail(`the API server has ended again:\n${await lastLines(restarted.log)}`);
      return isReady(sandbox);
    });
    await sandbox.destroy("configmap", "goes");
    await make("comes");
    assert.deepEqual([...items.keys()].sort(), ["default/goes", "default/stays"]);
    held.resolve();
    await until(async () => reported.includes("well"));
    assert.deepEqual(reported, [
      "default/stays: new",
      "default/goes: new",
      "trouble",
      "default/goes: gone",
      "default/comes: new",
      "well",
    ]);
    await sandbox.destroy("configmap", "comes");
    await sandbox.destroy("configmap", "stays");
    await until(async () => items.size === 0);
  });
});

const clusterFolder = ({ sandbox, tools }: TestSandbox): string => {
  const { folder, name } = clusterOf(sandbox, tools);
  return join(folder, "clusters", name);
};

/** The cluster's own, to be started again as kwokctl started it. */
async function apiServerOf(sandbox: TestSandbox) {
  const documents = parseAllDocuments(await readFile(join(clusterFolder(sandbox), "kwok.yaml"), "utf8"));
  const components = documents.flatMap(
    (document) => (document.toJS() as { components?: Component[] }).components ?? [],
  );
  const found = components.find(({ name }) => name === "kube-apiserver");
  assert.ok(found);
  const pids = await readFile(join(clusterFolder(sandbox), "pids", "kube-apiserver.pid"), "utf8");
  return {
    isIt: (pid: number) => pid === Number(pids),
    // From the cluster's folder, so that whatever ends the cluster ends this too.
    start: async () => {
      const log = join(clusterFolder(sandbox), "logs", "kube-apiserver-again.log");
      const restarted = { log, hasEnded: false };
      // A file of its own, not through this process, which it outlives.
      const file = await open(log, "w");
      const server = spawn(found.binary, found.args, {
        stdio: ["ignore", file.fd, file.fd],
        detached: true,
        cwd: clusterFolder(sandbox),
      });
      server.unref();
      server.once("exit", () => {
        restarted.hasEnded = true;
      });
      await file.close();
      return restarted;
    },
  };
}
