import { createInterface } from "node:readline/promises";
import type { Problem } from "./problem.ts";

/**
 * Asks at the terminal; only y or yes confirms, and Ctrl-C or the end of the input is a no.
 * @param nobody thrown where stdin is no terminal
 */
export async function isConfirmed(question: string, nobody: Problem): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw nobody;
  }
  return await asked(question);
}

/**
 * The same where somebody is known to be at a terminal.
 * @param signal a no, too
 */
export async function asked(question: string, signal?: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new AbortController();
  terminal.once("close", () => closed.abort());
  try {
    const over = AbortSignal.any([closed.signal, ...(signal === undefined ? [] : [signal])]);
    const answer = await terminal.question(`${question} [y/N] `, { signal: over });
    return /^y(es)?$/i.test(answer.trim());
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") {
      process.stderr.write("\n");
      return false;
    }
    throw error;
  } finally {
    terminal.close();
  }
}
