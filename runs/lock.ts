import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { readOrEmpty } from "../config/sources/readOrEmpty.ts";

export interface Lock {
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  /** Time of the lock in milliseconds since 1970; the backend gives whole seconds. */
  readonly since: number;
}

/** Pulumi names locks when it can't take its own; a DIY backend can't be asked. Pulumi Cloud lets them expire. */
export function locksIn(text: string): Lock[] {
  const matches = [...text.matchAll(/\S+: created by (.+)@([^@\s]+) \(pid (\d+)\) at (\S+)/g)];
  // An error may contain the same output twice.
  const locks = new Map(matches.map((match) => [match[0], match]));
  return [...locks.values()].map(([, user = "", host = "", pid, since = ""]) => ({
    user,
    host,
    pid: Number(pid),
    since: Date.parse(since),
  }));
}

export const holderText = ({ user, host, pid, since }: Lock) =>
  `${user}@${host} (pid ${pid}) since ${Number.isNaN(since) ? "?" : new Date(since).toISOString()}`;

/** Processes whose locks may be freed once they have ended: all under a host name that nobody else has. */
export interface Processes {
  readonly host: string;
  isRunning(pid: number): boolean;
}

/** Those of the watch that holds the Lease: its host name belongs to it alone, at any time. */
export const soleProcesses: Processes = {
  host: hostname(),
  isRunning(pid) {
    // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    const [, name, state] = /^\d+ \((.*)\) (\w)/.exec(readOrEmpty(`/proc/${pid}/stat`)) ?? [];
    // In a container that was started again, the number soon belongs to another process, or to a thread.
    return existsSync("/proc/self/stat") ? name === "pulumi" && state !== "Z" : isThere(pid);
  },
};

/** Whether there is a process with this id, be it one that has ended and was not collected by its parent. */
export function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export const isLeft = ({ host, pid }: Pick<Lock, "host" | "pid">, processes: Processes): boolean =>
  host === processes.host && !processes.isRunning(pid);
