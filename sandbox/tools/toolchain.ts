import { buildTool } from "./build.ts";
import { cachedTool, toolCache } from "./cache.ts";
import type { Tool, ToolPaths } from "./catalogue.ts";
import { inChains } from "./chains.ts";
import { goEnvironment } from "./go.ts";
import { existingTool, type Inventory, type ToolchainOptions } from "./inventory.ts";
import { type Build, provideAll, provideTools } from "./provide.ts";
import { silent, type ToolEvents } from "./toolEvents.ts";

/** Builds from Go modules, which a clone has. */
export const buildFromModules: Build = async (tools, { environment, cache, signal }, events) => {
  const env = await goEnvironment(environment);
  await inChains(tools, signal, async (tool, signal) => {
    const onProgress = (text: string): void => events.onProgress(tool.name, text);
    await buildTool(tool, { env, cache, signal, onProgress });
    events.onReady(tool.name);
  });
};

/** Downloads the missing tools, builds those that can't be had so, and returns the paths of all. */
export function completeTools(inventory: Inventory, options: ToolchainOptions, events: ToolEvents): Promise<ToolPaths> {
  return provideTools(inventory, { ...options, build: buildFromModules }, events);
}

/** Path of a tool that no sandbox needs, such as a linter; gets it if necessary. */
export async function toolOnDemand<Name extends string>(tool: Tool<Name>, options: ToolchainOptions): Promise<string> {
  const cache = options.cache ?? toolCache;
  const existing = await existingTool(tool, options.environment, cache);
  if (existing !== undefined) {
    return existing;
  }
  await provideAll([tool], cache, { ...options, build: buildFromModules }, silent);
  return cachedTool(tool, cache);
}
