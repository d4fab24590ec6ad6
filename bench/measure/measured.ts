import { execa } from "execa";
import { Interrupted, Problem } from "../../commands/common/problem.ts";
import { endedOnce } from "../../sandbox/journey/commands.ts";
import { Family, type PartCosts } from "./family.ts";

/** Milliseconds between samples of the processes: so much of each process's end is missed. */
export const lookEvery = 50;

export interface Cost {
  readonly seconds: number;
  /** Of all processes together. */
  readonly peakMiB: number;
  readonly parts: PartCosts;
}

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Runs a command to its end and measures its cost.
 * @throws Problem with the command's output if it fails, Interrupted if the signal ends it
 */
export async function measured(command: Command, signal: AbortSignal): Promise<Cost> {
  const { program, args, cwd, env } = command;
  const begun = performance.now();
  const child = execa(program, [...args], {
    cwd,
    env,
    extendEnv: false,
    stdin: "ignore",
    ...endedOnce(signal),
  });
  const family = new Family(child.pid ?? -1);
  const timer = setInterval(() => family.look(), lookEvery);
  const result = await child.finally(() => clearInterval(timer));
  const seconds = (performance.now() - begun) / 1000;
  if (signal.aborted) {
    throw new Interrupted();
  }
  if (result.exitCode !== 0) {
    throw new Problem(`'${program} ${args.slice(0, 2).join(" ")}' failed.`, {
      why: result.all.trim().split("\n").slice(-40).join("\n") || result.shortMessage || "It said nothing.",
      remedy: "Correct what it says, and run the benchmark again.",
    });
  }
  return { seconds, peakMiB: family.peakMiB, parts: family.costs() };
}
