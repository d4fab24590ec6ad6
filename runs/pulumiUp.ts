import type { EngineEvent, UpOptions } from "@pulumi/pulumi/automation/index.js";
import { messageOf } from "../cluster/api/message.ts";
import { holderText, type Lock, locksIn } from "./lock.ts";
import { type Change, Progress } from "./progress.ts";
import type { PulumiStack } from "./pulumiStack.ts";
import { errorText } from "./pulumiWords.ts";

/** What became of an up. */
export type PulumiUpResult =
  | {
      readonly outcome: "succeeded";
      readonly changes: readonly Change[];
    }
  /** Somebody else's is under way, or has left its lock; nothing was touched. Pulumi Cloud doesn't tell whose it is. */
  | { readonly outcome: "locked"; readonly by: string; readonly locks: readonly Lock[] }
  /** By the signal, or by Ctrl-C: what it had begun is finished and written down, and the lock is given back. */
  | { readonly outcome: "cancelled"; readonly changes: readonly Change[] }
  /** With the program's or engine's own words. */
  | { readonly outcome: "failed"; readonly reason: string; readonly changes: readonly Change[] };

/**
 * A signal may go to all processes of a terminal or service at once. Within so many milliseconds Pulumi has said that it
 * heeds it, and must not be told again: the second time it ends at once, half-done.
 */
const grace = 3000;

/**
 * Runs one `pulumi up`, which an abort of the signal ends with a single SIGINT, unless Pulumi is ending already.
 * @param options of the API: `refresh` and `target`
 * @param progress takes what the engine tells, for whoever shows it
 */
export async function pulumiUp(
  stack: Pick<PulumiStack, "up">,
  options: Pick<UpOptions, "refresh" | "target">,
  signal: AbortSignal,
  progress = new Progress(),
): Promise<PulumiUpResult> {
  if (signal.aborted) {
    return { outcome: "cancelled", changes: [] };
  }
  const stop = new AbortController();
  let begun = false;
  let heeded = false;
  // After its summary Pulumi writes the state and frees its lock. It heeds no signal any more: one would end it with its lock left.
  let summed = false;
  let timer: NodeJS.Timeout | undefined;
  const abort = () => {
    // Before Pulumi heeds it, a SIGINT would end it at once; by the time that it tells what it does, it does heed it.
    if (begun && signal.aborted) {
      timer ??= setTimeout(() => heeded || summed || stop.abort(), grace);
    }
  };
  const onEvent = (event: EngineEvent) => {
    progress.take(event);
    begun = true;
    summed ||= event.summaryEvent !== undefined;
    heeded ||= /received; cancelling/.test(event.stdoutEvent?.message ?? "");
    abort();
  };
  let stderr = "";
  const onError = (text: string) => {
    stderr += text;
  };
  signal.addEventListener("abort", abort);
  try {
    // Of secrets there is nothing to show; and to show them in its history, Pulumi would write a file for the stack.
    const quiet = { color: "never", showSecrets: false } as const;
    // What fails is one member's trouble: everybody else's is made all the same. Pulumi deletes nothing then; access has ended before.
    const whole = { ...quiet, continueOnError: true };
    // A refresh is told not to run the program, whatever the environment says: a target is good for one run of it.
    await stack.up({ ...options, ...whole, runProgram: false, signal: stop.signal, onEvent, onError });
    return { outcome: "succeeded", changes: progress.changes };
  } catch (error) {
    return unsuccessful(error, stderr, progress, signal.aborted || heeded);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** Why an up did not succeed, with the way out; undefined where it did. */
export function reasonOf(result: PulumiUpResult, stack: string): string | undefined {
  switch (result.outcome) {
    case "succeeded":
      return undefined;
    case "locked":
      return `${result.by} has its lock; wait for it, or free it if that is gone: pulumi cancel --stack ${stack}`;
    case "cancelled":
      return "it was interrupted; what it had begun is finished and noted. Run it again";
    case "failed":
      return result.reason;
  }
}

/** That somebody has the stack's lock; none are named where the backend does not tell. */
export const lockedBy = (locks: readonly Lock[]): Extract<PulumiUpResult, { outcome: "locked" }> => ({
  outcome: "locked",
  by: locks.map(holderText).join(" and ") || "another update of this stack",
  locks,
});

/**
 * What an up came to that Pulumi's API has thrown an error for.
 * @param stderr what Pulumi printed beside its progress
 * @param cancelled whether it was told to end
 */
function unsuccessful(
  error: unknown,
  stderr: string,
  { errors, changes }: Pick<Progress, "errors" | "changes">,
  cancelled: boolean,
): PulumiUpResult {
  const text = messageOf(error);
  // By its name: to know the class, Pulumi's API would have to be loaded.
  if (error instanceof Error && error.name === "ConcurrentUpdateError") {
    return lockedBy(locksIn(text));
  }
  if (cancelled) {
    return { outcome: "cancelled", changes };
  }
  return { outcome: "failed", reason: errors ?? errorText(stderr || text), changes };
}
