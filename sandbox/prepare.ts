import { ensureCluster } from "./cluster/cluster.ts";
import { installStandIns, type PluginChoice } from "./plugins/plugins.ts";
import { clusterOf, forgetStacks, linkTools, type Sandbox, type SandboxRecord, writeRecord } from "./sandbox.ts";
import type { ToolPaths } from "./tools/catalogue.ts";

/** A sandbox whose cluster runs and whose Pulumi is ready for its first stack. Safe to repeat. */
export async function startSandbox(
  sandbox: Sandbox,
  tools: ToolPaths,
  choosePlugins: () => Promise<PluginChoice>,
  options: { readonly signal: AbortSignal; readonly apiserverArguments?: readonly string[] },
): Promise<SandboxRecord & { readonly cluster: "running" | "started" | "created" }> {
  const cluster = await ensureCluster(clusterOf(sandbox, tools, options.apiserverArguments), options.signal);
  if (cluster === "created") await forgetStacks(sandbox);
  await linkTools(sandbox, tools);
  const plugins = await choosePlugins();
  await installStandIns(sandbox, plugins);
  await writeRecord(sandbox, { tools, plugins });
  return { tools, plugins, cluster };
}
