import { resolve } from "node:path";
import { LocalWorkspace, Stack } from "@pulumi/pulumi/automation/index.js";
import { RunError } from "@pulumi/pulumi/errors.js";
import { narrowing } from "../../config/aim.ts";
import { stackFile } from "../../config/files.ts";
import { configurationOf } from "../../config/load.ts";
import type { Configuration } from "../../config/settings.ts";
import { project } from "../../config/sources.ts";
import { isTooLong, withAim } from "./aimedRun.ts";
import { Doubts } from "./doubts.ts";
import { holderText, isAbandoned, type Lock, ownProcesses } from "./lock.ts";
import { type UpResult as Once, pulumiUp } from "./pulumiUp.ts";
import { inWords } from "./pulumiWords.ts";

export type { Change } from "./progress.ts";

/** Whom an up is about. */
export interface UpRequest {
  /** Names of members; undefined or none: all of it. */
  readonly aim: readonly string[] | undefined;
  /** Whether Pulumi looks first at what is there, of the aimed members alone if there is an aim. */
  readonly refresh: boolean;
}

/** What became of an up, and what it had to free first. */
export type UpResult = Once & { readonly recovered?: string };

/** A stack that is brought up again and again. */
export interface StackRunner {
  /**
   * The stack's configuration as it is now, decrypted as Pulumi has it.
   * @throws RunError naming every mistake, or why Pulumi can't read it
   */
  configuration(): Promise<Configuration>;
  /**
   * Brings the stack up; one after the other, if several are asked for. After a failure, and after the start, it refreshes
   * what the last one may have left half-done, whether asked to or not. It frees a lock whose holder ran on this machine
   * and is gone, and tries again.
   * @param signal ends it with one SIGINT to Pulumi, which finishes what it has begun. Abort it on SIGTERM. Ctrl-C in a
   *   terminal reaches Pulumi by itself, so that on SIGINT there is only the end to be waited for; an abort does no harm.
   */
  up(request: UpRequest, signal: AbortSignal): Promise<UpResult>;
  /** The files whose edits matter, absolute: `Pulumi.yaml`, `Pulumi.<stack>.yaml`, and the members file as last read. */
  files(): readonly string[];
}

/** A project's stack. */
export interface StackOptions {
  /** The project's, with `Pulumi.yaml`. */
  readonly folder: string;
  readonly stack: string;
  /** Instead of `Pulumi.<stack>.yaml`. */
  readonly configFile?: string;
}

/**
 * Opens a project's stack for the ordinary `pulumi` on the PATH, with the environment of this process.
 * @throws RunError saying why it can't be
 * @see https://www.pulumi.com/docs/iac/automation-api/
 */
export async function openStack(options: StackOptions): Promise<StackRunner> {
  const { folder, stack } = options;
  const narrowed = narrowing(process.env);
  if (narrowed.length > 0) {
    throw new RunError(
      `${narrowed.join(" and ")} in the environment would narrow every run of stack '${stack}'; unset it and start again`,
    );
  }
  const envVars = environmentOf(options, process.env);
  return await inWords(`Stack '${stack}' in ${folder} can't be opened`, async () => {
    const workspace = await LocalWorkspace.create({ workDir: folder, envVars });
    // Makes sure that it is there. Selecting it would also change which stack a plain `pulumi` in that folder is about.
    workspace.selectStack = async (name) => void (await workspace.getAllConfig(name));
    const opened = await Stack.select(stack, workspace);
    // After each up its API asks for outputs and history, by three more commands that take a second together, and takes one
    // that fails for the up's own failure. Nobody looks at them here.
    opened.outputs = async () => ({});
    opened.info = async () => undefined;
    return new Runner(opened, options);
  });
}

/** What Pulumi gets beside the environment of this process. */
export function environmentOf(
  { folder, configFile }: Pick<StackOptions, "folder" | "configFile">,
  { NODE_COMPILE_CACHE: cache = resolve(folder, "node_modules", ".cache", "kubecamp") }: NodeJS.ProcessEnv,
): Record<string, string> {
  return {
    // To read and compile packages is half of the time that a small up takes; of the second one they are there.
    // https://nodejs.org/api/module.html#module-compile-cache
    NODE_COMPILE_CACHE: cache,
    // Every flag of Pulumi's can stand in the environment; its API takes this one for an up alone.
    ...(configFile === undefined ? {} : { PULUMI_OPTION_CONFIG_FILE: resolve(folder, configFile) }),
  };
}

class Runner implements StackRunner {
  readonly #stack: Stack;
  readonly #folder: string;
  readonly #configFile: string | undefined;
  readonly #doubts = new Doubts();
  #membersFile: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(stack: Stack, { folder, configFile }: StackOptions) {
    this.#stack = stack;
    this.#folder = folder;
    this.#configFile = configFile;
  }

  async configuration(): Promise<Configuration> {
    const { name, workspace } = this.#stack;
    const all = await inWords(`The configuration of stack '${name}' can't be read`, () => workspace.getAllConfig(name));
    const entries = Object.entries(all);
    const values = Object.fromEntries(entries.map(([key, { value }]) => [key, value]));
    // Also where it is refused: it may be this file that is mended.
    this.#membersFile = values[`${project}:membersFile`];
    const secretKeys = entries.flatMap(([key, { secret }]) => (secret ? [key] : []));
    return configurationOf({ values, secretKeys }, name, this.#folder);
  }

  files(): readonly string[] {
    const ofStack = this.#configFile ?? stackFile(this.#folder, this.#stack.name);
    const files = ["Pulumi.yaml", ofStack, ...(this.#membersFile === undefined ? [] : [this.#membersFile])];
    return files.map((file) => resolve(this.#folder, file));
  }

  async up(request: UpRequest, signal: AbortSignal): Promise<UpResult> {
    const run = this.#last.then(() => this.#recoveringUp(request, signal));
    this.#last = run.catch(() => undefined);
    return await run;
  }

  async #recoveringUp(request: UpRequest, signal: AbortSignal): Promise<UpResult> {
    const result = await this.#up(request, signal);
    const recovered = result.outcome === "locked" ? await this.#recover(result.locks) : undefined;
    return recovered === undefined ? result : { ...(await this.#up(request, signal)), recovered };
  }

  /**
   * Frees the locks that an up met, if whoever took them ran on this machine and is gone.
   * @returns what was freed; undefined if nothing was
   */
  async #recover(locks: readonly Lock[]): Promise<string | undefined> {
    const { name } = this.#stack;
    // To cancel frees all locks at once.
    if (locks.length === 0 || !locks.every((lock) => isAbandoned(lock, ownProcesses))) {
      return undefined;
    }
    await inWords(`The lock on stack '${name}' can't be freed`, () => this.#stack.cancel());
    this.#doubts.ofAll();
    return `freed the lock on stack '${name}' that was left by ${locks.map(holderText).join(" and ")}, which is gone`;
  }

  async #up({ aim, refresh }: UpRequest, signal: AbortSignal): Promise<UpResult> {
    const { workspace, name } = this.#stack;
    const names = aim === undefined || aim.length === 0 || isTooLong(aim) ? undefined : aim;
    const doubtful = this.#doubts.matterTo(names);
    const result = await withAim(workspace, name, names, (options) =>
      pulumiUp(this.#stack, { ...options, refresh: refresh || doubtful }, signal),
    );
    if (result.outcome === "succeeded") {
      this.#doubts.settle(names);
    } else if (result.outcome !== "locked") {
      this.#doubts.raise(names);
    }
    return result;
  }
}
