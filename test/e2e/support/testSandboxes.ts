import { existsSync, readdirSync } from "node:fs";
import { sandboxes } from "../../../sandbox/paths.ts";
import { isAlive } from "../../../sandbox/processes.ts";
import { aloneWith, removeSandbox, type Sandbox, sandboxNamed } from "../../../sandbox/sandbox.ts";

const worker = process.env.MOCHA_WORKER_ID;

/** Mocha's main process, which outlives its workers: what bears its id is in use as long as it is alive. */
const run = worker === undefined ? process.pid : process.ppid;

/** A sandbox of this process's own, which goes with the run at the latest. */
export function testSandboxNamed(part: string): Sandbox {
  return sandboxNamed(`test-${run}-${worker ?? "0"}-${part}`);
}

/** Those of this run, of all its workers. */
export async function removeOwnSandboxes(): Promise<void> {
  await removeWhere((pid) => pid === run);
}

/** Those of runs that were killed outright and could not clean up after themselves. */
export async function removeLeftovers(): Promise<void> {
  await removeWhere((pid) => !isAlive(pid));
}

async function removeWhere(matches: (pid: number) => boolean): Promise<void> {
  const { signal } = new AbortController();
  for (const name of existsSync(sandboxes) ? readdirSync(sandboxes) : []) {
    const [, pid] = /^test-(\d+)(-[a-z0-9-]+)?$/.exec(name) ?? [];
    if (pid === undefined || !matches(Number(pid))) {
      continue;
    }
    const sandbox = sandboxNamed(name);
    // Two workers may find the same leftovers.
    await aloneWith(sandbox, signal, ignored, () => removeSandbox(sandbox));
  }
}

function ignored(): void {}
