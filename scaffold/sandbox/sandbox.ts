import { existsSync } from "node:fs";
import { link, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "../../commands/common/problem.ts";
import { deleteCluster } from "./cluster/cluster.ts";
import type { ClusterSpec } from "./cluster/clusterSpec.ts";
import { withLock } from "./lock.ts";
import { ownPath, repository, sandboxes } from "./paths.ts";
import type { PluginChoice } from "./plugins/pluginChoice.ts";
import { endProcesses, processesStartedFrom } from "./processes.ts";
import { removeS3 } from "./s3/s3Server.ts";
import type { ToolPaths } from "./tools/catalogue.ts";
import { findExecutable } from "./tools/executables.ts";

/** A local cluster with a Pulumi of its own. Any number live side by side, each in a folder of its own. */
export interface Sandbox {
  readonly name: string;
  readonly folder: string;
  readonly kubeconfig: string;
  /** First on the PATH: links to the tools in use, and the stand-ins where they are needed. */
  readonly bin: string;
  readonly pulumiHome: string;
  readonly pulumiState: string;
}

/** What was found and chosen when the sandbox came up; written last, so that its being there means that it is whole. */
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
    name: `kubecamp-${sandbox.name}`,
    folder: join(sandbox.folder, "cluster"),
    kubeconfig: sandbox.kubeconfig,
    tools,
    apiserverArguments,
  };
}

export function s3Folder(sandbox: Sandbox): string {
  return join(sandbox.folder, "s3");
}

/** The tools that a person calls by name; the others are the sandbox's business. */
export async function linkTools(sandbox: Sandbox, tools: ToolPaths, environment: NodeJS.ProcessEnv): Promise<void> {
  await rm(sandbox.bin, { recursive: true, force: true });
  await mkdir(sandbox.bin, { recursive: true });
  for (const name of ["kubectl", "kwokctl"] as const) await symlink(tools[name], join(sandbox.bin, name));
  // Messages name it as the way out.
  await symlink(join(repository, "bin", "kubecamp.mjs"), join(sandbox.bin, "kubecamp"));
  // Pulumi looks for its language host beside its own file, and warns of one elsewhere: a hard link of ours can have it there.
  // One of the person's own has its own beside it.
  const pulumi = join(sandbox.bin, "pulumi");
  if (!tools.pulumi.startsWith(sandboxes)) return await symlink(tools.pulumi, pulumi);
  await link(tools.pulumi, pulumi);
  const host = "pulumi-language-nodejs";
  const theirs = findExecutable(host, ownPath(environment));
  if (theirs !== undefined) await symlink(theirs, join(sandbox.bin, host));
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

/** Pulumi's memory of a cluster that is gone would only mislead it, and its buckets would be in the way of the next one's. */
export async function forgetStacks(sandbox: Sandbox): Promise<void> {
  await rm(sandbox.pulumiState, { recursive: true, force: true });
  await mkdir(sandbox.pulumiState, { recursive: true });
  await removeS3({ folder: s3Folder(sandbox) });
}

/** Removes the sandbox, however much of it there is. Tells whether there was one. */
export async function removeSandbox(sandbox: Sandbox): Promise<boolean> {
  const existed = existsSync(sandbox.folder);
  await rm(recordFile(sandbox), { force: true });
  await deleteCluster({ name: `kubecamp-${sandbox.name}`, folder: join(sandbox.folder, "cluster") });
  await removeS3({ folder: s3Folder(sandbox) });
  // A pulumi that was killed outright leaves its plugins behind, which wait for it for ever.
  await endProcesses(processesStartedFrom(sandbox.folder));
  await rm(sandbox.folder, { recursive: true, force: true });
  return existed;
}

/**
 * Only one command at a time may bring a sandbox up or down: another would take what is half-made for broken, and remove it.
 * The lock lies beside the folder, which goes with the sandbox. `onWait` is told which process has it.
 */
export function aloneWith<T>(
  sandbox: Sandbox,
  signal: AbortSignal,
  onWait: (pid: number) => void,
  work: () => Promise<T>,
): Promise<T> {
  return withLock(`${sandbox.folder}.lock`, signal, onWait, work);
}

function recordFile(sandbox: Sandbox): string {
  return join(sandbox.folder, "sandbox.json");
}
