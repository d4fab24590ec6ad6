import { readdir, rm } from "node:fs/promises";
import { totalmem } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { Interrupted } from "../../../commands/common/problem.ts";
import { withLock } from "../lock.ts";
import { ownPath } from "../paths.ts";
import { buildTool } from "./build.ts";
import { cachedTool, isCached, toolCache } from "./cache.ts";
import { catalogue, type Tool, type ToolName, type ToolPaths } from "./catalogue.ts";
import { checkDiskSpace } from "./diskSpace.ts";
import { findExecutable } from "./executables.ts";
import { findGo } from "./go.ts";
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

export interface BuildEvents<Name extends string = ToolName> {
  readonly onProgress: (tool: Name, text: string) => void;
  readonly onBuilt: (tool: Name) => void;
}

/** Tools that exist already: in an acceptable version on the PATH, or built by an earlier run. */
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

/** Builds the missing tools and returns the paths of all. */
export async function completeTools(
  inventory: Inventory,
  options: ToolchainOptions,
  events: BuildEvents,
): Promise<ToolPaths> {
  const cache = options.cache ?? toolCache;
  if (inventory.missing.length > 0) {
    await buildAll(inventory.missing, cache, options, events);
  }
  return Object.fromEntries(
    catalogue.map((tool) => [tool.name, inventory.found[tool.name] ?? cachedTool(tool, cache)]),
  ) as ToolPaths;
}

/** Path of a tool that no sandbox needs, such as a linter; builds it if necessary. */
export async function toolOnDemand<Name extends string>(tool: Tool<Name>, options: ToolchainOptions): Promise<string> {
  const cache = options.cache ?? toolCache;
  const existing = await existingTool(tool, options.environment, cache);
  if (existing !== undefined) return existing;
  await buildAll([tool], cache, options, { onProgress: () => undefined, onBuilt: () => undefined });
  return cachedTool(tool, cache);
}

async function buildAll<Name extends string>(
  missing: readonly Tool<Name>[],
  cache: string,
  options: ToolchainOptions,
  events: BuildEvents<Name>,
): Promise<void> {
  const go = await findGo(options.environment);
  await checkDiskSpace(missing, go, cache);
  const waiting = (pid: number): void => {
    for (const tool of missing) events.onProgress(tool.name, `waiting for process ${pid}, which builds it`);
  };
  await withLock(join(cache, "lock"), options.signal, waiting, async () => {
    await removePartialFiles(cache);
    await inChains(missing, options.signal, async (tool, signal) => {
      // The process that held the lock before may have built it.
      if (!isCached(tool, cache)) {
        const onProgress = (text: string): void => events.onProgress(tool.name, text);
        await buildTool(tool, { go, cache, signal, onProgress });
      }
      events.onBuilt(tool.name);
    });
  });
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

/**
 * Builds in two chains: the first tool's module, and the other modules. Tools of one module run one after the other, since
 * the second reuses packages that the first compiled; different modules share little. Machines with little memory build one
 * tool at a time, since linking needs a gigabyte and more.
 */
async function inChains<Name extends string>(
  tools: readonly Tool<Name>[],
  signal: AbortSignal,
  build: (tool: Tool<Name>, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const byModule = [...Map.groupBy(tools, (tool) => tool.module).values()];
  const [first = [], ...others] = byModule;
  const chains = totalmem() < 6 * 2 ** 30 ? [tools] : [first, others.flat()];
  const results = await Promise.allSettled(
    chains.map(async (chain) => {
      for (const tool of chain) {
        if (either.aborted) throw new Interrupted();
        await build(tool, either).catch((error: unknown) => {
          failure.abort();
          throw error;
        });
      }
    }),
  );
  // A failure interrupts the other chain: an interruption is reported only without another error.
  const reasons = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  const [reason] = [...reasons.filter((each) => !(each instanceof Interrupted)), ...reasons];
  if (reason !== undefined) throw reason;
}

/** Removes files of a killed run; nobody else writes here while we hold the lock. */
async function removePartialFiles(cache: string): Promise<void> {
  const files = await readdir(cache, { recursive: true });
  for (const file of files) if (/\.partial-\d+$/.test(file)) await rm(join(cache, file), { force: true });
}
