import { existsSync } from "node:fs";
import { link, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { Problem } from "../commands/common/problem.ts";
import { deleteCluster } from "./cluster/cluster.ts";
import type { ClusterSpec } from "./cluster/clusterSpec.ts";
import { withLock } from "./lock.ts";
import { ownPath, repository, sandboxes } from "./paths.ts";
import type { PluginChoice } from "./plugins/pluginChoice.ts";
import { endProcesses, processesStartedFrom } from "./processes.ts";
import { removeS3 } from "./s3/s3Server.ts";
import type { ToolPaths } from "./tools/catalogue.ts";
import { findExecutable } from "./tools/executables.ts";

/** A local cluster with a Pulumi of its own. Any number can exist side by side, each in its own folder. */
export interface Sandbox {
  readonly name: string;
  readonly folder: string;
  readonly kubeconfig: string;
  /** First on the PATH: links to the tools in use, and stand-ins where necessary. */
  readonly bin: string;
  readonly pulumiHome: string;
  readonly pulumiState: string;
}

/** Tools and plugins of a sandbox; written last, so that its existence means a complete sandbox. */
export interface SandboxRecord {
  readonly tools: ToolPaths;
  readonly plugins: PluginChoice;
}

export const defaultSandbox = "dev";

export function sandboxNamed(name: string = defaultSandbox): Sandbox {
  if (!/^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/.test(name) || name === "tools" || name === "plugins") {
    throw new Problem(`'${name}' is no name for a sandbox.`, {
      why: "It names a folder and a cluster: up to 32 of a-z, 0-9 and '-', and 'tools' and 'plugins' are taken.",
      remedy: "Set KUBECAMP_SANDBOX to something like 'dev' or 'try-2', or unset it.",
    });
  }
  const folder = join(sandboxes, name);
  return {
    name,
    folder,
    kubeconfig: join(folder, "kubeconfig"),
    bin: join(folder, "bin"),
    pulumiHome: join(folder, "pulumi-home"),
    pulumiState: join(folder, "pulumi-state"),
  };
}

export function clusterOf(sandbox: Sandbox, tools: ToolPaths, apiserverArguments: readonly string[] = []): ClusterSpec {
  return {
    ...clusterPlace(sandbox),
    kubeconfig: sandbox.kubeconfig,
    tools,
    apiserverArguments,
  };
}

export function clusterPlace(sandbox: Sandbox): Pick<ClusterSpec, "name" | "folder"> {
  return { name: `kubecamp-${sandbox.name}`, folder: join(sandbox.folder, "cluster") };
}

export function s3Folder(sandbox: Sandbox): string {
  return join(sandbox.folder, "s3");
}

/** As the package's bins. */
const ownCommands = {
  kubecamp: "bin/kubecamp.mjs",
  "kubectl-camp": "bin/kubecamp.mjs",
  "kubectl_complete-camp": "bin/kubectl_complete-camp.mjs",
} as const;

/** Links the tools that a user calls by name; the sandbox calls the others itself. */
export async function linkTools(sandbox: Sandbox, tools: ToolPaths, environment: NodeJS.ProcessEnv): Promise<void> {
  await rm(sandbox.bin, { recursive: true, force: true });
  await mkdir(sandbox.bin, { recursive: true });
  for (const name of ["kubectl", "kwokctl"] as const) {
    await symlink(tools[name], join(sandbox.bin, name));
  }
  // Messages suggest commands of kubecamp.
  for (const [name, file] of Object.entries(ownCommands)) {
    await symlink(join(repository, file), join(sandbox.bin, name));
  }
  // Pulumi searches for its language host beside its own file, and warns if it is elsewhere: for our own, a hard link
  // here lets the host lie beside it. A pulumi of the user's has its host beside it already.
  const pulumi = join(sandbox.bin, "pulumi");
  if (!tools.pulumi.startsWith(sandboxes)) {
    return await symlink(tools.pulumi, pulumi);
  }
  await link(tools.pulumi, pulumi);
  const host = "pulumi-language-nodejs";
  const official = findExecutable(host, [dirname(tools.pulumi), ownPath(environment)].join(delimiter));
  if (official !== undefined) {
    await symlink(official, join(sandbox.bin, host));
  }
}

export async function readRecord(sandbox: Sandbox): Promise<SandboxRecord | undefined> {
  const file = recordFile(sandbox);
  return existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as SandboxRecord) : undefined;
}

export async function writeRecord(sandbox: Sandbox, record: SandboxRecord): Promise<void> {
  const partial = `${recordFile(sandbox)}.partial`;
  await writeFile(partial, JSON.stringify(record, undefined, 2));
  await rename(partial, recordFile(sandbox));
}

/** A deleted cluster's state would mislead Pulumi, and its buckets would conflict with the next one's. */
export async function forgetStacks(sandbox: Sandbox): Promise<void> {
  await rm(sandbox.pulumiState, { recursive: true, force: true });
  await mkdir(sandbox.pulumiState, { recursive: true });
  await removeS3({ folder: s3Folder(sandbox) });
}

/** Removes the sandbox, even a partial one. Returns whether there was one. */
export async function removeSandbox(sandbox: Sandbox): Promise<boolean> {
  const existed = existsSync(sandbox.folder);
  await rm(recordFile(sandbox), { force: true });
  await deleteCluster(clusterPlace(sandbox));
  await removeS3({ folder: s3Folder(sandbox) });
  // A killed pulumi leaves its plugins running for ever.
  await endProcesses(processesStartedFrom(sandbox.folder));
  await rm(sandbox.folder, { recursive: true, force: true });
  return existed;
}

/**
 * Lets one command at a time bring a sandbox up or down: another would take a half-made one for broken and remove it. The
 * lock lies beside the folder, since the folder is removed with the sandbox.
 * @param onWait called with the id of the process that holds the lock, and its file
 */
export async function aloneWith<T>(
  sandbox: Sandbox,
  signal: AbortSignal,
  onWait: (pid: number, file: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  // For nobody else: it has an administrator's kubeconfig, and programs that are run.
  await mkdir(dirname(sandbox.folder), { recursive: true, mode: 0o700 });
  return await withLock(`${sandbox.folder}.lock`, signal, onWait, work);
}

function recordFile(sandbox: Sandbox): string {
  return join(sandbox.folder, "sandbox.json");
}
