import { constants } from "node:buffer";
import { execa } from "execa";
import { Interrupted, Problem } from "../../commands/common/problem.ts";

export interface CommandContext {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** Most characters of a command's output in a message. */
const mostSaid = 4_000;

/**
 * Starts a child in a process group of its own: Ctrl-C then reaches only this process, which sends the child one SIGINT. At
 * a second one, Pulumi would drop everything.
 */
export const endedOnce = (signal: AbortSignal) =>
  ({
    all: true,
    reject: false,
    detached: true,
    cancelSignal: signal,
    killSignal: "SIGINT",
    forceKillAfterDelay: 60_000,
  }) as const;

export const runItAgain = "Correct what it says, then run the same command again: what is done stays done.";

/** Runs a command of the sandbox and returns its output. @throws Problem with the command's output if it fails */
export async function runCommand(
  context: CommandContext,
  command: string,
  args: readonly string[],
  input?: string,
): Promise<string> {
  const result = await execa(command, [...args], {
    cwd: context.cwd,
    env: context.env,
    ...endedOnce(context.signal),
    // The state of a thousand members exceeds execa's default.
    maxBuffer: constants.MAX_STRING_LENGTH,
    ...(input === undefined ? { stdin: "ignore" } : { input }),
  });
  if (context.signal.aborted) {
    throw new Interrupted();
  }
  if (result.exitCode !== 0) {
    throw new Problem(`'${command} ${args.slice(0, 2).join(" ")}' failed.`, {
      why: result.all?.trim().slice(-mostSaid) || result.shortMessage || "It said nothing.",
      remedy: runItAgain,
    });
  }
  return result.stdout;
}
