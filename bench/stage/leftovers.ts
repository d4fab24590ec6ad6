import { existsSync, readdirSync } from "node:fs";
import { sandboxes } from "../../sandbox/paths.ts";
import { isAlive } from "../../sandbox/processes.ts";
import { removeSandbox, type Sandbox, sandboxNamed } from "../../sandbox/sandbox.ts";

/** A sandbox of this process. */
export function benchSandbox(part: "pulumi" | "kubectl" | "helm" | "shards"): Sandbox {
  return sandboxNamed(`bench-${process.pid}-${part}`);
}

/** Removes the sandboxes of killed benchmarks, whose clusters may still run. */
export async function removeLeftovers(): Promise<void> {
  for (const name of existsSync(sandboxes) ? readdirSync(sandboxes) : []) {
    const [, pid] = /^bench-(\d+)-[a-z]+$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) {
      await removeSandbox(sandboxNamed(name));
    }
  }
}
