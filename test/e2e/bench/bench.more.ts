import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { before, describe, it } from "mocha";
import type { Results, SizeResults, Tool } from "../../../bench/results.ts";
import { distanceTo } from "../../../bench/stage/distance.ts";
import { admissionPolicies } from "../../../config/names/names.ts";
import { repository, sandboxes } from "../../../sandbox/paths.ts";
import { clusterTimeout, type TestCluster, testCluster } from "../support/cluster.ts";

function bench(...args: string[]) {
  return execa("node", ["bench/main.ts", ...args], {
    cwd: repository,
    env: { FORCE_COLOR: "0" },
    reject: false,
  });
}

describe("npm run bench", () => {
  let cluster: TestCluster;

  before(async function () {
    this.timeout(clusterTimeout);
    // The tools are built by now.
    cluster = await testCluster();
  });

  it("shows examples with its help, and takes nothing that it doesn't know", async () => {
    assert.match((await bench("--help")).stdout, /Examples:\n.*\n {2}\$ npm run -s bench\n/);
    const members = await bench("--members", "ten");
    assert.equal(members.exitCode, 2);
    assert.match(members.stderr, /'ten' is no number of members/);
  });

  it("reaches a cluster from further away with the same certificate, and for a watch too", async () => {
    const distance = await distanceTo(cluster.kubeconfig, 20);
    const kubectl = (kubeconfig: string, ...args: string[]) =>
      execa(cluster.tools.kubectl, ["--kubeconfig", kubeconfig, ...args]);
    const uid = ["get", "namespace", "kube-system", "-o", "jsonpath={.metadata.uid}"];
    const [near, far] = [await kubectl(cluster.kubeconfig, ...uid), await kubectl(distance.kubeconfig, ...uid)];
    assert.equal(far.stdout, near.stdout);
    await kubectl(distance.kubeconfig, "wait", "--for=jsonpath={.status.phase}=Active", "namespace/kube-system");
    await distance.end();
    await assert.rejects(kubectl(distance.kubeconfig, ...uid), /refused/);
  });

  it("measures each operation with all that takes part in it, and leaves nothing behind", async () => {
    const page = await readFile(join(repository, "docs/reference/performance.md"), "utf8");
    const operations = "open routes,unchanged up,one limit changed,one member added,a dozen members added";
    const run = bench(
      ...["--members", "2", "--skip", operations],
      // Each of these has a cluster of its own, and all are measured as the others are.
      ...["--without", "pulumi,helm", "--delay", "0", "-o", "json"],
    );
    const { exitCode, stdout, stderr } = await run;
    assert.equal(exitCode, 0, stderr);
    assert.match(stderr, /^ {2}unchanged preview, kubectl: [\d.]+ s$/m);
    const [size] = (JSON.parse(stdout) as Results).sizes;
    assert.ok(size);
    assert.deepEqual(
      size.rows.map(({ operation, tool }) => `${operation}, ${tool}`),
      [
        "create, kubecamp",
        "create, kubectl",
        "unchanged preview, kubecamp",
        // It would have failed if kubectl had found anything that Pulumi's objects and its own don't have in common.
        "unchanged preview, kubectl",
      ],
    );
    assert.deepEqual(partsOf(size, "kubecamp"), ["cli", "kubecamp", "plugin"]);
    assert.deepEqual(partsOf(size, "kubectl"), ["kubectl"]);
    // Each has a namespace with six objects in it, and a binding outside; all share two roles, and the policies with their
    // bindings.
    assert.equal(size.objects, 2 * 8 + 2 + admissionPolicies.length * 2);
    assert.ok(size.resources > size.objects);

    const [created] = size.rows.map(({ cost }) => cost);
    const cli = created?.parts.cli;
    assert.ok(cli !== undefined && cli.cpuSeconds > 0 && cli.peakMiB > 0, JSON.stringify(cli));
    assert.ok(created !== undefined && created.peakMiB > cli.peakMiB);

    const left = (await readdir(sandboxes)).filter((name) => name.startsWith(`bench-${run.pid}`));
    assert.deepEqual(left, []);
    assert.equal(await readFile(join(repository, "docs/reference/performance.md"), "utf8"), page);
  });
});

/** Parts of a tool's cost, apart from those of neither Pulumi nor kubectl. */
function partsOf({ rows }: SizeResults, tool: Tool): string[] {
  const parts = rows.filter((row) => row.tool === tool).flatMap(({ cost }) => Object.keys(cost.parts));
  return [...new Set(parts)].filter((part) => part !== "other").sort();
}
