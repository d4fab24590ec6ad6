import { ensureCluster } from "./cluster/cluster.ts";
import type { PluginSearch } from "./plugins/official.ts";
import type { PluginChoice } from "./plugins/pluginChoice.ts";
import { clusterOf, forgetStacks, linkTools, type Sandbox, type SandboxRecord, writeRecord } from "./sandbox.ts";
import type { ToolPaths } from "./tools/catalogue.ts";

export interface StartOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly apiserverArguments?: readonly string[];
}

/** How a sandbox gets Pulumi's plugins. */
export interface Plugins {
  /** Searches for the official ones. @throws Problem where nothing can stand in */
  readonly choose: (sandbox: Sandbox, search: PluginSearch) => Promise<PluginChoice>;
  /** Puts stand-ins where the choice has them. */
  readonly install: (sandbox: Sandbox, choice: PluginChoice) => Promise<void>;
}

/** Starts a sandbox's cluster and prepares Pulumi for its first stack. Safe to repeat. */
export async function startWith(
  plugins: Plugins,
  sandbox: Sandbox,
  tools: ToolPaths,
  options: StartOptions,
): Promise<SandboxRecord & { readonly cluster: "running" | "started" | "created" }> {
  // In parallel, since the search for the official plugin may wait for the network.
  const both = [
    ensureCluster(clusterOf(sandbox, tools, options.apiserverArguments), options.signal),
    plugins.choose(sandbox, { ...options, pulumi: tools.pulumi }),
  ] as const;
  // Where one fails, the other must have ended too.
  await Promise.allSettled(both);
  const [cluster, choice] = await Promise.all(both);
  if (cluster === "created") {
    await forgetStacks(sandbox);
  }
  await linkTools(sandbox, tools, options.environment);
  await plugins.install(sandbox, choice);
  await writeRecord(sandbox, { tools, plugins: choice });
  return { tools, plugins: choice, cluster };
}
