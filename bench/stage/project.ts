import { copyFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { targetsOf } from "../../config/aim.ts";
import { stacksOf } from "../../config/shards.ts";
import { atItsEnd } from "../../runs/quickly.ts";
import { type CommandContext, runCommand } from "../../sandbox/journey/commands.ts";
import { repository } from "../../sandbox/paths.ts";
import type { Entry } from "../scenario.ts";
import type { StackState } from "./objects.ts";

/** The stack that is measured. */
export const stack = "bench";

const quietly = ["--non-interactive", "--color", "never"];
const membersFile = "members.yaml";

/** A project of its own with the program of this one, and a stack in it. */
export class Project {
  readonly #context: CommandContext;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  /** @param shards over how many stacks the list is split. Default: it is not */
  async create(shards?: number): Promise<void> {
    const { cwd } = this.#context;
    for (const part of ["index.ts", "package.json", "node_modules", "buckets"]) {
      await symlink(join(repository, part), join(cwd, part));
    }
    await copyFile(join(repository, "Pulumi.yaml"), join(cwd, "Pulumi.yaml"));
    const config = {
      "kubecamp:route": { host: "camp.test" },
      "kubecamp:membersFile": membersFile,
      ...(shards === undefined ? {} : { "kubecamp:shards": shards }),
    };
    // YAML takes JSON as it is.
    await writeFile(join(cwd, `Pulumi.${stack}.yaml`), JSON.stringify({ config }));
    await this.setMembers([]);
    if (shards !== undefined) {
      await runCommand(this.#context, "node", kubecamp("shards", "files", "--stack", stack));
    }
    for (const each of stacksOf(cwd, stack)) {
      await runCommand(this.#context, "pulumi", ["stack", "init", each, ...quietly]);
    }
  }

  async setMembers(list: readonly Entry[]): Promise<void> {
    await writeFile(join(this.#context.cwd, membersFile), JSON.stringify(list));
  }

  /** How many resources the state has. */
  async size(): Promise<number> {
    return (await this.state()).deployment.resources?.length ?? 0;
  }

  /** Takes members away without a look at the others, and without measuring it. */
  async destroyMembers(members: readonly Entry[]): Promise<void> {
    const targets = targetsOf(members.map(({ member }) => member)).split(",");
    const flags = targets.flatMap((target) => ["--target", target]);
    const context = { ...this.#context, env: { ...this.#context.env, ...atItsEnd } };
    await runCommand(context, "pulumi", pulumiArguments("destroy", "--yes", "--skip-preview", ...flags));
  }

  async state(): Promise<StackState> {
    return JSON.parse(await runCommand(this.#context, "pulumi", ["stack", "export", "--stack", stack])) as StackState;
  }
}

/** Arguments of an operation as an admin runs it, without questions. */
export function pulumiArguments(...args: readonly string[]): string[] {
  return [...args, "--stack", stack, ...quietly];
}

/** Arguments of Node for a command of kubecamp. */
export const kubecamp = (...args: readonly string[]) => [join(repository, "bin", "kubecamp.mjs"), ...args];
