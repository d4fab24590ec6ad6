import { readFileSync } from "node:fs";
import { messageOf } from "../../cluster/api/message.ts";
import { Problem } from "./problem.ts";

/**
 * Reads a file that was named on the command line.
 * @throws Problem with this text and remedy when it can't be read
 */
export function readNamed(file: string, what: string, remedy: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new Problem(what, { why: messageOf(cause), remedy, cause });
  }
}
