import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** A lock on a stack, as a self-managed backend tells of it to whoever meets it. */
export interface Lock {
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  /** When it was taken, in milliseconds since 1970, of which the backend tells whole seconds. */
  readonly since: number;
}

/**
 * The locks that Pulumi names when it can't have its own. The backend has no other way to ask for them; Pulumi Cloud names
 * none, and lets them expire by itself.
 * @param text of the error
 * @see https://www.pulumi.com/docs/iac/concepts/state-and-backends/
 */
export function locksIn(text: string): Lock[] {
  const matches = [...text.matchAll(/: created by (.+)@([^@\s]+) \(pid (\d+)\) at (\S+)/g)];
  // An error may have what was printed twice.
  const locks = new Map(matches.map((match) => [match[0], match]));
  return [...locks.values()].map(([, user = "", host = "", pid, since = ""]) => ({
    user,
    host,
    pid: Number(pid),
    since: Date.parse(since),
  }));
}

/** Whose lock it is, in a message. */
export const holderText = ({ user, host, pid, since }: Lock) =>
  `${user}@${host} (pid ${pid}) since ${Number.isNaN(since) ? "?" : new Date(since).toISOString()}`;

/** What this machine tells of its processes. */
export interface Processes {
  readonly host: string;
  /**
   * When a process began, in milliseconds since 1970: -Infinity where that can't be known, and for any Pulumi, which is
   * waited for rather than robbed of its lock; undefined if it has ended.
   */
  startOf(pid: number): number | undefined;
}

/** The clock that tells when processes began has seconds, as the lock's own time has. */
const slack = 2000;

/**
 * Whether whoever took a lock is gone for certain: they ran on this machine, and no such process does. One that began
 * later has merely been given the same number, as it is in a container that was restarted.
 */
export function isAbandoned({ host, pid, since }: Lock, processes: Processes): boolean {
  if (host !== processes.host) {
    return false;
  }
  const start = processes.startOf(pid);
  return start === undefined || start > since + slack;
}

/** Those of the machine that this runs on. */
export const ownProcesses: Processes = {
  host: hostname(),
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

/** In hundredths of a second since the machine started, whatever its kernel counts in itself. */
const ticksPerSecond = 100;

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function startInProc(pid: number): number | undefined {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // After the program's name, which is in brackets and may have spaces and brackets in it.
  const end = stat.lastIndexOf(")");
  const [state, ...rest] = stat.slice(end + 2).split(" ");
  const booted = Number(/^btime (\d+)$/m.exec(readOrEmpty("/proc/stat"))?.[1]);
  const ticks = Number(rest[18]);
  if (state === "Z" || state === "X") {
    // It has ended, and nobody has collected it: a container need not have an init that does.
    return undefined;
  }
  // The kernel counts from its start, and tells when that was by the clock of now. One that was set forward since makes
  // whoever holds the lock seem to have begun after taking it.
  const isPulumi = stat.slice(0, end).includes("pulumi");
  return isPulumi || Number.isNaN(ticks) || Number.isNaN(booted) ? -Infinity : (booted + ticks / ticksPerSecond) * 1000;
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
