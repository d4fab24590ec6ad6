import { delimiter, join } from "node:path";
import { packageBinaries } from "./paths.ts";
import type { PluginChoice } from "./plugins/pluginChoice.ts";
import type { Sandbox } from "./sandbox.ts";
import { toolCache } from "./tools/cache.ts";

/** What a process needs so that plain `pulumi` and `kubectl` work on the sandbox and on nothing else. */
export function environmentOf(
  sandbox: Sandbox,
  plugins: PluginChoice,
  callersPath: string = process.env.PATH ?? "",
): Record<string, string> {
  const standIns = plugins.kubernetes === "stand-in" || plugins.languageHost === "stand-in";
  return {
    // Node 24 comes with the project's packages, so those go before the caller's.
    PATH: uniquePath([sandbox.bin, packageBinaries, ...callersPath.split(delimiter)]),
    KUBECONFIG: sandbox.kubeconfig,
    // kubectl remembers for hours, by port, which kinds a cluster has: an earlier cluster's must not count, nor be left at home.
    KUBECACHEDIR: join(sandbox.folder, "kubectl-cache"),
    // So that 'npm run sandbox:down' in the same shell means the same sandbox.
    KUBECAMP_SANDBOX: sandbox.name,
    PULUMI_HOME: sandbox.pulumiHome,
    // Beside each file Pulumi writes another with its checksum, which nothing needs and which is not replaced in one go: a run
    // that is killed meanwhile leaves it empty, and the stack can't be read any more ("failed to load checkpoint: EOF").
    // https://pkg.go.dev/gocloud.dev/blob/fileblob#hdr-URLs
    PULUMI_BACKEND_URL: `file://${sandbox.pulumiState}?metadata=skip`,
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_SKIP_UPDATE_CHECK: "1",
    // Each command starts Node twice, for the program and for a stand-in; reading their packages is most of that.
    NODE_COMPILE_CACHE: join(toolCache, "compiled"),
    // A stand-in is used whatever its version; looking for the official one on the network would only take time.
    ...(standIns ? { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" } : {}),
  };
}

/** Lines for `eval` in any POSIX shell. */
export function exportLines(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'`)
    .join("\n");
}

/** Taking the environment twice must not make the PATH grow. */
function uniquePath(folders: readonly string[]): string {
  return [...new Set(folders.filter((folder) => folder !== ""))].join(delimiter);
}
