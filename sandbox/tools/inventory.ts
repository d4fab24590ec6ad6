import { join } from "node:path";
import { execa } from "execa";
import { ownPath } from "../paths.ts";
import { cachedTool, isCached, toolCache } from "./cache.ts";
import type { Tool, ToolPaths } from "./catalogue.ts";
import { findExecutable } from "./executables.ts";
import { versionIn, willDo } from "./versions.ts";

export interface ToolchainOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly cache?: string;
}

export interface Inventory {
  readonly found: Partial<ToolPaths>;
  readonly missing: readonly Tool[];
}

/** Those of the tools that exist already: in an acceptable version on the PATH, or downloaded or built by an earlier run. */
export async function takeInventory(tools: readonly Tool[], options: ToolchainOptions): Promise<Inventory> {
  const cache = options.cache ?? toolCache;
  const entries = await Promise.all(
    tools.map(async (tool) => [tool, await existingTool(tool, options.environment, cache)] as const),
  );
  return {
    found: Object.fromEntries(entries.flatMap(([tool, path]) => (path === undefined ? [] : [[tool.name, path]]))),
    missing: entries.flatMap(([tool, path]) => (path === undefined ? [tool] : [])),
  };
}

/** Path of a tool that exists already. */
export async function existingTool(
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
    if (version !== undefined && willDo(version, tool)) {
      return onPath;
    }
  }
  return isCached(tool, cache) ? cachedTool(tool, cache) : undefined;
}
