import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { withLock } from "../lock.ts";
import { ownPath } from "../paths.ts";
import { buildTool } from "./build.ts";
import { cachedTool, isCached, toolCache } from "./cache.ts";
import { catalogue, type Tool, type ToolPaths } from "./catalogue.ts";
import { inChains } from "./chains.ts";
import { checkDiskSpace } from "./diskSpace.ts";
import { type DownloadOptions, downloadTool } from "./download.ts";
import { findExecutable } from "./executables.ts";
import { findGo } from "./go.ts";
import { silent, type ToolEvents, type Undownloaded } from "./toolEvents.ts";
import { type Hosts, NotDownloaded } from "./transfer.ts";
import { versionIn, willDo } from "./versions.ts";

export interface ToolchainOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly cache?: string;
}

interface Inventory {
  readonly found: Partial<ToolPaths>;
  readonly missing: readonly Tool[];
}

/** Tools that exist already: in an acceptable version on the PATH, or downloaded or built by an earlier run. */
export async function takeInventory(options: ToolchainOptions): Promise<Inventory> {
  const cache = options.cache ?? toolCache;
  const entries = await Promise.all(
    catalogue.map(async (tool) => [tool, await existingTool(tool, options.environment, cache)] as const),
  );
  return {
    found: Object.fromEntries(entries.flatMap(([tool, path]) => (path === undefined ? [] : [[tool.name, path]]))),
    missing: entries.flatMap(([tool, path]) => (path === undefined ? [tool] : [])),
  };
}

/** Downloads the missing tools, builds those that can't be had so, and returns the paths of all. */
export async function completeTools(
  inventory: Inventory,
  options: ToolchainOptions,
  events: ToolEvents,
): Promise<ToolPaths> {
  const cache = options.cache ?? toolCache;
  if (inventory.missing.length > 0) {
    await provideAll(inventory.missing, cache, options, events);
  }
  return Object.fromEntries(
    catalogue.map((tool) => [tool.name, inventory.found[tool.name] ?? cachedTool(tool, cache)]),
  ) as ToolPaths;
}

/** Path of a tool that no sandbox needs, such as a linter; gets it if necessary. */
export async function toolOnDemand<Name extends string>(tool: Tool<Name>, options: ToolchainOptions): Promise<string> {
  const cache = options.cache ?? toolCache;
  const existing = await existingTool(tool, options.environment, cache);
  if (existing !== undefined) return existing;
  await provideAll([tool], cache, options, silent);
  return cachedTool(tool, cache);
}

async function provideAll<Name extends string>(
  missing: readonly Tool<Name>[],
  cache: string,
  options: ToolchainOptions,
  events: ToolEvents<Name>,
): Promise<void> {
  const waiting = (pid: number): void => {
    for (const tool of missing) events.onProgress(tool.name, `waiting for process ${pid}, which gets it`);
  };
  await withLock(join(cache, "lock"), options.signal, waiting, async () => {
    await removePartialFiles(cache);
    const reasons = new Map<Name, Undownloaded<Name>>();
    const hosts: Hosts = new Map();
    await Promise.all(
      missing.map(async (tool) => {
        // The process that held the lock before may have got it.
        const reason = isCached(tool, cache) ? undefined : await downloaded(tool, { ...options, cache, hosts }, events);
        if (reason === undefined) events.onReady(tool.name);
        else reasons.set(tool.name, reason);
      }),
    );
    const absent = missing.filter(({ name }) => reasons.has(name));
    if (absent.length === 0) return;
    events.onBuilding(absent.flatMap(({ name }) => reasons.get(name) ?? []));
    const go = await findGo(options.environment);
    await checkDiskSpace(absent, go, cache);
    await inChains(absent, options.signal, async (tool, signal) => {
      const onProgress = (text: string): void => events.onProgress(tool.name, text);
      await buildTool(tool, { go, cache, signal, onProgress });
      events.onReady(tool.name);
    });
  });
}

/** Returns why not, or undefined for a tool that is there now. */
async function downloaded<Name extends string>(
  tool: Tool<Name>,
  options: Omit<DownloadOptions, "onProgress">,
  events: ToolEvents<Name>,
): Promise<Undownloaded<Name> | undefined> {
  try {
    await downloadTool(tool, { ...options, onProgress: (text) => events.onDownloading(tool.name, text) });
    return undefined;
  } catch (error) {
    if (!(error instanceof NotDownloaded)) throw error;
    return { tool: tool.name, why: error.message, ...(error.host === undefined ? {} : { host: error.host }) };
  }
}

async function existingTool(
  tool: Tool<string>,
  environment: NodeJS.ProcessEnv,
  cache: string,
): Promise<string | undefined> {
  const onPath = findExecutable(tool.name, ownPath(environment));
  if (onPath !== undefined) {
    const result = await execa(onPath, [...tool.versionArguments], {
      reject: false,
      timeout: 10_000,
      // Pulumi writes a log to its home even for this command: it must not be the user's home.
      env: { ...environment, PULUMI_HOME: join(cache, "pulumi-home") },
    });
    const version = versionIn(`${result.stdout}\n${result.stderr}`);
    if (version !== undefined && willDo(version, tool)) return onPath;
  }
  return isCached(tool, cache) ? cachedTool(tool, cache) : undefined;
}

/** Removes files of a killed run; nobody else writes here while we hold the lock. */
async function removePartialFiles(cache: string): Promise<void> {
  const files = await readdir(cache, { recursive: true });
  for (const file of files)
    if (/\.partial-\d+$/.test(file)) await rm(join(cache, file), { recursive: true, force: true });
}
