import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "../commands/common/problem.ts";
import type { PluginChoice } from "../sandbox/plugins/pluginChoice.ts";
import { isCached } from "../sandbox/tools/cache.ts";
import { helm, type ToolPaths, toolsOf } from "../sandbox/tools/catalogue.ts";
import { buildingTitle } from "../sandbox/tools/firstBuild.ts";
import { takeInventory } from "../sandbox/tools/inventory.ts";
import { completeTools, toolOnDemand } from "../sandbox/tools/toolchain.ts";
import { silent } from "../sandbox/tools/toolEvents.ts";
import { circumstancesOf } from "./circumstances.ts";
import { creation, mostByPulumi } from "./creations.ts";
import { Progress } from "./display.ts";
import type { HelmStage } from "./helm/helmSide.ts";
import { Release } from "./helm/release.ts";
import { journey } from "./journey.ts";
import type { LeftOut } from "./measurements.ts";
import { type Operation, operations, type Results, type SizeResults, type Tool } from "./results.ts";
import { sharded } from "./sharded.ts";
import { benchSandbox, removeLeftovers } from "./stage/leftovers.ts";
import { type ClusterOptions, onFreshCluster, type Stage } from "./stage/stage.ts";

/** Operations that are repeated at a distance: much work, and little. */
const distant: readonly Operation[] = ["create", "one limit changed"];

export interface BenchOptions {
  /** Numbers of members, each measured on fresh clusters. */
  readonly members: readonly number[];
  readonly skip: readonly Operation[];
  /** Tools to leave out. */
  readonly without: readonly Tool[];
  /** Milliseconds added to each request in a second measurement; 0: no such measurement. */
  readonly delay: number;
  /** Number of stacks to split the largest list over, in a further measurement. Default: no such measurement. */
  readonly shards?: number;
}

/** The results, and the error that ended the benchmark early, if any. */
export interface Measured {
  readonly results: Results;
  readonly failure?: unknown;
}

/**
 * Measures everything, which takes minutes, with progress on stderr. After a failure, results of earlier sizes are kept.
 * @throws Problem if nothing could be measured
 */
export async function measureAll(options: BenchOptions, signal: AbortSignal): Promise<Measured> {
  if (process.platform !== "linux") {
    throw new Problem("The benchmark runs on Linux alone.", {
      why: `It reads what each process costs in /proc, which ${process.platform} does not have.`,
      remedy: "Run it on a Linux machine, or in a container.",
    });
  }
  const progress = new Progress();
  const tools = await readyTools(progress, signal);
  const leftOut = { operations: new Set(options.skip), tools: new Set<Tool>(options.without) };
  const helmTool = leftOut.tools.has("helm") ? undefined : await readyHelm(progress, signal);
  await removeLeftovers();
  const scene: Scene = { cluster: { tools, signal }, helmTool, leftOut, progress };
  let plugins: PluginChoice | undefined;
  let failure: unknown;
  const sizes: SizeResults[] = [];
  try {
    for (const count of options.members) {
      const measured = await ofSize(count, options, scene);
      plugins = measured.plugins;
      sizes.push(measured.size);
    }
  } catch (error) {
    failure = error;
  }
  if (plugins === undefined || sizes.length === 0) {
    throw failure;
  }
  const results = { ...(await circumstancesOf(tools)), plugins, sizes };
  return failure === undefined ? { results } : { results, failure };
}

/** Equipment of all measurements. */
interface Scene {
  readonly cluster: ClusterOptions;
  /** Path of Helm; undefined if it is left out. */
  readonly helmTool: string | undefined;
  readonly leftOut: LeftOut;
  readonly progress: Progress;
}

async function ofSize(
  count: number,
  { members, delay, shards }: BenchOptions,
  scene: Scene,
): Promise<{ size: SizeResults; plugins: PluginChoice }> {
  const { cluster, leftOut, progress } = scene;
  progress.say(`${count} members`);
  const near = await travelled(count, 0, scene);
  let { size } = near;
  if (count <= mostByPulumi && !leftOut.tools.has("pulumi")) {
    const work = (stage: Stage) => creation(count, stage, leftOut, progress);
    const created = await onFreshCluster(benchSandbox("pulumi"), cluster, work);
    size = { ...size, rows: [...size.rows, ...created] };
  }
  if (delay > 0) {
    progress.say(`${count} members, ${delay} ms away`);
    const others = operations.filter((operation) => !distant.includes(operation));
    const fewer = { ...leftOut, operations: new Set([...leftOut.operations, ...others]) };
    const far = await travelled(count, delay, { ...scene, leftOut: fewer });
    size = { ...size, distant: { roundTrip: delay, rows: far.size.rows } };
  }
  if (shards !== undefined && count === Math.max(...members)) {
    progress.say(`${count} members over ${shards} shards`);
    const split = await onFreshCluster(benchSandbox("shards"), cluster, (stage) =>
      sharded(count, shards, stage, leftOut, progress),
    );
    size = { ...size, sharded: split };
  }
  return { size, plugins: near.plugins };
}

/** A journey on fresh clusters, with so many milliseconds added to each request. */
async function travelled(count: number, roundTrip: number, { cluster, helmTool, leftOut, progress }: Scene) {
  const options = { ...cluster, roundTrip };
  return await onFreshCluster(benchSandbox("pulumi"), options, (pulumi) =>
    onFreshCluster(benchSandbox("kubectl"), options, async (kubectl) => {
      const travel = async (helm?: HelmStage) => ({
        size: await journey(count, { pulumi, kubectl, ...(helm && { helm }) }, leftOut, progress),
        plugins: pulumi.plugins,
      });
      if (helmTool === undefined) {
        return await travel();
      }
      return await onFreshCluster(benchSandbox("helm"), options, async (helm) => {
        await symlink(helmTool, join(helm.sandbox.bin, "helm"));
        return await travel({ stage: helm, release: new Release(helm) });
      });
    }),
  );
}

async function readyTools(progress: Progress, signal: AbortSignal): Promise<ToolPaths> {
  const options = { environment: process.env, signal };
  const inventory = await takeInventory(toolsOf(), options);
  if (inventory.missing.length > 0) {
    progress.say(`Getting ${inventory.missing.length} tools first.`);
  }
  return completeTools(inventory, options, {
    ...silent,
    onBuilding: (tools) => progress.say(buildingTitle(tools)),
    onReady: (tool) => progress.say(`  ${tool} is there`),
  });
}

async function readyHelm(progress: Progress, signal: AbortSignal): Promise<string> {
  if (!isCached(helm)) {
    progress.say("Getting Helm first, unless it is on the PATH: some minutes where it has to be built.");
  }
  return await toolOnDemand(helm, { environment: process.env, signal });
}
