import { copyFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stacksOf } from "../../config/sources/shardSource.ts";
import { repository } from "../../sandbox/paths.ts";
import type { Entry } from "../scenario.ts";
import type { StackState } from "./objects.ts";
import type { Stage } from "./stage.ts";

/** Name of the measured stack. */
const stack = "bench";

const quietly = ["--non-interactive", "--color", "never"];
const membersFile = "members.yaml";

/** A temporary project with this repository's program and one stack. */
export class Project {
  readonly #stage: Pick<Stage, "context" | "run">;

  constructor(stage: Pick<Stage, "context" | "run">) {
    this.#stage = stage;
  }

  /** @param shards number of stacks to split the list over. Default: no split */
  async create(shards?: number): Promise<void> {
    const { context, run } = this.#stage;
    const { cwd } = context;
    for (const part of ["index.ts", "package.json", "node_modules", "buckets"]) {
      await symlink(join(repository, part), join(cwd, part));
    }
    await copyFile(join(repository, "Pulumi.yaml"), join(cwd, "Pulumi.yaml"));
    const config = {
      "kubecamp:route": { host: "camp.test", controller: "ingress-nginx" },
      "kubecamp:membersFile": membersFile,
      ...(shards === undefined ? {} : { "kubecamp:shards": shards }),
    };
    // JSON is valid YAML.
    await writeFile(join(cwd, `Pulumi.${stack}.yaml`), JSON.stringify({ config }));
    await this.setMembers([]);
    if (shards !== undefined) {
      await run("node", kubecamp("shards", "files"));
    }
    for (const each of stacksOf(cwd, stack)) {
      await run("pulumi", ["stack", "init", each, ...quietly]);
    }
  }

  async setMembers(list: readonly Entry[]): Promise<void> {
    await writeFile(join(this.#stage.context.cwd, membersFile), JSON.stringify(list));
  }

  /** Number of resources in the state. */
  async size(): Promise<number> {
    return (await this.state()).deployment.resources?.length ?? 0;
  }

  async state(): Promise<StackState> {
    return JSON.parse(await this.#stage.run("pulumi", ["stack", "export", "--stack", stack])) as StackState;
  }
}

/** Node's arguments for a kubecamp command about the stack. */
const kubecamp = (...args: readonly string[]) => [join(repository, "bin", "kubecamp.mjs"), ...args, "--stack", stack];
export const kubecampUp = kubecamp("up");
export const kubecampPreview = kubecamp("preview");

/** Arguments of a plain run as an admin makes it, without prompts. */
export const pulumiUp = ["up", "--yes", "--skip-preview", "--stack", stack, ...quietly];
export const pulumiPreview = ["preview", "--stack", stack, ...quietly];
