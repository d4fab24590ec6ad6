import { setTimeout as sleep } from "node:timers/promises";
import { Interrupted } from "../../commands/common/problem.ts";
import { processesStartedFrom } from "../../sandbox/processes.ts";
import { sampleOf } from "./procfs.ts";

/** Share of one CPU that an idle cluster uses. */
const idleShare = 0.3;
const window = 1000;

/**
 * Waits until the processes started from a folder are nearly idle: a cluster's controllers work on after a command has
 * ended, and must not add to the next one's figures.
 * @param longest most milliseconds to wait. Default: half a minute
 */
export async function quiet(folder: string, signal: AbortSignal, longest = 30_000): Promise<void> {
  const deadline = performance.now() + longest;
  while (performance.now() < deadline && (await share(folder, signal)) > idleShare) {}
}

/** Share of one CPU that they use during a second. */
async function share(folder: string, signal: AbortSignal): Promise<number> {
  const pids = processesStartedFrom(folder);
  const before = used(pids);
  await sleep(window, undefined, { signal }).catch(() => {
    throw new Interrupted();
  });
  return ((used(pids) - before) * 1000) / window;
}

function used(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (sampleOf(pid)?.cpuSeconds ?? 0), 0);
}
