import { createInterface } from "node:readline/promises";
import type { Problem } from "./problem.ts";

/**
 * Asks at the terminal; only y or yes confirms.
 * @param nobody thrown where stdin is no terminal
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
