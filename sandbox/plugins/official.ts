import { existsSync, realpathSync } from "node:fs";
import { link, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { execa } from "execa";
import { Interrupted } from "../../commands/common/problem.ts";
import { isSandboxed, ownPath, sandboxes } from "../paths.ts";
import type { Sandbox } from "../sandbox.ts";
import { isOpen, mirrorIn } from "../tools/download.ts";
import { findExecutable } from "../tools/executables.ts";

const binary = "pulumi-resource-kubernetes";
const day = 24 * 3600_000;

/** Milliseconds, enough for some fifty megabytes; without a network, it fails within three seconds. */
const downloadLimit = 60_000;

/** A Pulumi home for downloads, shared by all sandboxes. */
export const downloads: string = join(sandboxes, "plugins");

export interface PluginSearch {
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Path of the pulumi in use; one from Pulumi's installer has its language host beside it. */
  readonly pulumi: string;
  /** Folder for downloads. Default: the shared one. */
  readonly downloads?: string;
  /** Whether a download that failed is tried again the same day, since nothing stands in. Default: false. */
  readonly persistent?: boolean;
}

/** Finds or downloads the official Kubernetes plugin and puts it into this sandbox. Returns why there is none. */
export async function useOfficialKubernetes(sandbox: Sandbox, search: PluginSearch): Promise<string | undefined> {
  if (findExecutable(binary, ownPath(search.environment)) !== undefined) {
    return undefined;
  }
  const version = kubernetesVersion();
  const shared = search.downloads ?? downloads;
  const own = search.environment.PULUMI_HOME;
  const usual = join(search.environment.HOME ?? homedir(), ".pulumi");
  const homes = [own === undefined || isSandboxed(own) ? usual : own, shared];
  const places = homes.map((home) => join(kubernetesPluginFolder(home), binary));
  let found = places.find((place) => existsSync(place));
  if (found === undefined) {
    const why = await download(version, shared, search);
    if (why !== undefined) {
      return why;
    }
    found = join(kubernetesPluginFolder(shared), binary);
  }
  await place(found, kubernetesPluginFolder(sandbox.pulumiHome));
  return undefined;
}

/** Whether the official language host is on the PATH or beside its pulumi, where Pulumi itself searches. */
export function hasOfficialLanguageHost(search: Pick<PluginSearch, "environment" | "pulumi">): boolean {
  const path = [ownPath(search.environment), dirname(realpathSync(search.pulumi))].join(delimiter);
  return findExecutable("pulumi-language-nodejs", path) !== undefined;
}

/** Returns why the download failed. A failure is remembered for a day. */
async function download(version: string, home: string, search: PluginSearch): Promise<string | undefined> {
  const verdict = join(home, `no-kubernetes-${version}`);
  const refusedAt = Number(await readFile(verdict, "utf8").catch(() => "0"));
  if (search.persistent !== true && Date.now() - refusedAt < day) {
    return "a download failed within the last day";
  }
  const mirror = mirrorIn(search.environment);
  // Pulumi knows no checksum of a plugin.
  if (isOpen(mirror)) {
    return `${mirror} is not encrypted`;
  }
  await mkdir(home, { recursive: true });
  const result = await execa(
    search.pulumi,
    [
      ...["plugin", "install", "resource", "kubernetes", version, "--non-interactive", "--color", "never"],
      ...(mirror === undefined || mirror === "off" ? [] : ["--server", `${mirror}/get.pulumi.com/releases/plugins`]),
    ],
    {
      env: { PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "1" },
      stdin: "ignore",
      reject: false,
      timeout: downloadLimit,
      cancelSignal: search.signal,
    },
  );
  if (search.signal.aborted) {
    throw new Interrupted();
  }
  if (result.exitCode === 0) {
    return undefined;
  }
  await writeFile(verdict, String(Date.now()));
  return lastError(result.stderr) ?? result.shortMessage ?? "pulumi said nothing";
}

/** Pulumi warns of each of its attempts, and its error says no more than how many there were. */
function lastError(text: string): string | undefined {
  const [, attempt] = [...text.matchAll(/^warning: Error downloading plugin: (.*)$/gm)].at(-1) ?? [];
  const [, error] = /^error: (.*)$/m.exec(text) ?? [];
  return attempt ?? error;
}

/** Pulumi ignores a plugin folder that is a link, so that the folder is real and the file in it a link. */
async function place(file: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await link(file, join(folder, binary)).catch(() => symlink(file, join(folder, binary)));
}

/** Folder of the plugin in a Pulumi home. */
export function kubernetesPluginFolder(pulumiHome: string): string {
  return join(pulumiHome, "plugins", `resource-kubernetes-v${kubernetesVersion()}`);
}

/** The plugin must have the version of the program's SDK. */
function kubernetesVersion(): string {
  const { version } = createRequire(import.meta.url)("@pulumi/kubernetes/package.json") as { version: string };
  return version;
}
