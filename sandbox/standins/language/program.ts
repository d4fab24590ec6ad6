import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Invocation } from "./invocation.ts";

/** The SDK's exit code after it has printed the error itself. */
const errorReportedCode = 32;

/** Milliseconds for a program to end after SIGINT. */
const patience = 5000;

export interface Outcome {
  readonly error: string;
  readonly bail: boolean;
}

/** The SDK's program starter, resolved from the program's folder. */
export function findRunModule(programFolder: string): string {
  try {
    return createRequire(join(programFolder, "package.json")).resolve("@pulumi/pulumi/cmd/run");
  } catch {
    throw new Error("It looks like the Pulumi SDK has not been installed. Have you run npm ci?");
  }
}

/** Environment of the process that runs the program, and streams for the program's output. */
export interface Caller {
  readonly environment: NodeJS.ProcessEnv;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/**
 * Runs a program to its end and forwards its output.
 * @param signal asks the program to end early
 */
export type ProgramRunner = (invocation: Invocation, caller: Caller, signal: AbortSignal) => Promise<Outcome>;

/** Runs a program in a process of its own, with the Node on the PATH rather than this one. */
export const runProgram: ProgramRunner = async ({ args, env }, { environment, stdout, stderr }, signal) => {
  try {
    // Throws if the system refuses at once, such as a configuration longer than a variable may be.
    const child = spawn("node", args, { env: { ...environment, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    stopOnAbort(child, signal);
    child.stdout.pipe(stdout, { end: false });
    child.stderr.pipe(stderr, { end: false });
    // 'close' follows the last output, which Pulumi must get before it hears that the program has ended.
    const [code, by] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    return outcomeOf(code, by);
  } catch (error) {
    const reason = reasonOf(error);
    return { error: `Problem executing program (could not run language executor): ${reason}`, bail: false };
  }
};

/** Ends a program when the signal is aborted, by force if necessary. */
function stopOnAbort(child: ChildProcess, signal: AbortSignal): void {
  const stop = (): void => {
    child.kill("SIGINT");
    const timer = setTimeout(() => child.kill("SIGKILL"), patience);
    child.once("close", () => clearTimeout(timer));
  };
  signal.addEventListener("abort", stop, { once: true });
}

/** The system's message, as in the official host. */
function reasonOf(error: unknown): string {
  const { code, message } = Object(error) as NodeJS.ErrnoException;
  return code === "E2BIG" ? "fork/exec node: argument list too long" : (message ?? String(error));
}

export function outcomeOf(code: number | null, signal: NodeJS.Signals | null): Outcome {
  if (code === 0) {
    return { error: "", bail: false };
  }
  if (code === errorReportedCode) {
    return { error: "", bail: true };
  }
  return {
    error: code === null ? `Program was ended by ${signal}` : `Program exited with non-zero exit code: ${code}`,
    bail: false,
  };
}
