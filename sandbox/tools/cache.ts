import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kubernetesMinors } from "../kubernetes.ts";
import { isPackage, sandboxes } from "../paths.ts";
import { catalogue, onDemand, type Tool } from "./catalogue.ts";

export const toolCache: string = join(sandboxes, "tools");

/** Their publishers' go.mod has `replace`, with which Go builds no `package@version`: they have a go.mod and go.sum of ours. */
const ownModules: readonly Tool["module"][] = [
  ...kubernetesMinors.map((minor) => `kubernetes-${minor}` as const),
  "pulumi",
];

interface Source {
  /** As `go run` takes it. */
  readonly package: string;
  /** With go.mod and go.sum. Undefined if the publisher's own count, which Go checks in its database of checksums. */
  readonly folder: string | undefined;
}

export function sourceOf({ module, package: path, version }: Tool<string>): Source {
  return ownModules.includes(module)
    ? { package: path, folder: join(import.meta.dirname, "modules", module) }
    : { package: `${path}@v${version}`, folder: undefined };
}

/** Path of a tool that was got. The folder's name has all that affects the binary: an existing file is valid. */
export function cachedTool(tool: Tool<string>, cache: string = toolCache): string {
  // A package builds nothing, and has no Go modules.
  if (isPackage) {
    return join(cache, `${tool.name}-${tool.version}-${process.platform}-${process.arch}`, tool.name);
  }
  return join(cache, `${tool.module}-${digestOf(tool)}`, tool.name);
}

export function isCached(tool: Tool<string>, cache: string = toolCache): boolean {
  return existsSync(cachedTool(tool, cache));
}

function digestOf(tool: Tool<string>): string {
  const hash = createHash("sha256");
  const { folder } = sourceOf(tool);
  if (folder !== undefined) {
    for (const file of ["go.mod", "go.sum"]) {
      hash.update(readFileSync(join(folder, file)));
    }
  }
  const builds = [...catalogue, ...onDemand].filter(({ module }) => module === tool.module);
  const sources = builds.map((each) => [sourceOf(each).package, each.linkerFlags]);
  hash.update(JSON.stringify([process.platform, process.arch, sources]));
  return hash.digest("hex").slice(0, 12);
}
