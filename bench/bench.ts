import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { repository } from "../sandbox/paths.ts";
import type { PluginChoice } from "../sandbox/plugins/pluginChoice.ts";
import { sandboxNamed } from "../sandbox/sandbox.ts";
import { catalogue, type ToolName, type ToolPaths } from "../sandbox/tools/catalogue.ts";
import { firstBuild } from "../sandbox/tools/firstBuild.ts";
import { completeTools, takeInventory } from "../sandbox/tools/toolchain.ts";
import { Progress } from "./display.ts";
import { journey } from "./journey.ts";
import type { Operation, Results, SizeResults } from "./results.ts";
import { sharded } from "./sharded.ts";
import { onFreshCluster } from "./stage/stage.ts";

export interface BenchOptions {
  /** Numbers of members, each measured on fresh clusters. */
  readonly members: readonly number[];
  readonly skip: readonly Operation[];
  /** Over how many stacks the largest number of them is split, once more. Default: that is left out. */
  readonly shards?: number;
}

/** Measures everything, which takes minutes, and tells on stderr how far it is. */
export async function measureAll({ members, skip, shards }: BenchOptions, signal: AbortSignal): Promise<Results> {
  const progress = new Progress();
  const tools = await readyTools(progress, signal);
  const sizes: SizeResults[] = [];
  let plugins: PluginChoice = { kubernetes: "stand-in", languageHost: "stand-in" };
  for (const count of members) {
    progress.say(`${count} members`);
    const size = await onFreshCluster(sandboxNamed(`bench-${process.pid}-pulumi`), tools, signal, (pulumi) =>
      onFreshCluster(sandboxNamed(`bench-${process.pid}-kubectl`), tools, signal, (kubectl) => {
        plugins = pulumi.plugins;
        return journey(count, { pulumi, kubectl }, new Set(skip), progress);
      }),
    );
    if (shards === undefined || count < Math.max(...members)) {
      sizes.push(size);
      continue;
    }
    progress.say(`${count} members over ${shards} shards`);
    const split = await onFreshCluster(sandboxNamed(`bench-${process.pid}-shards`), tools, signal, (stage) =>
      sharded(count, shards, stage, new Set(skip), progress),
    );
    sizes.push({ ...size, sharded: split });
  }
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: { cpus: cpus().length, memoryGiB: Math.round(totalmem() / 2 ** 30) },
    versions: {
      kubecamp: (JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string }).version,
      pulumi: versionOf("pulumi"),
      kubernetes: versionOf("kube-apiserver"),
      node: process.versions.node,
    },
    plugins,
    sizes,
  };
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

function versionOf(name: ToolName): string {
  return catalogue.find((tool) => tool.name === name)?.version ?? "";
}
