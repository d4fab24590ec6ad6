import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../paths.ts";
import type { Sandbox } from "../sandbox.ts";
import {
  hasOfficialLanguageHost,
  kubernetesPluginFolder,
  type PluginSearch,
  useOfficialKubernetes,
} from "./official.ts";
import type { PluginChoice } from "./pluginChoice.ts";

const standIns = {
  "pulumi-resource-kubernetes": "sandbox/standins/kubernetes/main.ts",
  "pulumi-language-nodejs": "sandbox/standins/languageHost.ts",
} as const;

/** The official plugins if available; stand-ins otherwise. */
export async function choosePlugins(sandbox: Sandbox, search: PluginSearch): Promise<PluginChoice> {
  return {
    kubernetes: (await useOfficialKubernetes(sandbox, search)) === undefined ? "official" : "stand-in",
    languageHost: hasOfficialLanguageHost(search) ? "official" : "stand-in",
  };
}

/**
 * Installs the necessary stand-ins, no others. The language host lies beside its pulumi and the Kubernetes plugin in the
 * sandbox's Pulumi home: official ones on the user's PATH then take precedence, and Pulumi prints no warning.
 */
export async function installStandIns(sandbox: Sandbox, choice: PluginChoice): Promise<void> {
  if (choice.kubernetes === "stand-in") {
    await writeShim(kubernetesPluginFolder(sandbox.pulumiHome), "pulumi-resource-kubernetes");
  }
  if (choice.languageHost === "stand-in") {
    await writeShim(sandbox.bin, "pulumi-language-nodejs");
  }
}

/** `exec`, so that Pulumi's signals reach the stand-in. */
async function writeShim(folder: string, name: keyof typeof standIns): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, name);
  // An earlier run may have linked an official plugin here: replace the link, not its target.
  await rm(file, { force: true });
  const main = join(repository, standIns[name]);
  await writeFile(file, `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(main)} "$@"\n`);
  await chmod(file, 0o755);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
