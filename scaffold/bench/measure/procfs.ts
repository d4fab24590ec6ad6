import { readdirSync, readFileSync } from "node:fs";

/** What Linux says of a process at one moment. */
export interface ProcessSample {
  readonly parent: number;
  /** Seconds of CPU, in its own code and in the kernel's. */
  readonly cpuSeconds: number;
  /** The most memory that it has had at once, in MiB. */
  readonly peakMiB: number;
  /** What it has had written to disks, in MiB. */
  readonly writtenMiB: number;
  /** Its program and arguments. */
  readonly command: readonly string[];
}

/** Linux counts CPU in hundredths of a second for whoever reads it, whatever its clock does. */
const ticksPerSecond = 100;
const mebi = 2 ** 20;

/** Everything that runs. */
export function processIds(): number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

/**
 * Looks at a process.
 * @returns undefined if it has ended
 * @see https://man7.org/linux/man-pages/man5/proc.5.html
 */
export function sampleOf(pid: number): ProcessSample | undefined {
  try {
    const [stat, status, io, command] = ["stat", "status", "io", "cmdline"].map((file) =>
      readFileSync(`/proc/${pid}/${file}`, "utf8"),
    );
    return { ...timesIn(stat ?? ""), ...sizesIn(status ?? "", io ?? ""), command: (command ?? "").split("\0") };
  } catch {
    return undefined;
  }
}

/** Who started a process; undefined if it has ended. */
export function parentOf(pid: number): number | undefined {
  try {
    return timesIn(readFileSync(`/proc/${pid}/stat`, "utf8")).parent;
  } catch {
    return undefined;
  }
}

/** @param stat text of `/proc/<pid>/stat` */
export function timesIn(stat: string): Pick<ProcessSample, "parent" | "cpuSeconds"> {
  // The program's name comes second, in brackets, and may have anything in it: also brackets and blanks.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return { parent: Number(fields[1]), cpuSeconds: (user + system) / ticksPerSecond };
}

/**
 * @param status text of `/proc/<pid>/status`
 * @param io text of `/proc/<pid>/io`
 */
export function sizesIn(status: string, io: string): Pick<ProcessSample, "peakMiB" | "writtenMiB"> {
  const peak = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  const written = Number(/^write_bytes: (\d+)$/m.exec(io)?.[1] ?? 0);
  return { peakMiB: peak / 1024, writtenMiB: written / mebi };
}
