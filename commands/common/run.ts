import { constants } from "node:os";
import { InvalidArgumentError, Option } from "commander";
import { withPages } from "../../config/values/pages.ts";
import { describeProblem, Interrupted } from "./problem.ts";

/** Milliseconds: under npm, one Ctrl-C arrives twice, from the terminal and npm. Only a later one means "at once". */
const sameKeystroke = 1000;

/** Exit code after Ctrl-C, as shells have it: 128 and the number of SIGINT. */
const interrupted = 130;

/** Runs a command's work; prints an error and sets the exit code if it fails. */
export async function report(work: () => Promise<void>, failure = 1): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(withPages(describeProblem(error)));
    process.exitCode = error instanceof Interrupted ? interrupted : failure;
  }
}

async function hearing(listener: NodeJS.SignalsListener, work: () => Promise<void>): Promise<void> {
  const ending = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of ending) {
    process.on(signal, listener);
  }
  try {
    await work();
  } finally {
    for (const signal of ending) {
      process.off(signal, listener);
    }
  }
}

/** Runs a command's work. Ctrl-C and the like exit at once: only an exit removes temporary folders. */
export async function reportOrExit(work: () => Promise<void>, failure?: number): Promise<void> {
  const exit = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal]);
  await hearing(exit, () => report(work, failure));
}

/** Runs a command's work with a signal that Ctrl-C, SIGTERM or SIGHUP aborts; prints an error and sets the exit code if it fails. */
export async function run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  let interruptedAt = 0;
  const interrupt = (): void => {
    if (controller.signal.aborted && Date.now() - interruptedAt > sameKeystroke) {
      process.exit(interrupted);
    }
    if (controller.signal.aborted) {
      return;
    }
    interruptedAt = Date.now();
    console.error("\nStopping…");
    controller.abort();
  };
  const worked = () =>
    work(controller.signal).catch((error: unknown) => {
      throw controller.signal.aborted ? new Interrupted() : error;
    });
  await hearing(interrupt, () => report(worked));
}

/** Keeps a command on one cluster from start to end, whatever `kubectl config use-context` sets meanwhile. */
export async function onOneCluster(work: () => Promise<void>): Promise<void> {
  const { withPinnedKubeconfig } = await import("../../cluster/api/kubeconfig/pinnedKubeconfig.ts");
  await withPinnedKubeconfig(work);
}

/** The option for a command's output format; the first format is the default. */
export const outputOption = (...formats: readonly string[]) =>
  new Option("-o, --output <format>", "output format").choices(formats).default(formats[0]);

export function wholeNumber(from: number, to = Number.POSITIVE_INFINITY): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < from || number > to) {
      throw new InvalidArgumentError(`It takes a whole number from ${from}${Number.isFinite(to) ? ` to ${to}` : ""}.`);
    }
    return number;
  };
}

export const collected = (value: string, before: readonly string[]): readonly string[] => [...before, value];
