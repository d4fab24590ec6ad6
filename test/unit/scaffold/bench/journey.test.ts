import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "mocha";
import { journey } from "../../../../scaffold/bench/journey.ts";
import { costOf, type Operation, operations, type SizeResults } from "../../../../scaffold/bench/results.ts";
import { FakeStage, resourcesOfEach } from "./fakeStage.ts";

const members = 2;

describe("the journey of the benchmark", () => {
  let folder = "";
  let pulumi: FakeStage;
  let kubectl: FakeStage;
  let whole: SizeResults;

  before(async () => {
    whole = await travel();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function travel(...skipped: readonly Operation[]): Promise<SizeResults> {
    await rm(folder, { recursive: true, force: true });
    folder = await mkdtemp(join(tmpdir(), "kubecamp-journey-"));
    pulumi = await new FakeStage(join(folder, "pulumi")).open();
    kubectl = await new FakeStage(join(folder, "kubectl")).open();
    const silent = { begins: () => undefined, ended: () => undefined };
    return await journey(members, { pulumi, kubectl }, new Set(skipped), silent);
  }
  /** As `operation, tool: changes`. */
  const changesOf = ({ rows }: SizeResults) =>
    rows.map(({ operation, tool, cost }) => `${operation}, ${tool}: ${cost.seconds}`);

  it("takes each operation with every tool that has it, and has it change what it says", async () => {
    const all = members * resourcesOfEach;
    assert.deepEqual(changesOf(whole), [
      `create, quick: ${members}`,
      `create, kubectl: ${all}`,
      `open routes, quick: ${members}`,
      `open routes, kubectl: ${all}`,
      "unchanged preview, pulumi: 0",
      "unchanged preview, quick: 0",
      "unchanged preview, kubectl: 0",
      "unchanged up, pulumi: 0",
      "unchanged up, kubecamp: 0",
      "unchanged up, quick: 0",
      "unchanged up, kubectl: 0",
      "one limit changed, pulumi: 1",
      "one limit changed, kubecamp: 1",
      `one limit changed, kubectl: ${resourcesOfEach}`,
      "one member added, pulumi: 1",
      "one member added, kubecamp: 1",
      "one member added, kubecampQuick: 1",
      "one member removed, kubecamp: 1",
      "one member removed, pulumi: 1",
      "refresh, pulumi: 0",
      // With the newcomer who is still there.
      `destroy, quick: ${members + 1}`,
      `create, pulumi: ${members}`,
      `destroy, pulumi: ${members}`,
    ]);
    assert.deepEqual([whole.members, whole.objects, whole.resources], [members, all, all]);
  });

  it("waits for both clusters to be at rest before each", async () => {
    const { rows } = await travel("checkpoints");
    assert.deepEqual([pulumi.rests, kubectl.rests], [rows.length, rows.length]);
  });

  it("takes what is called quick with what makes Pulumi quicker, and nothing else", async () => {
    const { rows } = await travel("checkpoints");
    // The first is not measured: what a machine does the first time, no later run has to wait for.
    const [first, ...commands] = pulumi.measuredCommands;
    assert.deepEqual(first?.command.slice(0, 2), ["pulumi", "preview"]);
    const quick = rows.filter(({ tool }) => tool !== "kubectl").map(({ tool }) => tool === "quick");
    assert.deepEqual(
      commands.map(({ env }) => env),
      quick.map((isQuick) => (isQuick ? pulumi.quick : {})),
    );
    const skipping = commands.filter(({ command }) => command.includes("--skip-checkpoints"));
    assert.equal(skipping.length, rows.filter(({ tool }) => tool === "kubecampQuick").length);
  });

  for (const skipped of operations.filter((operation) => operation !== "create")) {
    it(`leaves out '${skipped}' where it is skipped, and has no other operation do it instead`, async () => {
      const rest = await travel(skipped);
      assert.deepEqual(
        rest.rows.filter(({ operation }) => operation === skipped),
        [],
      );
      // Nobody can be removed who was not added. Everything is made with checkpoints once it was destroyed, and whoever has
      // come and was not removed is destroyed with the others.
      const others = ({ operation, tool }: SizeResults["rows"][number]) =>
        ![skipped, "destroy"].includes(operation) &&
        !(skipped === "one member added" && operation === "one member removed") &&
        !(skipped === "destroy" && operation === "create" && tool === "pulumi");
      for (const { operation, tool, cost } of whole.rows.filter(others)) {
        assert.equal(costOf(rest, operation, tool)?.seconds, cost.seconds, `${operation}, ${tool}`);
      }
    });
  }

  it("tells of each form of the state how large it is, and of those that differ in it what newcomers cost", async () => {
    assert.deepEqual(
      whole.checkpoints.map(({ form, stateMiB, updated, created }) => ({
        form,
        stateMiB,
        updated: updated.seconds,
        created: created?.resources,
        written: created?.cost.parts.cli?.writtenMiB,
      })),
      [
        { form: "plain", stateMiB: 0.75, updated: 1, created: 120, written: 13 },
        { form: "gzip", stateMiB: 0.25, updated: 1, created: undefined, written: undefined },
        { form: "zstd", stateMiB: 0.25, updated: 1, created: undefined, written: undefined },
        { form: "no checkpoints", stateMiB: 0.75, updated: 1, created: 120, written: 1 },
      ],
    );
    assert.deepEqual((await travel("checkpoints")).checkpoints, []);
  });
});
