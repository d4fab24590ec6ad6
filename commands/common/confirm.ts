import { Interrupted, Problem } from "./problem.ts";
import { atTerminal } from "./terminal.ts";

/**
 * Asks at the terminal; only y or yes confirms, and Ctrl-C or the end of the input is a no.
 * @param output the command's format; JSON is for programs
 * @param unanswered what happens, and what to do, where nobody can be asked
 * @throws Problem where nobody can be asked
 */
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

/**
 * The same where somebody is known to be at a terminal.
 * @param signal a no, too
 */
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
