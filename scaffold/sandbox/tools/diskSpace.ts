import { existsSync } from "node:fs";
import { mkdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "../../../commands/common/problem.ts";
import type { Tool } from "./catalogue.ts";
import type { Go } from "./go.ts";

const gibibyte = 2 ** 30;

/** Bytes for linking one tool with warm Go caches. */
const warmTool = gibibyte / 4;

/** The main Go module of each of our modules, and the bytes in Go's caches after its first compilation. */
const modules = {
  actionlint: { path: "github.com/rhysd/actionlint", cold: gibibyte / 4 },
  caddy: { path: "github.com/caddyserver/caddy/v2", cold: gibibyte },
  helm: { path: "helm.sh/helm/v4", cold: gibibyte },
  kubernetes: { path: "k8s.io/kubernetes", cold: 2 * gibibyte },
  kwok: { path: "sigs.k8s.io/kwok", cold: 2 * gibibyte },
  pulumi: { path: "github.com/pulumi/pulumi/pkg/v3", cold: 2 * gibibyte },
  versitygw: { path: "github.com/versity/versitygw", cold: (3 * gibibyte) / 4 },
} as const;

/** Bytes that building these tools may take: much on the first compilation of their modules, little later. */
export function spaceNeeded(tools: readonly Tool<string>[], isWarm: (module: Tool["module"]) => boolean): number {
  const coldModules = new Set(tools.map((tool) => tool.module).filter((module) => !isWarm(module)));
  const cold = [...coldModules].reduce((sum, module) => sum + modules[module].cold, 0);
  return cold + tools.length * warmTool;
}

/** Checks first, since a full disk causes late and confusing failures. Tests pass a `freeBytes` of their own. */
export async function checkDiskSpace(
  tools: readonly Tool<string>[],
  go: Go,
  cache: string,
  freeBytes: (folder: string) => Promise<number> = freeBytesAt,
): Promise<void> {
  const isWarm = (module: Tool["module"]): boolean => {
    const tool = tools.find((each) => each.module === module && each.package.startsWith(modules[module].path));
    return tool === undefined || existsSync(join(go.moduleCache, `${modules[module].path}@v${tool.version}`));
  };
  const needed = spaceNeeded(tools, isWarm);
  for (const folder of [cache, go.buildCache]) {
    await mkdir(folder, { recursive: true });
    const free = await freeBytes(folder);
    if (free < needed) {
      throw new Problem("There is too little disk space to build the tools.", {
        why: `${inGibibytes(free)} are free at ${folder}, and the build may take ${inGibibytes(needed)}.`,
        remedy: "Free some space, or set GOCACHE to a folder on a larger disk.",
      });
    }
  }
}

async function freeBytesAt(folder: string): Promise<number> {
  const disk = await statfs(folder);
  return disk.bavail * disk.bsize;
}

/** Rounded to one decimal. */
export function inGibibytes(bytes: number): string {
  return `${Math.round((bytes / gibibyte) * 10) / 10} GiB`;
}
