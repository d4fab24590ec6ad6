import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A lock on a stack, as a self-managed backend tells of it to whoever meets it. */
export interface Lock {
  /** Where it lies, such as `file:///state/.pulumi/locks/organization/kubecamp/prod/4d2f.json`: each has a name of its own. */
  readonly url: string;
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
  const matches = [...text.matchAll(/(\S+): created by (.+)@([^@\s]+) \(pid (\d+)\) at (\S+)/g)];
  // An error may have what was printed twice.
  const locks = new Map(matches.map((match) => [match[0], match]));
  return [...locks.values()].map(([, url = "", user = "", host = "", pid, since = ""]) => ({
    url,
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
   * Since when all processes of that host name are among these, in milliseconds since 1970: in a container since that
   * began, as others may have had the name before it, and may live on. -Infinity: always.
   */
  readonly began: number;
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
 * later has merely been given the same number.
 */
export function isAbandoned({ host, pid, since }: Omit<Lock, "url">, processes: Processes): boolean {
  // What is not known, such as either time, is no reason to take a lock away.
  if (host !== processes.host || !(since >= processes.began || processes.began === Number.NEGATIVE_INFINITY)) {
    return false;
  }
  const start = processes.startOf(pid);
  return start === undefined || start > since + slack;
}

/** Those of the machine that this runs on. */
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

/** For who alone may have this host name, however long: whoever else has had it is gone. */
export const soleProcesses: Processes = { ...ownProcesses, began: Number.NEGATIVE_INFINITY };

/** In hundredths of a second since the machine started, whatever its kernel counts in itself. */
const ticksPerSecond = 100;

function startInProc(pid: number): number | undefined {
  const { state, program, start } = statOf(pid);
  if (state === "Z" || state === "X") {
    // It has ended, and nobody has collected it: a container need not have an init that does.
    return undefined;
  }
  // The kernel counts from its start, and tells when that was by the clock of now. One that was set forward since makes
  // whoever holds the lock seem to have begun after taking it.
  return program.includes("pulumi") || Number.isNaN(start) ? -Infinity : start;
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function statOf(pid: number) {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // After the program's name, which is in brackets and may have spaces and brackets in it.
  const end = stat.lastIndexOf(")");
  const [state, ...rest] = stat.slice(end + 2).split(" ");
  const booted = Number(/^btime (\d+)$/m.exec(readOrEmpty("/proc/stat"))?.[1]);
  const ticks = Number(rest[18]);
  return { state, program: stat.slice(0, end), start: (booted + ticks / ticksPerSecond) * 1000 };
}

/**
 * The kernel's first PID namespace has all processes of a machine; any other has a container's alone, and ends with its
 * first process.
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

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
