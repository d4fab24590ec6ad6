import { constants } from "node:buffer";
import { execa } from "execa";
import { Interrupted, Problem } from "../../../commands/common/problem.ts";

export interface CommandContext {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Called with each line of output. */
  readonly onLine?: (line: string) => void;
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

/** Runs a command of the sandbox and returns its output. @throws Problem with the command's output if it fails */
export async function runCommand(
  context: CommandContext,
  command: string,
  args: readonly string[],
  input?: string,
): Promise<string> {
  const child = execa(command, [...args], {
    cwd: context.cwd,
    env: context.env,
    ...endedOnce(context.signal),
    // The state of a thousand members exceeds execa's default.
    maxBuffer: constants.MAX_STRING_LENGTH,
    ...(input === undefined ? { stdin: "ignore" } : { input }),
  });
  if (context.onLine !== undefined) {
    for await (const line of child.iterable({ from: "all" })) if (line.trim() !== "") context.onLine(line.trim());
  }
  const result = await child;
  if (context.signal.aborted) throw new Interrupted();
  if (result.exitCode !== 0) {
    throw new Problem(`'${command} ${args.slice(0, 2).join(" ")}' failed.`, {
      why: result.all?.trim().slice(-mostSaid) || result.shortMessage || "It said nothing.",
      remedy: "Correct what it says, then run the same command again: what is done stays done.",
    });
  }
  return result.stdout;
}
