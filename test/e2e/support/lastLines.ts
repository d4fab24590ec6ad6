import { readFile } from "node:fs/promises";

/** The end of a log, which says why its process has ended. */
export async function lastLines(file: string, count = 20): Promise<string> {
  return (await readFile(file, "utf8")).split("\n").slice(-count).join("\n");
}
