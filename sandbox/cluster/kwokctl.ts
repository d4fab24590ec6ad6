import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { Interrupted } from "../problem.ts";
import { catalogue, type ToolPaths } from "../tools/catalogue.ts";
import type { ClusterSpec } from "./cluster.ts";
import { clusterProblem } from "./clusterProblem.ts";

/** Without it, every component listens on all of the machine's addresses. */
const configuration = `apiVersion: config.kwok.x-k8s.io/v1alpha1
kind: KwokctlConfiguration
options:
  bindAddress: 127.0.0.1
`;

/** Runs kwokctl on one cluster. All binaries are given: it would download each that it isn't told of. */
export async function runKwokctl(spec: ClusterSpec, args: readonly string[], signal: AbortSignal): Promise<void> {
  const file = join(spec.folder, "kwokctl.yaml");
  await writeFile(file, configuration);
  const result = await execa(spec.tools.kwokctl, ["--name", spec.name, "--config", file, ...args], {
    env: kwokEnvironment(spec.folder, spec.tools),
    stdin: "ignore",
    reject: false,
    cancelSignal: signal,
    // Well above what a slow machine takes, and below the patience of a person.
    timeout: 150_000,
  });
  if (signal.aborted || result.signal === "SIGINT") throw new Interrupted();
  if (result.exitCode !== 0) throw await clusterProblem(spec, `kwokctl ${args.slice(0, 2).join(" ")} failed.`, result);
}

function kwokEnvironment(folder: string, tools: ToolPaths): Record<string, string> {
  const kubernetes = catalogue.find((tool) => tool.name === "kube-apiserver");
  return {
    KWOK_WORKDIR: folder,
    KWOK_KUBE_VERSION: `v${kubernetes?.version}`,
    KWOK_ETCD_BINARY: tools.etcd,
    KWOK_KUBE_APISERVER_BINARY: tools["kube-apiserver"],
    KWOK_KUBE_CONTROLLER_MANAGER_BINARY: tools["kube-controller-manager"],
    KWOK_KUBE_SCHEDULER_BINARY: tools["kube-scheduler"],
    KWOK_CONTROLLER_BINARY: tools.kwok,
    KWOK_KUBECTL_BINARY: tools.kubectl,
  };
}
