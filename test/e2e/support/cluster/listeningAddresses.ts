import { readFile } from "node:fs/promises";
import { execa } from "execa";

/** The local addresses, in the kernel's hexadecimal, on which a process listens. */
export async function listeningAddresses(pid: number): Promise<string[]> {
  const { stdout } = await execa("ls", ["-l", `/proc/${pid}/fd`]);
  const sockets = new Set([...stdout.matchAll(/socket:\[(\d+)\]/g)].map((match) => match[1]));
  const tables = await Promise.all(["tcp", "tcp6"].map((table) => readFile(`/proc/net/${table}`, "utf8")));
  return tables
    .flatMap((table) => table.trim().split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === "0A" && sockets.has(fields[9]))
    .map((fields) => fields[1]?.split(":")[0] ?? "");
}
