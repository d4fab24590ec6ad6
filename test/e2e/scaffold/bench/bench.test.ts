import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { before, describe, it } from "mocha";
import { admissionPolicies } from "../../../../naming/names.ts";
import type { Results, SizeResults, Tool } from "../../../../scaffold/bench/results.ts";
import { repository, sandboxes } from "../../../../scaffold/sandbox/paths.ts";
import { clusterTimeout, testCluster } from "../../support/cluster.ts";

function bench(...args: string[]) {
  return execa("node", ["scaffold/bench/main.ts", ...args], {
    cwd: repository,
    env: { FORCE_COLOR: "0" },
    reject: false,
  });
}

describe("npm run bench", function () {
  // Beside other tests it takes minutes, and waits for nothing that could fail to come.
  this.timeout(15 * 60_000);

  before(async function () {
    this.timeout(clusterTimeout);
    // The tools are built by now.
    await testCluster();
  });

  it("shows examples with its help, and takes nothing that it doesn't know", async () => {
    assert.match((await bench("--help")).stdout, /Examples:\n.*\n {2}\$ npm run -s bench\n/);
    const [members, skip] = await Promise.all([bench("--members", "ten"), bench("--skip", "create")]);
    assert.equal(members.exitCode, 2);
    assert.match(members.stderr, /'ten' is no number of members/);
    assert.equal(skip.exitCode, 2);
    assert.match(skip.stderr, /'create' is none of open routes, /);
  });

  it("measures each operation with all that takes part in it, and leaves nothing behind", async () => {
    const page = await readFile(join(repository, "docs/performance.md"), "utf8");
    const skipped = "unchanged up,one limit changed,one member removed,refresh,checkpoints,destroy";
    const run = bench("--members", "2", "--skip", skipped, "-o", "json");
    const { exitCode, stdout, stderr } = await run;
    assert.equal(exitCode, 0, stderr);
    assert.match(stderr, /^ {2}unchanged preview, kubectl: [\d.]+ s$/m);
    const [size] = (JSON.parse(stdout) as Results).sizes;
    assert.ok(size);
    assert.deepEqual(
      size.rows.map(({ operation, tool }) => `${operation}, ${tool}`),
      [
        "create, quick",
        "create, kubectl",
        "open routes, quick",
        "open routes, kubectl",
        "unchanged preview, pulumi",
        "unchanged preview, quick",
        // It would have failed if kubectl had found anything that Pulumi's objects and its own don't have in common.
        "unchanged preview, kubectl",
        "one member added, pulumi",
        "one member added, kubecamp",
        "one member added, kubecampQuick",
      ],
    );
    assert.deepEqual(partsOf(size, "pulumi"), ["cli", "host", "plugin", "program"]);
    assert.deepEqual(partsOf(size, "kubectl"), ["kubectl"]);
    assert.ok(partsOf(size, "kubecamp").includes("kubecamp"));
    // Each has a namespace with six objects in it, a binding outside, and a route of two; all share two roles, and the
    // policies with their bindings.
    assert.equal(size.objects, 2 * 10 + 2 + admissionPolicies.length * 2);
    assert.ok(size.resources > size.objects);

    const [cost] = size.rows.flatMap(({ cost: { parts } }) => parts.cli ?? []);
    assert.ok(
      cost !== undefined && cost.cpuSeconds > 0 && cost.peakMiB > 0 && cost.writtenMiB > 0,
      JSON.stringify(cost),
    );

    const left = (await readdir(sandboxes)).filter((name) => name.startsWith(`bench-${run.pid}`));
    assert.deepEqual(left, []);
    assert.equal(await readFile(join(repository, "docs/performance.md"), "utf8"), page);
  });
});

/** What the runs of a tool were seen to be made of, apart from what is neither Pulumi's nor kubectl's. */
function partsOf({ rows }: SizeResults, tool: Tool): string[] {
  const parts = rows.filter((row) => row.tool === tool).flatMap(({ cost }) => Object.keys(cost.parts));
  return [...new Set(parts)].filter((part) => part !== "other").sort();
}
