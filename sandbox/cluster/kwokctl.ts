import { existsSync, readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { Interrupted } from "../../commands/common/problem.ts";
import { isAlive } from "../processes.ts";
import type { ToolPaths } from "../tools/catalogue.ts";
import { clusterProblem } from "./clusterProblem.ts";
import type { ClusterSpec } from "./clusterSpec.ts";
import type { Ports } from "./ports.ts";

/** By default, every component listens on all of the machine's addresses. */
const onLoopback = { bindAddress: "127.0.0.1" };

/**
 * Seconds; for five times as long, a node stays with the process that played its kubelet. A restarted kwok counts as another
 * process and starts no pods until then. kwokctl's default makes that 200 seconds.
 */
const nodeLeaseDurationSeconds = 4;

/** Milliseconds to wait for a component that has ended; kwokctl waits three minutes. */
const patienceWithTheDead = 3000;

/**
 * Runs kwokctl on one cluster. It gets the paths of all binaries: it would download any that is not given.
 * @param ports ports for a new cluster; for an existing one kwokctl knows them
 * @see https://kwok.sigs.k8s.io/docs/user/configuration/
 */
export async function runKwokctl(
  spec: ClusterSpec,
  args: readonly string[],
  signal: AbortSignal,
  ports: Partial<Ports> = {},
): Promise<void> {
  const file = join(spec.folder, "kwokctl.yaml");
  const options = { ...onLoopback, nodeLeaseDurationSeconds, ...ports };
  // JSON is valid YAML.
  await writeFile(
    file,
    JSON.stringify({ apiVersion: "config.kwok.x-k8s.io/v1alpha1", kind: "KwokctlConfiguration", options }),
  );
  const dead = new AbortController();
  const watch = watchComponents(join(spec.folder, "clusters", spec.name, "pids"), () => dead.abort());
  const result = await execa(spec.tools.kwokctl, ["--name", spec.name, "--config", file, ...args], {
    env: kwokEnvironment(spec.folder, spec.tools),
    stdin: "ignore",
    reject: false,
    cancelSignal: AbortSignal.any([signal, dead.signal]),
    timeout: 120_000,
  });
  clearInterval(watch);
  if (signal.aborted || result.signal === "SIGINT") {
    throw new Interrupted();
  }
  if (result.exitCode !== 0) {
    throw await clusterProblem(spec, `kwokctl ${args.slice(0, 2).join(" ")} failed.`, result);
  }
}

/** Calls `onDeath` when a process that kwokctl started stays dead. */
function watchComponents(pidFolder: string, onDeath: () => void): NodeJS.Timeout {
  let lastWell = Date.now();
  return setInterval(() => {
    if (runningPids(pidFolder).every(isAlive)) {
      lastWell = Date.now();
    } else if (Date.now() - lastWell > patienceWithTheDead) {
      onDeath();
    }
  }, 250);
}

function runningPids(folder: string): number[] {
  if (!existsSync(folder)) {
    return [];
  }
  return readdirSync(folder).map((file) => Number(readFileSync(join(folder, file), "utf8")));
}

function kwokEnvironment(folder: string, tools: ToolPaths): Record<string, string> {
  return {
    KWOK_WORKDIR: folder,
    KWOK_ETCD_BINARY: tools.etcd,
    KWOK_KUBE_APISERVER_BINARY: tools["kube-apiserver"],
    KWOK_KUBE_CONTROLLER_MANAGER_BINARY: tools["kube-controller-manager"],
    KWOK_KUBE_SCHEDULER_BINARY: tools["kube-scheduler"],
    KWOK_CONTROLLER_BINARY: tools.kwok,
    KWOK_KUBECTL_BINARY: tools.kubectl,
  };
}
