import { copyFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { targetsOf } from "../../../config/model/target.ts";
import { stacksOf } from "../../../config/rules/shards.ts";
import { atItsEnd } from "../../../runs/checkpoints.ts";
import { repository } from "../../sandbox/paths.ts";
import type { Entry } from "../scenario.ts";
import type { StackState } from "./objects.ts";
import type { Stage } from "./stage.ts";

/** The stack that is measured. */
export const stack = "bench";

const quietly = ["--non-interactive", "--color", "never"];
const membersFile = "members.yaml";

/** A project of its own with the program of this one, and a stack in it. */
export class Project {
  readonly #stage: Pick<Stage, "context" | "run">;

  constructor(stage: Pick<Stage, "context" | "run">) {
    this.#stage = stage;
  }

  /** @param shards over how many stacks the list is split. Default: it is not */
  async create(shards?: number): Promise<void> {
    const { context, run } = this.#stage;
    const { cwd } = context;
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
      await run("node", kubecamp("shards", "files", "--stack", stack));
    }
    for (const each of stacksOf(cwd, stack)) {
      await run("pulumi", ["stack", "init", each, ...quietly]);
    }
  }

  async setMembers(list: readonly Entry[]): Promise<void> {
    await writeFile(join(this.#stage.context.cwd, membersFile), JSON.stringify(list));
  }

  /** How many resources the state has. */
  async size(): Promise<number> {
    return (await this.state()).deployment.resources?.length ?? 0;
  }

  /** Takes members away without a look at the others, and without measuring it. */
  async destroyMembers(members: readonly Entry[]): Promise<void> {
    const targets = targetsOf(members.map(({ member }) => member)).split(",");
    const flags = targets.flatMap((target) => ["--target", target]);
    await this.#stage.run("pulumi", pulumiArguments("destroy", "--yes", "--skip-preview", ...flags), atItsEnd);
  }

  async state(): Promise<StackState> {
    return JSON.parse(await this.#stage.run("pulumi", ["stack", "export", "--stack", stack])) as StackState;
  }
}

/** Arguments of an operation as an admin runs it, without questions. */
export function pulumiArguments(...args: readonly string[]): string[] {
  return [...args, "--stack", stack, ...quietly];
}

/** Arguments of Node for a command of kubecamp. */
export const kubecamp = (...args: readonly string[]) => [join(repository, "bin", "kubecamp.mjs"), ...args];
