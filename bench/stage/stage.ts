import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CommandContext, runCommand } from "../../sandbox/journey/commands.ts";
import { ensureNamespace } from "../../sandbox/journey/example.ts";
import type { PluginChoice } from "../../sandbox/plugins/pluginChoice.ts";
import { startSandbox } from "../../sandbox/prepare.ts";
import { removeSandbox, type Sandbox } from "../../sandbox/sandbox.ts";
import type { ToolPaths } from "../../sandbox/tools/catalogue.ts";
import { type Cost, measured } from "../measure/measured.ts";
import { quiet } from "../measure/quiet.ts";
import { type Distance, distanceTo } from "./distance.ts";
import { measuredEnvironment } from "./environment.ts";
import { list } from "./objects.ts";

/** Kubernetes' default range has only 254 addresses for Services. */
const apiserverArguments = ["service-cluster-ip-range=10.96.0.0/12"];

/** A fresh cluster with a project folder. */
export interface Stage {
  readonly sandbox: Sandbox;
  readonly plugins: PluginChoice;
  readonly context: CommandContext;
  /** Runs a command and measures its cost. */
  readonly measured: (program: string, args: readonly string[]) => Promise<Cost>;
  /** Runs a command unmeasured and returns its output. */
  readonly run: (program: string, args: readonly string[]) => Promise<string>;
  /** Waits until the cluster is at rest. */
  readonly rest: () => Promise<void>;
  /** Creates objects, unmeasured. */
  readonly make: (objects: readonly object[]) => Promise<void>;
}

export interface ClusterOptions {
  readonly tools: ToolPaths;
  readonly signal: AbortSignal;
  /** Milliseconds added to each request. Default: 0. */
  readonly roundTrip?: number;
}

/** Runs some work on a fresh cluster, and removes the cluster afterwards. */
export async function onFreshCluster<T>(
  sandbox: Sandbox,
  options: ClusterOptions,
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  let distance: Distance | undefined;
  try {
    const { tools, signal, roundTrip = 0 } = options;
    const { plugins } = await startSandbox(sandbox, tools, { environment: process.env, signal, apiserverArguments });
    distance = roundTrip > 0 ? await distanceTo(sandbox.kubeconfig, roundTrip) : undefined;
    return await work(await opened(sandbox, plugins, signal, distance?.kubeconfig ?? sandbox.kubeconfig));
  } finally {
    await distance?.end();
    await removeSandbox(sandbox);
  }
}

async function opened(
  sandbox: Sandbox,
  plugins: PluginChoice,
  signal: AbortSignal,
  kubeconfig: string,
): Promise<Stage> {
  const cwd = join(sandbox.folder, "project");
  await mkdir(cwd, { recursive: true });
  const env = { ...measuredEnvironment(sandbox, plugins, process.env), KUBECONFIG: kubeconfig };
  const context = { env, cwd, signal };
  await ensureNamespace("ingress-nginx", context);
  return {
    sandbox,
    plugins,
    context,
    measured: (program, args) => measured({ program, args, cwd, env }, signal),
    run: (program, args) => runCommand(context, program, args),
    rest: () => quiet(join(sandbox.folder, "cluster"), signal),
    make: async (objects) => {
      const file = join(cwd, "made.json");
      await writeFile(file, JSON.stringify(list(objects as Record<string, unknown>[])));
      await runCommand(context, "kubectl", ["create", "-f", file, "--output=name"]);
    },
  };
}
