import { rm } from "node:fs/promises";
import { Problem } from "../commands/common/problem.ts";
import { table } from "../commands/common/table.ts";
import { clusterVersion, isReady } from "./cluster/cluster.ts";
import { environmentOf, exportLines } from "./environment.ts";
import { defaultKubernetes, type KubernetesMinor, kubernetesMinors } from "./kubernetes.ts";
import { isPackage, shownPath } from "./paths.ts";
import { downloads } from "./plugins/official.ts";
import { pluginWords } from "./plugins/pluginChoice.ts";
import { s3Endpoint } from "./s3/s3Access.ts";
import { isAnswering } from "./s3/s3Server.ts";
import {
  aloneWith,
  clusterOf,
  clusterPlace,
  defaultSandbox,
  readRecord,
  removeSandbox,
  type Sandbox,
  s3Folder,
  sandboxNamed,
} from "./sandbox.ts";
import { toolCache } from "./tools/cache.ts";

interface UpOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly kubernetes: KubernetesMinor;
}

/**
 * Brings a sandbox up.
 * @param prefix of suggested commands, so that they use the same sandbox
 * @returns text to print at the end
 */
export type BringUp = (sandbox: Sandbox, options: UpOptions, prefix: string) => Promise<string>;

/**
 * Brings the sandbox up, and prints commands to try.
 * @param asked version of Kubernetes. Default: that of the cluster, or 1.36 for a new one
 */
export async function up(bringUp: BringUp, asked: KubernetesMinor | undefined, signal: AbortSignal): Promise<void> {
  const sandbox = chosen();
  const text = await aloneWith(sandbox, signal, waitingFor(sandbox), async () => {
    const kubernetes = kubernetesFor(sandbox, asked, await clusterVersion(clusterPlace(sandbox)));
    return await bringUp(sandbox, { environment: process.env, signal, kubernetes }, namePrefix(sandbox));
  });
  console.log(text);
}

/**
 * Version of Kubernetes to start.
 * @param existing that of the sandbox's cluster, such as `1.36.3`
 * @throws Problem if the cluster has another than was asked for
 */
export function kubernetesFor(
  sandbox: Sandbox,
  asked: KubernetesMinor | undefined,
  existing: string | undefined,
): KubernetesMinor {
  if (asked !== undefined && existing !== undefined && !existing.startsWith(`${asked}.`)) {
    throw new Problem(`The sandbox '${sandbox.name}' has Kubernetes ${existing}, not ${asked}.`, {
      why: "A cluster keeps the version with which it was made.",
      remedy:
        `Set KUBECAMP_SANDBOX to another name for a sandbox beside it. Or run '${namePrefix(sandbox)}kubecamp sandbox down', ` +
        "which removes all that is in it, and then the same command again.",
    });
  }
  return asked ?? kubernetesMinors.find((minor) => existing?.startsWith(`${minor}.`)) ?? defaultKubernetes;
}

/** Removes the sandbox, and with `tools` also the tools and plugins that all sandboxes share. */
export async function down(tools: boolean, signal: AbortSignal): Promise<void> {
  const sandbox = chosen();
  const existed = await aloneWith(sandbox, signal, waitingFor(sandbox), () => removeSandbox(sandbox));
  console.log(existed ? `Sandbox '${sandbox.name}' removed.` : `There was no sandbox '${sandbox.name}'.`);
  if (existed) {
    console.log("A shell that has taken its environment still points at it: open a new one.");
  }
  if (tools) {
    for (const folder of [toolCache, downloads]) {
      await rm(folder, { recursive: true, force: true });
    }
    console.log(`Tools and plugins removed${isPackage ? "." : "; Go keeps what it compiled in its own cache."}`);
  } else if (existed) {
    console.log("Tools and plugins stay for the next one; with --tools, this command removes them, too.");
  }
}

/** Prints shell commands that point a shell at the sandbox. */
export async function env(): Promise<void> {
  const sandbox = chosen();
  const record = await readRecord(sandbox);
  if (record === undefined) {
    // For `eval`, so that it fails: the shell would otherwise stay on its former cluster.
    console.log("false");
    throw notUp(sandbox);
  }
  const endpoint = await s3Endpoint(s3Folder(sandbox));
  // AWS's own tools read this variable.
  const s3 = endpoint === undefined ? {} : { AWS_ENDPOINT_URL_S3: endpoint };
  console.log(exportLines({ ...environmentOf(sandbox, record.plugins), ...s3 }));
}

/** Prints what the sandbox consists of, and which of it runs. The exit code is 1 unless all does. */
export async function status(): Promise<void> {
  const sandbox = chosen();
  const record = await readRecord(sandbox);
  if (record === undefined) {
    console.log(`Sandbox '${sandbox.name}' is not up. To start it: ${startOf(sandbox)}`);
    process.exitCode = 1;
    return;
  }
  const cluster = clusterOf(sandbox, record.tools);
  const s3 = { folder: s3Folder(sandbox), versitygw: record.tools.versitygw };
  const running = { cluster: await isReady(cluster), s3: await isAnswering(s3) };
  const words = (runs: boolean) => (runs ? "runs" : "stopped");
  const rows = [
    ["cluster", words(running.cluster), shownPath(sandbox.kubeconfig)],
    ["S3 server", words(running.s3), (await s3Endpoint(s3.folder)) ?? ""],
    ["plugins", "", pluginWords(record.plugins)],
  ];
  console.log(`Sandbox '${sandbox.name}' in ${shownPath(sandbox.folder)}\n${table(rows)}`);
  if (running.cluster && running.s3) {
    return;
  }
  // They end with the machine.
  console.log(`To start what has stopped, with all that was in it: ${startOf(sandbox)}`);
  process.exitCode = 1;
}

function notUp(sandbox: Sandbox): Problem {
  return new Problem(`The sandbox '${sandbox.name}' is not up.`, {
    why: `There is no whole sandbox in ${sandbox.folder}.`,
    remedy: `Run '${startOf(sandbox)}' first.`,
  });
}

function waitingFor({ name }: Sandbox): (pid: number, file: string) => void {
  return (pid, file) =>
    console.error(
      `Waiting for process ${pid}, which is at work on the sandbox '${name}'. If that is another program, delete ${file}.`,
    );
}

/** Prefix of suggested commands, so that they use the same sandbox. */
function namePrefix({ name }: Sandbox): string {
  return name === defaultSandbox ? "" : `KUBECAMP_SANDBOX=${name} `;
}

/** The command that starts a sandbox. */
const startOf = (sandbox: Sandbox) => `${namePrefix(sandbox)}kubecamp sandbox up`;

function chosen(): Sandbox {
  return sandboxNamed(process.env.KUBECAMP_SANDBOX || undefined);
}
