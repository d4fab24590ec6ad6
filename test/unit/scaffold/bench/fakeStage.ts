import { mkdir, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Problem } from "../../../../commands/common/problem.ts";
import { type TargetFile, targetFileVariable } from "../../../../config/model/target.ts";
import { memberLabel } from "../../../../naming/labels.ts";
import type { Entry } from "../../../../scaffold/bench/scenario.ts";
import type { StackState } from "../../../../scaffold/bench/stage/objects.ts";
import type { Stage } from "../../../../scaffold/bench/stage/stage.ts";
import { sandboxNamed } from "../../../../scaffold/sandbox/sandbox.ts";
import { cost } from "./figures.ts";

/** Those of one member in the state. */
export const resourcesOfEach = 10;

type Env = Readonly<Record<string, string>>;
type Known = ReadonlyMap<string, unknown>;

/**
 * A cluster of a few lines: it knows what it was last told. A measured command costs as many seconds as it changes things,
 * and writes a MiB at the end or for each of them.
 */
export class FakeStage implements Stage {
  readonly plugins: Stage["plugins"] = { kubernetes: "stand-in", languageHost: "stand-in" };
  readonly quick = { QUICK: "yes" };
  readonly sandbox: Stage["sandbox"];
  readonly context: Stage["context"];
  /** Commands that were measured, with what their environment has beyond the stage's. */
  readonly measuredCommands: { readonly command: readonly string[]; readonly env: Env }[] = [];
  rests = 0;
  #known: Known = new Map();
  #services: readonly object[] = [];

  /** @param folder an empty one */
  constructor(folder: string) {
    this.sandbox = { ...sandboxNamed("bench-unit"), folder, pulumiState: join(folder, "state") };
    this.context = { cwd: join(folder, "project"), env: {}, signal: new AbortController().signal };
  }

  async open(): Promise<this> {
    await mkdir(this.context.cwd, { recursive: true });
    return this;
  }

  readonly measured: Stage["measured"] = async (program, args, { env = {} } = {}) => {
    this.measuredCommands.push({ command: [program, ...args], env });
    if (args.includes("too-long")) throw new Problem("It failed.", { why: "Error:\ndata: Too long", remedy: "None." });
    const wanted = await this.#wanted(program, args, env);
    const changes = changed(this.#known, wanted);
    if (args.some((word) => ["up", "apply", "upgrade", "destroy"].includes(word))) {
      this.#known = wanted;
      await this.#writeState(env);
    }
    const writtenMiB = env.PULUMI_SKIP_CHECKPOINTS === "true" ? 1 : 1 + changes;
    return { seconds: changes, parts: { cli: { ...cost(0).parts.cli, cpuSeconds: 0, peakMiB: 0, writtenMiB } } };
  };

  readonly run: Stage["run"] = async (_, args) => {
    if (args.includes("destroy")) {
      this.#known = new Map([...this.#known].filter(([name]) => !args.some((word) => word.endsWith(`::${name}`))));
    }
    return JSON.stringify(this.#state());
  };

  readonly rest: Stage["rest"] = async () => {
    this.rests++;
  };

  readonly make: Stage["make"] = async (objects) => {
    this.#services = objects;
  };

  /** Pulumi takes the list, and for a targeted run no more of it than it targets; kubectl takes a file. */
  async #wanted(program: string, args: readonly string[], env: Env): Promise<Known> {
    if (program === "kubectl" || program === "helm") {
      const file = args.find((word) => word.endsWith(".json")) ?? "";
      const { items } = JSON.parse(await readFile(file, "utf8")) as { items: unknown[] };
      return new Map(items.map((item, index) => [String(index), item]));
    }
    if (args.includes("destroy")) return new Map();
    if (args.includes("refresh")) return this.#known;
    const list = JSON.parse(await readFile(join(this.context.cwd, "members.yaml"), "utf8")) as Entry[];
    const declared = new Map(list.map((entry) => [entry.member, { ...entry, open: this.#services.length > 0 }]));
    const target = env[targetFileVariable];
    if (target === undefined) return declared;
    const { members = [] } = JSON.parse(await readFile(target, "utf8")) as TargetFile;
    return new Map([...this.#known, ...[...declared].filter(([name]) => members.includes(name))]);
  }

  #state(): StackState {
    const resources = [...this.#known].flatMap(([name, entry]) =>
      Array.from({ length: resourcesOfEach }, (_, index) => ({
        type: "kubernetes:core/v1:ConfigMap",
        custom: true,
        inputs: { metadata: { labels: { [memberLabel]: name } }, entry, index },
      })),
    );
    return { deployment: { resources } };
  }

  /** As Pulumi does, it leaves one file, whose name ends with how it is compressed, to a third here. */
  async #writeState(env: Env): Promise<void> {
    const folder = join(this.sandbox.pulumiState, ".pulumi", "stacks", "kubecamp");
    await mkdir(folder, { recursive: true });
    for (const file of await readdir(folder)) await rm(join(folder, file));
    const ending = env.PULUMI_DIY_BACKEND_GZIP ? ".gz" : env.PULUMI_DIY_BACKEND_ZSTD ? ".zst" : "";
    await writeEmpty(join(folder, `bench.json${ending}`), ending === "" ? 3 * 2 ** 18 : 2 ** 18);
    await writeEmpty(join(folder, "bench.json.bak"), 2 ** 20);
  }
}

/** Only the state's size is read, and a hole in a file costs nothing. */
async function writeEmpty(file: string, bytes: number): Promise<void> {
  await writeFile(file, "");
  await truncate(file, bytes);
}

function changed(before: Known, after: Known): number {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => !isDeepStrictEqual(before.get(name), after.get(name)),
  ).length;
}
