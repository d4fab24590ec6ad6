import { execa } from "execa";
import { Interrupted, Problem } from "../../../commands/common/problem.ts";
import { Family, type PartCosts } from "./family.ts";

/** How often the processes are looked at, in milliseconds: as much of the end of each is not seen. */
export const lookEvery = 50;

export interface Cost {
  readonly seconds: number;
  readonly parts: PartCosts;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Exit codes that are no failure. Default: 0 alone. */
  readonly fine?: readonly number[];
}

/**
 * Runs a command to its end and tells what that cost.
 * @throws Problem with its own words if it fails, Interrupted if the signal ends it
 */
export async function measured(command: Command, signal: AbortSignal): Promise<Cost> {
  const { program, args, cwd, env, fine = [0] } = command;
  const begun = performance.now();
  const child = execa(program, [...args], {
    cwd,
    env,
    extendEnv: false,
    all: true,
    reject: false,
    stdin: "ignore",
    // A process group of its own: Ctrl-C reaches us alone, and the child gets one SIGINT, from us.
    detached: true,
    cancelSignal: signal,
    killSignal: "SIGINT",
    forceKillAfterDelay: 60_000,
  });
  const family = new Family(child.pid ?? -1);
  const timer = setInterval(() => family.look(), lookEvery);
  const result = await child.finally(() => clearInterval(timer));
  const seconds = (performance.now() - begun) / 1000;
  if (signal.aborted) {
    throw new Interrupted();
  }
  if (!fine.includes(result.exitCode ?? -1)) {
    throw new Problem(`'${program} ${args.slice(0, 2).join(" ")}' failed.`, {
      why: result.all.trim().split("\n").slice(-40).join("\n") || result.shortMessage || "It said nothing.",
      remedy: "Mend what it says, and run the benchmark again.",
    });
  }
  return { seconds, parts: family.costs() };
}
