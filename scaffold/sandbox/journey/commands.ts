import { constants } from "node:buffer";
import { execa } from "execa";
import { Interrupted, Problem } from "../../../commands/common/problem.ts";

export interface CommandContext {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Told each line as it comes, for a display. */
  readonly onLine?: (line: string) => void;
}

/** Characters of a command's last words in a message. */
const mostSaid = 4_000;

/**
 * Has a child in a process group of its own: Ctrl-C reaches us alone, and the child gets one SIGINT, from us. Pulumi takes a
 * second one as the order to drop everything.
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

/** Runs a command of the sandbox to its end and returns what it printed; a failure becomes a Problem with its own words. */
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
    // The state of a thousand members is more than execa would take.
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
      remedy: "Mend what it says, then run the same command again: what is done stays done.",
    });
  }
  return result.stdout;
}
