import { readFileSync } from "node:fs";

/** The text of a file that may not be there, or go at any moment. */
export function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
