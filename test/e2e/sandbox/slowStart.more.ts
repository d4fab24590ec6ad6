import assert from "node:assert/strict";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deleteCluster, ensureCluster } from "../../../sandbox/cluster/cluster.ts";
import { SlowStart } from "../../../sandbox/cluster/clusterProblem.ts";
import type { ClusterSpec } from "../../../sandbox/cluster/clusterSpec.ts";
import { endProcesses, processesStartedFrom } from "../../../sandbox/processes.ts";
import { removeSandbox } from "../../../sandbox/sandbox.ts";
import { catalogue, type ToolPaths } from "../../../sandbox/tools/catalogue.ts";
import { testSandboxNamed } from "../support/testSandboxes.ts";

/**
 * Plays kwokctl: a start leaves four processes while there is a file `slow`, of which it takes one line away, and five
 * otherwise.
 */
const kwokctl = `#!/usr/bin/env bash
set -eu
here=$(dirname "$0")
shift 4
echo "$1 $2" >>"$here/calls"
[[ $1 == scale ]] && exit
folder=$KWOK_WORKDIR/clusters/slow
mkdir -p "$folder"/{bin,logs,pids}
cp -n "$(command -v sleep)" "$folder/bin/component" || true
count=5
if [[ -s $here/slow ]]; then
  sed -i 1d "$here/slow"
  count=4
  echo 'E1 "Error building controller context" err="failed to wait for apiserver being healthy"' >"$folder/logs/kube-controller-manager.log"
fi
for _ in $(seq $count); do "$folder/bin/component" 600 >/dev/null 2>&1 & done
# Until it has become the component, a process has this script's command line.
for pid in $(jobs -p); do
  until [[ $(tr '\\0' ' ' <"/proc/$pid/cmdline") == "$folder/bin/component "* ]]; do sleep 0.02; done
done
`;

describe("a cluster whose API server is slow", () => {
  const sandbox = testSandboxNamed("slow");
  const { signal } = new AbortController();
  const folder = join(sandbox.folder, "cluster");
  const tool = (name: string) => join(sandbox.folder, name);
  const tools = Object.fromEntries(catalogue.map(({ name }) => [name, tool(name)])) as ToolPaths;
  const spec: ClusterSpec = { name: "slow", folder, kubeconfig: tool("kubeconfig"), tools };
  const calls = async () => (await readFile(tool("calls"), "utf8")).trim().split("\n");
  const slowStarts = async (count: number) => {
    await writeFile(tool("slow"), "slow\n".repeat(count));
    await writeFile(tool("calls"), "");
  };

  before(async () => {
    await mkdir(sandbox.folder, { recursive: true });
    for (const [name, text] of Object.entries({ kwokctl, kubectl: "#!/bin/sh\n" })) {
      await writeFile(tool(name), text);
      await chmod(tool(name), 0o755);
    }
  });
  afterEach(() => deleteCluster(spec));
  after(() => removeSandbox(sandbox));

  it("is started a second time when it is new, and is new then", async () => {
    await slowStarts(1);
    assert.equal(await ensureCluster(spec, signal), "created");
    assert.deepEqual(await calls(), ["create cluster", "scale node", "start cluster", "scale node"]);
    assert.equal(await ensureCluster(spec, signal), "running");
  });

  it("is started a second time when it is there, with all that was in it", async () => {
    await slowStarts(0);
    assert.equal(await ensureCluster(spec, signal), "created");
    const kept = join(folder, "clusters/slow/kept");
    await writeFile(kept, "in it");
    await endProcesses(processesStartedFrom(folder));
    await slowStarts(1);
    assert.equal(await ensureCluster(spec, signal), "started");
    assert.deepEqual(await calls(), ["start cluster", "start cluster"]);
    assert.equal(await readFile(kept, "utf8"), "in it");
  });

  it("is none, and made anew by the next run, when it is slow twice", async () => {
    await slowStarts(2);
    await assert.rejects(ensureCluster(spec, signal), SlowStart);
    await slowStarts(0);
    assert.equal(await ensureCluster(spec, signal), "created");
  });
});
