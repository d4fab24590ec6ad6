import type { EngineEvent, PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { messageOf } from "../cluster/api/errors.ts";
import { holderText, type Lock, locksIn } from "./lock.ts";
import { type Change, Progress } from "./progress.ts";
import type { PulumiStack } from "./pulumiStack.ts";
import { errorText, notRefreshedText } from "./pulumiWords.ts";

export type PulumiUpResult = UpOutcome & {
  readonly notRefreshed?: string;
};

type UpOutcome =
  | {
      readonly outcome: "succeeded";
      readonly changes: readonly Change[];
    }
  /** Another run holds the lock or has left it; nothing was touched. Pulumi Cloud doesn't name the holder. */
  | { readonly outcome: "locked"; readonly by: string; readonly locks: readonly Lock[] }
  /** Ended by the signal or Ctrl-C: started operations are finished and in the state, and the lock is released. */
  | { readonly outcome: "cancelled"; readonly changes: readonly Change[] }
  | { readonly outcome: "failed"; readonly reason: string; readonly changes: readonly Change[] };

/** In which Pulumi acknowledges a signal that reached all processes: a second one would end it half-done. */
const grace = 3000;

export interface EngineRun {
  readonly kind: "up" | "preview";
  readonly program: PulumiFn;
  readonly refresh: boolean;
  readonly target?: string[];
}

/**
 * A refresh fails as a whole where one object has a text that Pulumi takes for a mark of its own protocol, which any
 * member can write into what is theirs; then this runs one without, or nobody would be served, and no access would end.
 */
export async function pulumiUp(
  stack: Pick<PulumiStack, "open" | "up" | "preview">,
  run: EngineRun,
  signal: AbortSignal,
  progress = new Progress(),
): Promise<PulumiUpResult> {
  const result = await oneUp(stack, run, signal, progress);
  const notRefreshed = run.refresh && result.outcome === "failed" ? notRefreshedText(result.reason) : undefined;
  if (notRefreshed === undefined) {
    return result;
  }
  progress.goOn(notRefreshed);
  return { ...(await oneUp(stack, { ...run, refresh: false }, signal, progress)), notRefreshed };
}

/** Runs Pulumi once. An abort of the signal ends it with a single SIGINT, unless Pulumi is ending already. */
async function oneUp(
  stack: Pick<PulumiStack, "open" | "up" | "preview">,
  { kind, ...run }: EngineRun,
  signal: AbortSignal,
  progress: Progress,
): Promise<UpOutcome> {
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
    // An early SIGINT would end Pulumi at once, half-done. Once it sends events, it handles the signal.
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
    await stack.open();
    // Opening takes half a second, in which nobody but this hears the signal.
    if (signal.aborted) {
      return { outcome: "cancelled", changes: [] };
    }
    // No output shows secrets; and to show them in its history, the API would write a file for the stack.
    // A refresh must not run the program, whatever the environment says.
    const quiet = { color: "never", showSecrets: false, runProgram: false } as const;
    const parts = { ...run, ...quiet, signal: stop.signal, onEvent, onError };
    // One member's failure must not stop the others'. Pulumi then deletes nothing, since its SDK (before 3.276) has the
    // program fail with the resource; access has ended before.
    await (kind === "up" ? stack.up({ ...parts, continueOnError: true }) : stack.preview(parts));
    return { outcome: "succeeded", changes: progress.changes };
  } catch (error) {
    return unsuccessful(error, stderr, progress, signal.aborted || heeded);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** Reason why an up did not succeed, with the way out; undefined if it did. */
export function failureText(result: PulumiUpResult, stack: string): string | undefined {
  switch (result.outcome) {
    case "succeeded":
      return undefined;
    case "locked":
      return `${result.by} has its lock; wait for it; if it is gone, run: pulumi cancel --stack ${stack}`;
    case "cancelled":
      return "it was interrupted; what it had begun is finished and recorded, unless a second signal ended it. Run it again";
    case "failed":
      return result.reason;
  }
}

const lockedBy = (locks: readonly Lock[]): Extract<UpOutcome, { outcome: "locked" }> => ({
  outcome: "locked",
  by: locks.map(holderText).join(" and ") || "another update of this stack",
  locks,
});

/** The Automation API threw `error`. @param stderr Pulumi's output beside its progress */
function unsuccessful(
  error: unknown,
  stderr: string,
  { errors, changes }: Pick<Progress, "errors" | "changes">,
  cancelled: boolean,
): UpOutcome {
  const text = messageOf(error);
  // Checks the name, since the class would need the Automation API.
  if (error instanceof Error && error.name === "ConcurrentUpdateError") {
    return lockedBy(locksIn(text));
  }
  if (cancelled) {
    return { outcome: "cancelled", changes };
  }
  return { outcome: "failed", reason: errors ?? errorText(stderr || text), changes };
}
