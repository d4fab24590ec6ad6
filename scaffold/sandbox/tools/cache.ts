import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isPackage, sandboxes } from "../paths.ts";
import { catalogue, type ModuleName, onDemand, type Tool } from "./catalogue.ts";

export const toolCache: string = join(sandboxes, "tools");

export function moduleFolder(module: ModuleName): string {
  return join(import.meta.dirname, "modules", module);
}

/** Path of a tool that was got. The folder's name has all that affects the binary: an existing file is valid. */
export function cachedTool(tool: Tool<string>, cache: string = toolCache): string {
  // A package builds nothing, and has no Go modules.
  if (isPackage) return join(cache, `${tool.name}-${tool.version}-${process.platform}-${process.arch}`, tool.name);
  return join(cache, `${tool.module}-${digestOf(tool.module)}`, tool.name);
}

export function isCached(tool: Tool<string>, cache: string = toolCache): boolean {
  return existsSync(cachedTool(tool, cache));
}

function digestOf(module: ModuleName): string {
  const hash = createHash("sha256");
  for (const file of ["go.mod", "go.sum"]) hash.update(readFileSync(join(moduleFolder(module), file)));
  const builds = [...catalogue, ...onDemand].filter((tool) => tool.module === module);
  hash.update(JSON.stringify([process.platform, process.arch, builds.map((tool) => [tool.package, tool.linkerFlags])]));
  return hash.digest("hex").slice(0, 12);
}
