import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { readOrEmpty } from "../config/sources/readOrEmpty.ts";

/** A lock on a stack, as a DIY backend describes it in its error. */
export interface Lock {
  /** Such as `file:///state/.pulumi/locks/organization/kubecamp/prod/4d2f.json`: each lock has its own name. */
  readonly url: string;
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  /** Time of the lock in milliseconds since 1970; the backend gives whole seconds. */
  readonly since: number;
}

/**
 * Locks that Pulumi names when it can't take its own; a DIY backend has no other way to ask for them. Pulumi Cloud
 * names none, and lets them expire by itself.
 * @param text of the error
 * @see https://www.pulumi.com/docs/iac/concepts/state-and-backends/
 */
export function locksIn(text: string): Lock[] {
  const matches = [...text.matchAll(/(\S+): created by (.+)@([^@\s]+) \(pid (\d+)\) at (\S+)/g)];
  // An error may contain the same output twice.
  const locks = new Map(matches.map((match) => [match[0], match]));
  return [...locks.values()].map(([, url = "", user = "", host = "", pid, since = ""]) => ({
    url,
    user,
    host,
    pid: Number(pid),
    since: Date.parse(since),
  }));
}

/** Holder of a lock, for a message. */
export const holderText = ({ user, host, pid, since }: Lock) =>
  `${user}@${host} (pid ${pid}) since ${Number.isNaN(since) ? "?" : new Date(since).toISOString()}`;

/** Processes of one machine. */
export interface Processes {
  readonly host: string;
  /**
   * Milliseconds since 1970 from which on every process under this host name is visible here. In a container that is its
   * start: others may have had the name before, and may still run. -Infinity: always.
   */
  readonly began: number;
  /**
   * Start of a process, in milliseconds since 1970; undefined if it has ended. -Infinity if the start is unknown, and
   * for any Pulumi: better to wait for one than to take its lock.
   */
  startOf(pid: number): number | undefined;
}

/** Milliseconds: process start times and lock times have whole seconds only. */
const slack = 2000;

/**
 * Whether a lock's holder is certainly gone: it ran on this machine, and no such process does. A process that started
 * later merely has the same number.
 */
export function isAbandoned({ host, pid, since }: Omit<Lock, "url">, processes: Processes): boolean {
  // An unknown time is no reason to take a lock away.
  if (host !== processes.host || !(since >= processes.began || processes.began === Number.NEGATIVE_INFINITY)) {
    return false;
  }
  const start = processes.startOf(pid);
  return start === undefined || start > since + slack;
}

/** Processes of this machine. */
export const ownProcesses: Processes = {
  host: hostname(),
  began: ownBeginning(),
  startOf(pid) {
    try {
      process.kill(pid, 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EPERM") {
        return undefined;
      }
    }
    return startInProc(pid);
  },
};

/** For a host name that belongs to this process alone, at any time: an earlier holder is gone. */
export const soleProcesses: Processes = { ...ownProcesses, began: Number.NEGATIVE_INFINITY };

/** Ticks in /proc, whatever the kernel counts in itself. */
const ticksPerSecond = 100;

function startInProc(pid: number): number | undefined {
  const { state, program, start } = statOf(pid);
  if (state === "Z" || state === "X") {
    // A zombie has ended, but nobody has collected it: a container need not have an init that does.
    return undefined;
  }
  // The kernel derives its start time from the current clock. If the clock was set forward, a holder seems to have
  // started after it took the lock.
  return program.includes("pulumi") || Number.isNaN(start) ? -Infinity : start;
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function statOf(pid: number) {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // The program's name comes first, in brackets, and may contain spaces and brackets.
  const end = stat.lastIndexOf(")");
  const [state, ...rest] = stat.slice(end + 2).split(" ");
  const booted = Number(/^btime (\d+)$/m.exec(readOrEmpty("/proc/stat"))?.[1]);
  const ticks = Number(rest[18]);
  return { state, program: stat.slice(0, end), start: (booted + ticks / ticksPerSecond) * 1000 };
}

/**
 * The initial PID namespace has all processes of a machine. Any other has a container's only, and ends with its first
 * process.
 * @see https://man7.org/linux/man-pages/man7/pid_namespaces.7.html
 */
function ownBeginning(): number {
  if (process.platform !== "linux") {
    return Number.NEGATIVE_INFINITY;
  }
  try {
    const isFirst = readlinkSync("/proc/self/ns/pid") === "pid:[4026531836]";
    return isFirst ? Number.NEGATIVE_INFINITY : statOf(1).start;
  } catch {
    return Number.NaN;
  }
}
