import { Readable } from "node:stream";
import { execa } from "execa";
import { clonesCommand } from "../../../sandbox/kubecamp.ts";
import { repository } from "../../../sandbox/paths.ts";
import { dateOf } from "../support/heldClock.mjs";
import type { CommandResult } from "../support/sandbox.ts";
import { withEnvironment } from "../support/withEnvironment.ts";

interface Surroundings {
  readonly cwd?: string;
  /** What it reads from stdin, as from a pipe; only in this process. Default: nothing. */
  readonly stdin?: string;
  /** Variables added to this process's environment. Those of a held clock count here, too. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the command line as npm does, in its own process. Never throws: check the exit code. */
export async function kubecampProcess(
  args: readonly string[],
  { cwd = repository, env = {} }: Surroundings = {},
): Promise<CommandResult> {
  const command = `${repository}/bin/kubecamp.mjs`;
  const result = await execa(process.execPath, [command, ...args], { cwd, env, reject: false });
  return { exitCode: result.exitCode ?? -1, stdout: result.stdout, stderr: result.stderr };
}

/**
 * Runs the command line at a terminal of its own, where somebody answers one question.
 * @returns output as the terminal gets it
 */
export async function kubecampAtTerminal(
  args: readonly string[],
  answer: string,
  { cwd = repository, env = {} }: Surroundings = {},
): Promise<Pick<CommandResult, "exitCode" | "stdout">> {
  const command = [process.execPath, `${repository}/bin/kubecamp.mjs`, ...args].map((word) => `'${word}'`).join(" ");
  // A terminal of its own has no width yet.
  const words = `stty columns 120; ${command}`;
  const options = { cwd, env, input: `${answer}\n`, reject: false } as const;
  const result = await execa("script", ["--quiet", "--return", "--command", words, "/dev/null"], options);
  return { exitCode: result.exitCode ?? -1, stdout: result.stdout.replaceAll("\r", "") };
}

let lastRun: Promise<unknown> = Promise.resolve();

/**
 * Runs the command line in this process, which saves a second of loading packages. One runs at a time, since folder,
 * environment and output belong to the process. A command that fails has its exit code; what the command line would not catch
 * is thrown.
 */
export async function kubecamp(args: readonly string[], surroundings: Surroundings = {}): Promise<CommandResult> {
  const run = lastRun.then(() => runHere(args, surroundings));
  lastRun = run.catch(() => undefined);
  return await run;
}

async function runHere(
  args: readonly string[],
  { cwd = repository, env = {}, stdin = "" }: Surroundings,
): Promise<CommandResult> {
  const before = { folder: process.cwd(), exitCode: process.exitCode };
  const endStdin = replaceStdin(stdin);
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  const { exit } = process;
  process.exit = (code) => {
    throw new Exit(Number(code ?? process.exitCode ?? 0));
  };
  const { Date: clock } = globalThis;
  globalThis.Date = dateOf(env.KUBECAMP_TEST_CLOCK);
  process.exitCode = undefined;
  process.chdir(cwd);
  try {
    const exitCode = await withEnvironment(env, () => clonesCommand().parseAsync(args, { from: "user" })).then(
      () => Number(process.exitCode ?? 0),
      exitCodeOf,
    );
    return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    globalThis.Date = clock;
    process.chdir(before.folder);
    process.exitCode = before.exitCode;
    process.exit = exit;
    endStdin();
    stdout.end();
    stderr.end();
  }
}

/** Thrown where commander exits the process. Commands must not exit so: `report` and `run` would count it as a failure. */
class Exit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof Exit) {
    return error.code;
  }
  throw error;
}

/** @returns what gives the process its own one back */
function replaceStdin(text: string): () => void {
  const own = Object.getOwnPropertyDescriptor(process, "stdin") ?? {};
  Object.defineProperty(process, "stdin", { configurable: true, value: Readable.from([Buffer.from(text)]) });
  return () => void Object.defineProperty(process, "stdin", own);
}

/** Keeps the output until the end. Like a pipe, the stream is no terminal meanwhile. */
function capture(stream: NodeJS.WriteStream): { readonly text: () => string; readonly end: () => void } {
  let written = "";
  const own = { write: stream.write, isTTY: stream.isTTY, columns: stream.columns };
  const piped = {
    write: (chunk: string | Uint8Array, ...[encoding, done = encoding]: unknown[]) => {
      written += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
      if (typeof done === "function") {
        done();
      }
      return true;
    },
    isTTY: false,
    columns: undefined,
  };
  Object.assign(stream, piped);
  return { text: () => written.replace(/\n$/, ""), end: () => void Object.assign(stream, own) };
}
