import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Invocation } from "./invocation.ts";

/** The SDK exits with this when it has told the person already what is wrong. */
const saidItsError = 32;

/** How long a program may take to end after it was asked to. */
const patience = 5000;

export interface Outcome {
  readonly error: string;
  readonly bail: boolean;
}

/** The SDK's own starter of programs, as the program's folder resolves it. */
export function findRunModule(programFolder: string): string {
  try {
    return createRequire(join(programFolder, "package.json")).resolve("@pulumi/pulumi/cmd/run");
  } catch {
    throw new Error("It looks like the Pulumi SDK has not been installed. Have you run npm ci?");
  }
}

/** Variables of the one that asks for a program to be run, and where the program's output goes. */
export interface Caller {
  readonly environment: NodeJS.ProcessEnv;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/**
 * Runs a program to its end, its output passed on.
 * @param signal asks it to end before
 */
export type ProgramRunner = (invocation: Invocation, caller: Caller, signal: AbortSignal) => Promise<Outcome>;

/** In a process of its own. The Node is the PATH's, not the one that runs us. */
export const runProgram: ProgramRunner = async ({ args, env }, { environment, stdout, stderr }, signal) => {
  try {
    // Throws where the system refuses it at once, as it does a configuration that is longer than a variable may be.
    const child = spawn("node", args, { env: { ...environment, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    stopOnAbort(child, signal);
    child.stdout.pipe(stdout, { end: false });
    child.stderr.pipe(stderr, { end: false });
    // 'close' comes after the last of the output, which Pulumi must have before it hears that the program is over.
    const [code, by] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    return outcomeOf(code, by);
  } catch (error) {
    const reason = reasonOf(error);
    return { error: `Problem executing program (could not run language executor): ${reason}`, bail: false };
  }
};

/**
 * Asks a program to end when it is told to, and sees to it that it does.
 * @returns takes that back, for a process that outlives its program
 */
export function stopOnAbort(child: ChildProcess, signal: AbortSignal): () => void {
  const stop = (): void => {
    child.kill("SIGINT");
    const timer = setTimeout(() => child.kill("SIGKILL"), patience);
    child.once("close", () => clearTimeout(timer));
  };
  signal.addEventListener("abort", stop, { once: true });
  return () => signal.removeEventListener("abort", stop);
}

/** In the system's words, as the official host has them. */
function reasonOf(error: unknown): string {
  const { code, message } = Object(error) as NodeJS.ErrnoException;
  return code === "E2BIG" ? "fork/exec node: argument list too long" : (message ?? String(error));
}

export function outcomeOf(code: number | null, signal: NodeJS.Signals | null): Outcome {
  if (code === 0) return { error: "", bail: false };
  if (code === saidItsError) return { error: "", bail: true };
  return {
    error: code === null ? `Program was ended by ${signal}` : `Program exited with non-zero exit code: ${code}`,
    bail: false,
  };
}
