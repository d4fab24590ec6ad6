import { ensureCluster } from "./cluster/cluster.ts";
import { choosePlugins, installStandIns } from "./plugins/plugins.ts";
import { clusterOf, forgetStacks, linkTools, type Sandbox, type SandboxRecord, writeRecord } from "./sandbox.ts";
import type { ToolPaths } from "./tools/catalogue.ts";

interface StartOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly apiserverArguments?: readonly string[];
}

/** Starts a sandbox's cluster and prepares Pulumi for its first stack. Safe to repeat. */
export async function startSandbox(
  sandbox: Sandbox,
  tools: ToolPaths,
  options: StartOptions,
): Promise<SandboxRecord & { readonly cluster: "running" | "started" | "created" }> {
  // In parallel, since the search for the official plugin may wait for the network.
  const [cluster, plugins] = await Promise.all([
    ensureCluster(clusterOf(sandbox, tools, options.apiserverArguments), options.signal),
    choosePlugins(sandbox, { ...options, pulumi: tools.pulumi }),
  ]);
  if (cluster === "created") await forgetStacks(sandbox);
  await linkTools(sandbox, tools, options.environment);
  await installStandIns(sandbox, plugins);
  await writeRecord(sandbox, { tools, plugins });
  return { tools, plugins, cluster };
}
