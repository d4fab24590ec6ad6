import { existsSync, readdirSync } from "node:fs";
import { after } from "mocha";
import { environmentOf } from "../../../sandbox/environment.ts";
import { sandboxes } from "../../../sandbox/paths.ts";
import { startSandbox } from "../../../sandbox/prepare.ts";
import { isAlive } from "../../../sandbox/processes.ts";
import { removeSandbox, type Sandbox, sandboxNamed } from "../../../sandbox/sandbox.ts";
import type { ToolPaths } from "../../../sandbox/tools/catalogue.ts";
import { completeTools, takeInventory } from "../../../sandbox/tools/toolchain.ts";

export interface TestCluster {
  readonly sandbox: Sandbox;
  readonly tools: ToolPaths;
  readonly kubeconfig: string;
  readonly env: Record<string, string>;
}

/** For `this.timeout(…)` of the hook that calls `testCluster`: on a fresh machine the tools are built first. */
export const clusterTimeout: number = 30 * 60_000;

const interrupted = new AbortController();
let cluster: Promise<TestCluster> | undefined;

/** The one cluster of this mocha process, of its own and empty; it is made at the first call and removed at the end. */
export function testCluster(): Promise<TestCluster> {
  cluster ??= startTestCluster();
  return cluster;
}

after(async function () {
  if (cluster === undefined) return;
  this.timeout(60_000);
  interrupted.abort();
  await cluster.catch(() => undefined);
  await removeSandbox(sandboxNamed(nameOf(process.pid)));
});

async function startTestCluster(): Promise<TestCluster> {
  await removeLeftovers();
  const options = { environment: process.env, signal: interrupted.signal };
  const inventory = await takeInventory(options);
  if (inventory.missing.length > 0) {
    console.error(`Building ${inventory.missing.length} tools first: about ten minutes on a fresh machine.`);
  }
  const tools = await completeTools(inventory, options, {
    onProgress: () => undefined,
    onBuilt: (tool) => console.error(`  built ${tool}`),
  });
  const sandbox = sandboxNamed(nameOf(process.pid));
  const { plugins } = await startSandbox(sandbox, tools, options);
  return { sandbox, tools, kubeconfig: sandbox.kubeconfig, env: environmentOf(sandbox, plugins) };
}

function nameOf(pid: number): string {
  return `test-${pid}`;
}

/** A test run that was killed outright could not clean up after itself. */
async function removeLeftovers(): Promise<void> {
  if (!existsSync(sandboxes)) return;
  for (const name of readdirSync(sandboxes)) {
    const [, pid] = /^test-(\d+)(-.*)?$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) await removeSandbox(sandboxNamed(name));
  }
}
