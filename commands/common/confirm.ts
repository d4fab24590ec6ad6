import { createInterface } from "node:readline/promises";
import type { Problem } from "./problem.ts";

/**
 * Asks somebody at a terminal, and takes only a yes for one.
 * @param nobody what it is refused with where the command was not started at a terminal
 */
export async function isConfirmed(question: string, nobody: Problem): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw nobody;
  }
  const ask = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await ask.question(`${question} [y/N] `)).trim());
  } finally {
    ask.close();
  }
}
