import { readdir, readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { MemberStatus } from "../../../plan/findings/status.ts";
import { isAlive } from "../processes.ts";
import type { Sandbox } from "../sandbox.ts";
import { type CommandContext, runCommand } from "./commands.ts";

const stack = "dev";

const pulumi = (context: CommandContext, ...args: readonly string[]) =>
  runCommand(context, "pulumi", [...args, "--non-interactive", "--color", "never"]);

/** Creates the stack if necessary, and removes the lock of a run that was killed. */
export async function selectStack(sandbox: Sandbox, context: CommandContext): Promise<void> {
  await pulumi(context, "stack", "select", "--create", stack);
  const holders = await lockHolders(join(sandbox.pulumiState, ".pulumi", "locks"));
  if (holders.length > 0 && holders.every(({ pid, host }) => host === hostname() && !isAlive(pid))) {
    await pulumi(context, "cancel", "--yes", "--stack", stack);
  }
}

/** What an up has done. */
interface Changes {
  readonly changed: boolean;
  /** Members whose namespaces it has deleted. */
  readonly removed: readonly string[];
}

/** Brings the stack up. */
export async function bringUp(context: CommandContext): Promise<Changes> {
  return changesIn(await pulumi(context, "up", "--yes", "--skip-preview", "--stack", stack));
}

/** @param output of `pulumi up` */
export function changesIn(output: string): Changes {
  const deleted = output.matchAll(/^ -\s+kubernetes:core\/v1:Namespace (\S+)\/namespace deleted /gm);
  return {
    changed: /^\s+[+~±-]+\s?\d+ (created|updated|replaced|deleted)/m.test(output),
    removed: [...deleted].flatMap(([, member = []]) => member),
  };
}

/** The stack's output `members`. */
export async function readMembers(context: CommandContext): Promise<Record<string, MemberStatus>> {
  const text = await pulumi(context, "stack", "output", "members", "--json", "--stack", stack);
  return JSON.parse(text) as Record<string, MemberStatus>;
}

async function lockHolders(folder: string): Promise<{ pid: number; host: string }[]> {
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  const locks = files.filter((file) => file.endsWith(".json"));
  return Promise.all(
    locks.map(async (file) => {
      const lock = JSON.parse(await readFile(join(folder, file), "utf8")) as { pid?: number; hostname?: string };
      return { pid: lock.pid ?? 0, host: lock.hostname ?? "" };
    }),
  );
}
