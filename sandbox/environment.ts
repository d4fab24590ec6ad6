import { delimiter, join } from "node:path";
import { isPackage, packageBinaries } from "./paths.ts";
import type { PluginChoice } from "./plugins/pluginChoice.ts";
import type { Sandbox } from "./sandbox.ts";
import { toolCache } from "./tools/cache.ts";

/** Variables that make plain `pulumi` and `kubectl` work on the sandbox and nothing else. */
export function environmentOf(
  sandbox: Sandbox,
  plugins: PluginChoice,
  callersPath: string = process.env.PATH ?? "",
): Record<string, string> {
  const standIns = plugins.kubernetes === "stand-in" || plugins.languageHost === "stand-in";
  return {
    // A clone's packages include Node 24, so that they come before the caller's PATH.
    PATH: uniquePath([sandbox.bin, ...(isPackage ? [] : [packageBinaries]), ...callersPath.split(delimiter)]),
    KUBECONFIG: sandbox.kubeconfig,
    // kubectl caches a cluster's kinds for hours, by port: an earlier cluster's must not count, nor stay in the home folder.
    KUBECACHEDIR: join(sandbox.folder, "kubectl-cache"),
    // `kubecamp sandbox down` in the same shell then removes this sandbox.
    KUBECAMP_SANDBOX: sandbox.name,
    PULUMI_HOME: sandbox.pulumiHome,
    // By default, Pulumi writes a second file with attributes and a checksum beside each state file. Nothing needs it, and
    // its write is not atomic: a killed run leaves it empty, and then the stack can't be read ("failed to load checkpoint:
    // EOF").
    // https://pkg.go.dev/gocloud.dev/blob/fileblob#hdr-URLs
    PULUMI_BACKEND_URL: `file://${sandbox.pulumiState}?metadata=skip`,
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_SKIP_UPDATE_CHECK: "1",
    // Each command starts Node twice, for the program and a stand-in, and loading their packages takes most of that time.
    NODE_COMPILE_CACHE: join(toolCache, "compiled"),
    // A stand-in serves any version; a search for the official plugin would only take time.
    ...(standIns ? { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" } : {}),
  };
}

/** Lines for `eval` in any POSIX shell. */
export function exportLines(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'`)
    .join("\n");
}

/** Without duplicates: applying the environment twice must not lengthen the PATH. */
function uniquePath(folders: readonly string[]): string {
  return [...new Set(folders.filter((folder) => folder !== ""))].join(delimiter);
}
