import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { execaSync } from "execa";

/** Whether a process with this id runs. One that has ended but was not yet collected by its parent does not. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return !/^State:\s+Z/m.test(readOrEmpty(`/proc/${pid}/status`));
}

/**
 * The processes whose program was started from `folder`. Safer than files of process ids, which outlive a restart of the
 * machine and then name somebody else's process.
 */
export function processesStartedFrom(folder: string): number[] {
  return commandLines()
    .filter(({ pid, program }) => program.startsWith(`${folder}/`) && isAlive(pid))
    .map(({ pid }) => pid);
}

/** Ends processes by id, politely at first. */
export async function endProcesses(pids: readonly number[]): Promise<void> {
  for (const [signal, patience] of [
    ["SIGTERM", 10_000],
    ["SIGKILL", 5_000],
  ] as const) {
    const left = pids.filter(isAlive);
    for (const pid of left) process.kill(pid, signal);
    const deadline = Date.now() + patience;
    while (left.some(isAlive) && Date.now() < deadline) await sleep(50);
  }
}

function commandLines(): { pid: number; program: string }[] {
  if (process.platform === "linux") {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), program: readOrEmpty(`/proc/${name}/cmdline`).split("\0")[0] ?? "" }));
  }
  return execaSync("ps", ["-axo", "pid=,command="], { lines: true }).stdout.map((line) => {
    const [, pid, program = ""] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return { pid: Number(pid), program };
  });
}

/** A process may end while we look at it. */
function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
