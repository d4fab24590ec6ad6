import { Interrupted, Problem } from "../../commands/common/problem.ts";
import { Display } from "../../commands/up/display.ts";
import { isFailure } from "../../commands/up/resultText.ts";
import { upAll } from "../../commands/up/up.ts";
import type { MemberStatus } from "../../plan/findings/status.ts";
import type { Change } from "../../runs/progress.ts";
import { repository } from "../paths.ts";
import { type CommandContext, runCommand, runItAgain } from "./commands.ts";

const stack = "dev";

const pulumi = (context: CommandContext, ...args: readonly string[]) =>
  runCommand(context, "pulumi", [...args, "--non-interactive", "--color", "never"]);

/** Creates the stack if necessary. */
export async function selectStack(context: CommandContext): Promise<void> {
  await pulumi(context, "stack", "select", "--create", stack);
}

/** What an up has done. */
interface Changes {
  readonly changed: boolean;
  /** Members whose namespaces it has deleted. */
  readonly removed: readonly string[];
}

/**
 * Brings the stack up as `kubecamp up` does: with a hundred members, `pulumi up` takes ten times as long.
 * @param show receives lines of progress
 */
export async function bringUp(context: CommandContext, show: (line: string) => void): Promise<Changes> {
  const { env, signal } = context;
  // It runs in this process, which works on nothing but the sandbox.
  Object.assign(process.env, env);
  const display = new Display(show);
  const run = { stack, folder: repository, member: [], all: false, refresh: false, yes: true, output: "json" } as const;
  const up = async () => (await upAll(run, display, signal)) ?? [];
  const cancelled = async () => {
    // Nobody else is at work on the sandbox, so that a run that was killed has left the lock.
    await pulumi(context, "cancel", "--yes", "--stack", stack);
    return await up();
  };
  const results = await up()
    .then((first) => (first.some(({ outcome }) => outcome === "locked") ? cancelled() : first))
    .finally(() => display.close());
  if (signal.aborted) {
    throw new Interrupted();
  }
  const failed = results.find(isFailure);
  if (failed !== undefined) {
    throw new Problem(`The stack '${stack}' is not as declared.`, { why: failed.reason ?? "", remedy: runItAgain });
  }
  return changesIn(results.flatMap(({ changes }) => changes));
}

export function changesIn(changes: readonly Change[]): Changes {
  const deleted = changes.filter(({ operation, type }) => operation === "delete" && type === namespaceType);
  return { changed: changes.length > 0, removed: deleted.map(({ name }) => name.replace(/\/.*/, "")) };
}

const namespaceType = "kubernetes:core/v1:Namespace";

/** The stack's output `members`. */
export async function readMembers(context: CommandContext): Promise<Record<string, MemberStatus>> {
  const text = await pulumi(context, "stack", "output", "members", "--json", "--stack", stack);
  return JSON.parse(text) as Record<string, MemberStatus>;
}
