import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { withLock } from "../lock.ts";
import { cachedTool, isCached, toolCache } from "./cache.ts";
import type { Tool, ToolPaths } from "./catalogue.ts";
import { type DownloadOptions, downloadTool } from "./download.ts";
import type { Inventory, ToolchainOptions } from "./inventory.ts";
import type { ToolEvents, Undownloaded } from "./toolEvents.ts";
import { type Hosts, NotDownloaded } from "./transfer.ts";

/** Where tools that can't be downloaded are made. */
interface BuildPlace {
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly cache: string;
  /** Why these tools can't be downloaded. */
  readonly why: readonly Undownloaded<string>[];
}

/** Makes tools that can't be downloaded, in the cache. @throws Problem when it can't */
export type Build = <Name extends string>(
  tools: readonly Tool<Name>[],
  place: BuildPlace,
  events: Pick<ToolEvents<Name>, "onProgress" | "onReady">,
) => Promise<void>;

interface ProvideOptions extends ToolchainOptions {
  readonly build: Build;
}

/** Downloads the missing tools, has those built that can't be had so, and returns the paths of all. */
export async function provideTools(
  { found, missing }: Inventory,
  options: ProvideOptions,
  events: ToolEvents,
): Promise<ToolPaths> {
  const cache = options.cache ?? toolCache;
  if (missing.length > 0) {
    await provideAll(missing, cache, options, events);
  }
  return {
    ...found,
    ...Object.fromEntries(missing.map((tool) => [tool.name, cachedTool(tool, cache)])),
  } as ToolPaths;
}

/** Downloads these tools into the cache, and has those built that can't be had so. */
export async function provideAll<Name extends string>(
  missing: readonly Tool<Name>[],
  cache: string,
  options: ProvideOptions,
  events: ToolEvents<Name>,
): Promise<void> {
  const waiting = (pid: number, file: string): void => {
    const message = `waiting for process ${pid}, which gets it; if that is another program, delete ${file}`;
    for (const tool of missing) {
      events.onProgress(tool.name, message);
    }
  };
  await withLock(join(cache, "lock"), options.signal, waiting, async () => {
    await removePartialFiles(cache);
    const reasons = new Map<Name, Undownloaded<Name>>();
    const hosts: Hosts = new Map();
    await Promise.all(
      missing.map(async (tool) => {
        // The process that held the lock before may have got it.
        const reason = isCached(tool, cache) ? undefined : await downloaded(tool, { ...options, cache, hosts }, events);
        if (reason === undefined) {
          events.onReady(tool.name);
        } else {
          reasons.set(tool.name, reason);
        }
      }),
    );
    const absent = missing.filter(({ name }) => reasons.has(name));
    if (absent.length === 0) {
      return;
    }
    const why = absent.flatMap(({ name }) => reasons.get(name) ?? []);
    events.onBuilding(why);
    await options.build(absent, { ...options, cache, why }, events);
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
    if (!(error instanceof NotDownloaded)) {
      throw error;
    }
    return { tool: tool.name, why: error.message, ...(error.host === undefined ? {} : { host: error.host }) };
  }
}

/** Removes files of a killed run; nobody else writes here while we hold the lock. */
async function removePartialFiles(cache: string): Promise<void> {
  const files = await readdir(cache, { recursive: true });
  for (const file of files) {
    if (/\.partial-\d+$/.test(file)) {
      await rm(join(cache, file), { recursive: true, force: true });
    }
  }
}
