import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { execaSync } from "execa";
import { readOrEmpty } from "../config/sources/readOrEmpty.ts";
import { isThere } from "../runs/lock.ts";

/** Whether a process with this id runs. A process that has ended but was not collected by its parent doesn't. */
export function isAlive(pid: number): boolean {
  return Number.isInteger(pid) && pid > 0 && isThere(pid) && !hasEnded(pid);
}

/** A process whose main thread has ended keeps its ports until its last thread ends. */
function hasEnded(pid: number): boolean {
  const status = readOrEmpty(`/proc/${pid}/status`);
  return /^State:\s+Z/m.test(status) && !/^Threads:\s+([2-9]|\d\d)/m.test(status);
}

/** Processes started from `folder`. Pid files are less safe: after a restart of the machine, they name other processes. */
export function processesStartedFrom(folder: string): number[] {
  return commandLines()
    .filter(({ pid, program }) => program.startsWith(`${folder}/`) && isAlive(pid))
    .map(({ pid }) => pid);
}

/** Ends processes by id: with SIGTERM and `patience` milliseconds first if given, then with SIGKILL. */
export async function endProcesses(pids: readonly number[], patience = 0): Promise<void> {
  if (patience > 0) {
    await signalAll(pids, "SIGTERM", patience);
  }
  await signalAll(pids, "SIGKILL", 5_000);
}

async function signalAll(pids: readonly number[], signal: NodeJS.Signals, patience: number): Promise<void> {
  const left = pids.filter(isAlive);
  for (const pid of left) {
    process.kill(pid, signal);
  }
  const deadline = Date.now() + patience;
  while (left.some(isAlive) && Date.now() < deadline) {
    await sleep(20);
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
