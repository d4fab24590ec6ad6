import { Problem } from "../../commands/common/problem.ts";
import type { PluginChoice } from "../sandbox/plugins/pluginChoice.ts";
import type { ToolPaths } from "../sandbox/tools/catalogue.ts";
import { firstBuild } from "../sandbox/tools/firstBuild.ts";
import { completeTools, takeInventory } from "../sandbox/tools/toolchain.ts";
import { circumstancesOf } from "./circumstances.ts";
import { Progress } from "./display.ts";
import { journey } from "./journey.ts";
import type { Operation, Results, SizeResults } from "./results.ts";
import { sharded } from "./sharded.ts";
import { benchSandbox, removeLeftovers } from "./stage/leftovers.ts";
import { onFreshCluster } from "./stage/stage.ts";

export interface BenchOptions {
  /** Numbers of members, each measured on fresh clusters. */
  readonly members: readonly number[];
  readonly skip: readonly Operation[];
  /** Over how many stacks the largest number of them is split, once more. Default: that is left out. */
  readonly shards?: number;
}

/** What was measured, and why that is not all, if it isn't. */
export interface Measured {
  readonly results: Results;
  readonly failure?: unknown;
}

/**
 * Measures everything, which takes minutes, and tells on stderr how far it is. Where a number of members fails, what was
 * measured of those before it is not lost.
 * @throws Problem where nothing could be measured
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
  await removeLeftovers();
  const { members, shards } = options;
  const skip = new Set(options.skip);
  let plugins: PluginChoice | undefined;
  let failure: unknown;
  const sizes: SizeResults[] = [];
  try {
    for (const count of members) {
      progress.say(`${count} members`);
      const size = await onFreshCluster(benchSandbox("pulumi"), tools, signal, (pulumi) =>
        onFreshCluster(benchSandbox("kubectl"), tools, signal, (kubectl) => {
          plugins = pulumi.plugins;
          return journey(count, { pulumi, kubectl }, skip, progress);
        }),
      );
      sizes.push(size);
      if (shards !== undefined && count === Math.max(...members)) {
        progress.say(`${count} members over ${shards} shards`);
        const split = await onFreshCluster(benchSandbox("shards"), tools, signal, (stage) =>
          sharded(count, shards, stage, skip, progress),
        );
        sizes.splice(-1, 1, { ...size, sharded: split });
      }
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

async function readyTools(progress: Progress, signal: AbortSignal): Promise<ToolPaths> {
  const options = { environment: process.env, signal };
  const inventory = await takeInventory(options);
  if (inventory.missing.length > 0) {
    progress.say(`Building ${inventory.missing.length} tools first: ${firstBuild.time} on a fresh machine.`);
  }
  return completeTools(inventory, options, {
    onProgress: () => undefined,
    onBuilt: (tool) => progress.say(`  built ${tool}`),
  });
}
