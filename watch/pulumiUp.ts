import {
  ConcurrentUpdateError,
  type EngineEvent,
  type Stack,
  type UpOptions,
} from "@pulumi/pulumi/automation/index.js";
import type { MemberStatus } from "../components/status.ts";
import { holderText, type Lock, locksIn } from "./lock.ts";
import { type Change, Progress } from "./progress.ts";
import { errorText } from "./pulumiWords.ts";

/** What became of an up. */
export type UpResult =
  | {
      readonly outcome: "succeeded";
      readonly changes: readonly Change[];
      /** The stack's output `members`. */
      readonly statuses: Readonly<Record<string, MemberStatus>>;
    }
  /** Somebody else's is under way, or has left its lock; nothing was touched. Pulumi Cloud doesn't tell whose it is. */
  | { readonly outcome: "locked"; readonly by: string; readonly locks: readonly Lock[] }
  /** By the signal, or by Ctrl-C: what it had begun is finished and written down, and the lock is given back. */
  | { readonly outcome: "cancelled"; readonly changes: readonly Change[] }
  /** With the program's or engine's own words. */
  | { readonly outcome: "failed"; readonly reason: string; readonly changes: readonly Change[] };

/**
 * Runs one `pulumi up`, which an abort of the signal ends with a single SIGINT.
 * @param options of the API: `refresh` and `target`
 */
export async function pulumiUp(
  stack: Pick<Stack, "up">,
  options: Pick<UpOptions, "refresh" | "target">,
  signal: AbortSignal,
): Promise<UpResult> {
  const progress = new Progress();
  if (signal.aborted) {
    return { outcome: "cancelled", changes: [] };
  }
  const stop = new AbortController();
  let begun = false;
  const abort = () => {
    // Before Pulumi heeds it, a SIGINT would end it at once; by the time that it tells what it does, it does heed it.
    if (begun && signal.aborted) {
      stop.abort();
    }
  };
  const onEvent = (event: EngineEvent) => {
    progress.take(event);
    begun = true;
    abort();
  };
  let stderr = "";
  const onError = (text: string) => {
    stderr += text;
  };
  signal.addEventListener("abort", abort);
  try {
    const { outputs } = await stack.up({ ...options, color: "never", signal: stop.signal, onEvent, onError });
    return { outcome: "succeeded", changes: progress.changes, statuses: outputs.members?.value ?? {} };
  } catch (error) {
    return unsuccessful(error, stderr, progress, signal.aborted);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/**
 * What an up came to that Pulumi's API has thrown an error for.
 * @param stderr what Pulumi printed beside its progress
 */
export function unsuccessful(
  error: unknown,
  stderr: string,
  { errors, changes }: Pick<Progress, "errors" | "changes">,
  aborted: boolean,
): UpResult {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof ConcurrentUpdateError) {
    const locks = locksIn(text);
    return { outcome: "locked", by: locks.map(holderText).join(" and ") || "another update of this stack", locks };
  }
  if (aborted || /update cancell?ed/.test(text)) {
    return { outcome: "cancelled", changes };
  }
  return { outcome: "failed", reason: errors ?? errorText(stderr || text), changes };
}
