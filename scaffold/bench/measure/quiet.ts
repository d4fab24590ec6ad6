import { setTimeout as sleep } from "node:timers/promises";
import { Interrupted } from "../../../commands/common/problem.ts";
import { processesStartedFrom } from "../../sandbox/processes.ts";
import { sampleOf } from "./procfs.ts";

/** Of one CPU: so much a cluster does where nobody asks for anything. */
const idleShare = 0.3;
const window = 1000;

/**
 * Waits until what was started from a folder does nearly nothing: a cluster's controllers go on for a while after whoever
 * made them work has ended, and the next one's figures must not have that in them.
 * @param longest in milliseconds; after that it is not waited for any more. Default: half a minute
 */
export async function quiet(folder: string, signal: AbortSignal, longest = 30_000): Promise<void> {
  const deadline = performance.now() + longest;
  while (performance.now() < deadline && (await share(folder, signal)) > idleShare) {}
}

/** How much of a CPU is used meanwhile. */
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
