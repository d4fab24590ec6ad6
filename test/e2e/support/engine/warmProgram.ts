import { type ChildProcess, fork } from "node:child_process";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { repository } from "../../../../scaffold/sandbox/paths.ts";
import {
  type Caller,
  findRunModule,
  type Outcome,
  outcomeOf,
  type ProgramRunner,
  runProgram,
  stopOnAbort,
} from "../../../../scaffold/sandbox/standins/language/program.ts";
import { entries } from "./entries.ts";
import type { Finished, Printed, Start } from "./programServer.ts";

/**
 * Runs the repository's own programs in a process that keeps what it has loaded for the next run: a start is a third of a
 * small run's CPU. All else gets a process of its own, as every program does that a user runs: a copy of the program, one
 * with options for Node, and one that is wanted while another runs.
 */
export const runWarmProgram: ProgramRunner = async (invocation, caller, signal) => {
  const { args, env } = invocation;
  const environment = { ...caller.environment, ...env };
  const entry = await realpath(join(args[args.indexOf("--pwd") + 1] ?? "", "index.ts")).catch(() => undefined);
  const isOurs = args[0] === findRunModule(repository) && entry !== undefined && entries.includes(entry);
  const fits = Object.values(environment).every((value) => value === undefined || value.length < longestVariable);
  if (!isOurs || !fits || busy || environment.NODE_OPTIONS !== process.env.NODE_OPTIONS) {
    return await runProgram(invocation, caller, signal);
  }
  busy = true;
  server = server?.connected ? server : start();
  try {
    return await runIn(server, { args, environment }, caller, signal);
  } finally {
    busy = false;
    // An aborted process may have lost its engine, so no other run uses it.
    if (signal.aborted) {
      server.kill("SIGKILL");
      server = undefined;
    }
  }
};

/** Linux takes no longer one, MAX_ARG_STRLEN, which is the system's to say. */
const longestVariable = 128 * 1024;

let busy = false;
let server: ChildProcess | undefined;

async function runIn(program: ChildProcess, start: Start, caller: Caller, signal: AbortSignal): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const hear = (message: Printed | Finished): void => {
    if ("code" in message) resolve(outcomeOf(message.code, null));
    else caller[message.stream].write(message.text);
  };
  const end = (code: number | null, by: NodeJS.Signals | null): void => resolve(outcomeOf(code, by));
  program.on("message", hear).once("close", end);
  const forget = stopOnAbort(program, signal);
  program.send(start);
  try {
    return await promise;
  } finally {
    program.off("message", hear).off("close", end);
    forget();
  }
}

/** It ends with us: its channel closes. */
function start(): ChildProcess {
  const program = fork(fileURLToPath(new URL("programServer.ts", import.meta.url)), { cwd: repository, execArgv: [] });
  program.unref();
  program.channel?.unref();
  return program;
}
