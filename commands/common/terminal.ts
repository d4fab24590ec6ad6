import { createInterface } from "node:readline/promises";
import { Interrupted } from "./problem.ts";

/** Asks at the terminal; the answer is without spaces around it. */
export type Ask = (question: string) => Promise<string>;

interface Terminal {
  /** Default: stdin. */
  readonly input: NodeJS.ReadableStream;
  /** Default: stderr. */
  readonly output: NodeJS.WritableStream;
  /** Ends the question as Ctrl-C does. Default: never. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Lets `work` ask at the terminal.
 * @throws Interrupted at Ctrl-C or the end of the input
 */
export async function atTerminal<T>(
  work: (ask: Ask) => Promise<T>,
  { input = process.stdin, output = process.stderr, signal }: Partial<Terminal> = {},
): Promise<T> {
  const terminal = createInterface({ input, output });
  const closed = new AbortController();
  terminal.once("close", () => closed.abort());
  const over = signal === undefined ? closed.signal : AbortSignal.any([closed.signal, signal]);
  try {
    return await work(async (question) => (await terminal.question(question, { signal: over })).trim());
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") {
      // The cursor is behind the question.
      output.write("\n");
      throw new Interrupted();
    }
    throw error;
  } finally {
    terminal.close();
  }
}
