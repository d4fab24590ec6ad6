import { createInterface } from "node:readline/promises";
import { Interrupted, Problem } from "./problem.ts";

type Ask = (question: string) => Promise<string>;

interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Ends the question as Ctrl-C does. Default: never. */
  readonly signal: AbortSignal | undefined;
}

/** Lets `work` ask at the terminal. @throws Interrupted at Ctrl-C or the end of the input */
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

/** Asks at the terminal; only y or yes confirms, and Ctrl-C or the end of the input is a no. */
export async function isConfirmed(
  question: string,
  output: string,
  unanswered: { readonly what: string; readonly remedy: string },
): Promise<boolean> {
  if (output === "json" || !process.stdin.isTTY) {
    throw new Problem(`${unanswered.what}: there is no terminal to ask at.`, {
      why: "The command does not run at a terminal, or prints JSON.",
      remedy: unanswered.remedy,
    });
  }
  return await asked(question);
}

/** Asks for a confirmation where somebody is known to be at a terminal. @param signal a no, too */
export async function asked(question: string, signal?: AbortSignal): Promise<boolean> {
  try {
    return /^y(es)?$/i.test(await atTerminal((ask) => ask(`${question} [y/N] `), { signal }));
  } catch (error) {
    if (error instanceof Interrupted) {
      return false;
    }
    throw error;
  }
}
