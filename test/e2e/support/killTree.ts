import { execaSync } from "execa";

/** Kills a process and all that it has started, and they in turn, at once: as a machine does that loses its power. */
export function killTree(root: number): void {
  const processes = execaSync("ps", ["-axo", "pid=,ppid="], { lines: true }).stdout.map((line) => {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    return { pid, parent };
  });
  const tree = [root];
  for (const pid of tree) {
    tree.push(...processes.filter(({ parent }) => parent === pid).map((child) => child.pid));
  }
  for (const pid of tree) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
}
