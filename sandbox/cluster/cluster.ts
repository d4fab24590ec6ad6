import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { parseAllDocuments } from "yaml";
import { onFreePorts } from "../portTaken.ts";
import { endProcesses, processesStartedFrom } from "../processes.ts";
import { clusterProblem, SlowStart } from "./clusterProblem.ts";
import type { ClusterSpec } from "./clusterSpec.ts";
import { runKwokctl } from "./kwokctl.ts";
import { freePorts } from "./ports.ts";

const components = 5;
const nodes = 2;

/**
 * The controller manager's default of 20 requests a second spares the API server; here, it would only slow deletions.
 * @see https://kubernetes.io/docs/reference/command-line-tools-reference/kube-controller-manager/
 */
const unthrottled = ["kube-controller-manager=kube-api-qps=1000", "kube-controller-manager=kube-api-burst=1000"];

/** There is one of each: to elect it would be a write every second, a fifth of what a cluster does when nobody uses it. */
const unelected = ["kube-controller-manager=leader-elect=false", "kube-scheduler=leader-elect=false"];

/**
 * Nothing is lost where etcd is killed. A machine that loses its power may leave files with which etcd does not start, and
 * the sandbox has to be made anew.
 * @see https://etcd.io/docs/v3.6/op-guide/configuration/
 */
const unsynced = ["etcd=unsafe-no-fsync=true"];

/** Makes sure that the cluster runs, and returns how: it ran, was started again, or was created (then it is empty). */
export async function ensureCluster(
  spec: ClusterSpec,
  signal: AbortSignal,
): Promise<"running" | "started" | "created"> {
  if (await isReady(spec)) {
    return "running";
  }
  try {
    if (existsSync(finishedMark(spec))) {
      await startCluster(spec, signal);
      return "started";
    }
    await onFreePorts(() => createCluster(spec, signal));
    return "created";
  } catch (error) {
    await stopCluster(spec);
    throw error;
  }
}

/** Ends the cluster's processes, no others, and removes its folder. Works on a partial cluster too. */
export async function deleteCluster(spec: Pick<ClusterSpec, "name" | "folder">): Promise<void> {
  await stopCluster(spec);
  await rm(spec.folder, { recursive: true, force: true });
}

/**
 * Ends only processes started from the cluster's own folder. It kills them at once: the API server takes a minute to shut
 * down, and etcd doesn't lose acknowledged writes.
 */
async function stopCluster(spec: Pick<ClusterSpec, "name" | "folder">): Promise<void> {
  await endProcesses(processesStartedFrom(binaries(spec)));
  await rm(join(clusterFolder(spec), "pids"), { recursive: true, force: true });
}

/** Whether all of it runs, and its API server answers. */
export async function isReady(spec: ClusterSpec): Promise<boolean> {
  if (processesStartedFrom(binaries(spec)).length < components) {
    return false;
  }
  const answer = await execa(
    spec.tools.kubectl,
    ["--kubeconfig", spec.kubeconfig, "--request-timeout=5s", "get", "--raw", "/readyz"],
    { reject: false },
  );
  return answer.exitCode === 0 && existsSync(finishedMark(spec));
}

/** The part of kwokctl's file, of several documents, that tells of the programs. */
interface KwokctlConfiguration {
  readonly components?: readonly { readonly name: string; readonly version: string }[];
}

/** Version of a cluster's API server, such as `1.36.3`, as kwokctl noted it; undefined if there is no complete cluster. */
export async function clusterVersion(spec: Pick<ClusterSpec, "name" | "folder">): Promise<string | undefined> {
  if (!existsSync(finishedMark(spec))) {
    return undefined;
  }
  const text = await readFile(join(clusterFolder(spec), "kwok.yaml"), "utf8");
  const documents = parseAllDocuments(text).map((document) => document.toJS() as KwokctlConfiguration);
  const components = documents.flatMap(({ components = [] }) => components);
  return components.find(({ name }) => name === "kube-apiserver")?.version;
}

async function startCluster(spec: ClusterSpec, signal: AbortSignal): Promise<void> {
  await patiently(async () => {
    await startComponents(spec, signal);
    if (!(await isReady(spec))) {
      throw await clusterProblem(spec, "The cluster does not start again.");
    }
  });
}

async function startComponents(spec: ClusterSpec, signal: AbortSignal): Promise<void> {
  // Some of its processes may be alive without the others, and kwokctl waits minutes for those listed in its pid files.
  await stopCluster(spec);
  // Logs are appended to, and errors of an earlier start must not explain this one.
  await rm(join(clusterFolder(spec), "logs"), { recursive: true, force: true });
  for (const folder of ["logs", "pids"]) {
    await mkdir(join(clusterFolder(spec), folder), { recursive: true });
  }
  await runKwokctl(spec, ["start", "cluster", "--wait", "60s"], signal);
}

/** What made the API server slow has often passed, and what it wrote at its first start is there already. */
async function patiently(start: () => Promise<void>, startAgain = start): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (!(error instanceof SlowStart)) {
      throw error;
    }
    await startAgain();
  }
}

async function createCluster(spec: ClusterSpec, signal: AbortSignal): Promise<void> {
  // An interrupted run may have left a partial cluster.
  await deleteCluster(spec);
  await mkdir(spec.folder, { recursive: true });
  const apiserver = (spec.apiserverArguments ?? []).map((each) => `kube-apiserver=${each}`);
  const extra = [...apiserver, ...unthrottled, ...unelected, ...unsynced].flatMap((each) => ["--extra-args", each]);
  const create = [
    "create",
    "cluster",
    "--runtime",
    "binary",
    "--kubeconfig",
    spec.kubeconfig,
    "--wait",
    "60s",
    ...extra,
  ];
  const ports = await freePorts();
  await patiently(
    async () => {
      await runKwokctl(spec, create, signal, ports);
      await addNodes(spec, signal);
    },
    async () => {
      await startComponents(spec, signal);
      await addNodes(spec, signal);
    },
  );
  await writeFile(finishedMark(spec), "");
}

async function addNodes(spec: ClusterSpec, signal: AbortSignal): Promise<void> {
  await runKwokctl(spec, ["scale", "node", "--replicas", String(nodes)], signal);
  if (processesStartedFrom(binaries(spec)).length < components) {
    throw await clusterProblem(spec, "The cluster does not start.");
  }
}

function finishedMark(spec: Pick<ClusterSpec, "folder">): string {
  return join(spec.folder, "complete");
}

function clusterFolder(spec: Pick<ClusterSpec, "name" | "folder">): string {
  return join(spec.folder, "clusters", spec.name);
}

function binaries(spec: Pick<ClusterSpec, "name" | "folder">): string {
  return join(clusterFolder(spec), "bin");
}
