import { readdirSync, readFileSync } from "node:fs";

/** A sample of a process. */
export interface ProcessSample {
  readonly parent: number;
  /** Seconds of CPU, in user and kernel mode. */
  readonly cpuSeconds: number;
  /** Peak memory, in MiB. */
  readonly peakMiB: number;
  /** Program and arguments. */
  readonly command: readonly string[];
}

/** Linux shows CPU time in hundredths of a second, whatever its internal clock. */
const ticksPerSecond = 100;

/** Ids of all running processes. */
export function processIds(): number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

/**
 * Samples a process.
 * @returns undefined if it has ended
 * @see https://man7.org/linux/man-pages/man5/proc.5.html
 */
export function sampleOf(pid: number): ProcessSample | undefined {
  try {
    const [stat, status, command] = ["stat", "status", "cmdline"].map((file) =>
      readFileSync(`/proc/${pid}/${file}`, "utf8"),
    );
    return { ...timesIn(stat ?? ""), peakMiB: peakIn(status ?? ""), command: (command ?? "").split("\0") };
  } catch {
    return undefined;
  }
}

/** The parent of a process; undefined if it has ended. */
export function parentOf(pid: number): number | undefined {
  try {
    return timesIn(readFileSync(`/proc/${pid}/stat`, "utf8")).parent;
  } catch {
    return undefined;
  }
}

/** @param stat text of `/proc/<pid>/stat` */
function timesIn(stat: string): Pick<ProcessSample, "parent" | "cpuSeconds"> {
  // The program's name comes second, in brackets, and may contain brackets and blanks itself.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return { parent: Number(fields[1]), cpuSeconds: (user + system) / ticksPerSecond };
}

/** @param status text of `/proc/<pid>/status` */
const peakIn = (status: string): number => Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
