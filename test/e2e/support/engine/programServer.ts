import { createRequire, registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { dateOf } from "../heldClock.mjs";
import { entries } from "./entries.ts";

/**
 * Runs the program again and again for warmProgram.ts, each time by the SDK's own starter and to the same end: when nothing
 * is left to do. Between two runs nothing stays of the SDK's state, of the environment and of the program itself, which are made anew;
 * what they have loaded stays.
 */

export interface Start {
  /** The starter's module, and what it is called with. */
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

export interface Printed {
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

export interface Finished {
  /** The exit code that the program would have ended with. */
  readonly code: number;
}

/** The starter tells the engine that the program is over when Node has said this for the second time. */
const lastEnd = 3;

const require = createRequire(import.meta.url);
const settings = require("@pulumi/pulumi/runtime/settings") as { disconnectSync(): void };
const logModule = require.resolve("@pulumi/pulumi/log");
const log = require(logModule) as object;
const channel = process.channel;
if (process.send === undefined || channel === undefined) {
  throw new Error("This is started by warmProgram.ts alone");
}
const send = process.send.bind(process) as (message: Printed | Finished) => boolean;

let runs = 0;
const programs = entries.map((entry) => pathToFileURL(entry).href);
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    return programs.includes(resolved.url) ? { ...resolved, url: `${resolved.url}?run=${runs}` } : resolved;
  },
});

// One channel for both: what is printed comes before the word that the run is over.
for (const stream of ["stdout", "stderr"] as const) {
  process[stream].write = (text: Uint8Array | string) => send({ stream, text: String(text) });
}

process.on("message", ({ args, environment }: Start) => {
  const [starter = ""] = args;
  runs += 1;
  for (const name of Object.keys(process.env)) {
    delete process.env[name];
  }
  Object.assign(process.env, environment);
  globalThis.Date = dateOf(environment.KUBECAMP_TEST_CLOCK);
  process.argv = [process.execPath, ...args];
  // A connection that something of the last run has opened after its end would lead to an engine that is gone.
  settings.disconnectSync();
  // One message that could not be delivered holds up all that come after it, for which the SDK has a variable of its own.
  delete require.cache[logModule];
  Object.assign(log, require(logModule));
  Object.assign(globalThis, { globalStore: undefined });
  // Without the channel, Node notices when nothing is left to do.
  channel.unref();
  process.on("beforeExit", noticeEnd());
  for (const module of [starter, join(starter, "../run.js")]) {
    delete require.cache[module];
  }
  require(starter);
});
process.on("disconnect", () => process.exit());

function noticeEnd(): () => void {
  let ends = 0;
  return () => {
    ends += 1;
    if (ends < lastEnd) {
      setImmediate(() => undefined);
      return;
    }
    // The starter knows the exit code by now; what it has subscribed to is about this run.
    process.emit("exit", Number(process.exitCode ?? 0));
    const code = Number(process.exitCode ?? (isCutOff() ? 1 : 0));
    process.exitCode = undefined;
    for (const event of ["beforeExit", "exit", "uncaughtException", "unhandledRejection"]) {
      process.removeAllListeners(event);
    }
    globalThis.Date = dateOf(undefined);
    channel?.ref();
    send({ code });
  };
}

/** Whether the SDK has lost the engine: it does nothing more then, without a word, which must not pass for a program's end. */
function isCutOff(): boolean {
  const { globalStore } = globalThis as { globalStore?: { terminated?: boolean } };
  return globalStore?.terminated === true;
}
