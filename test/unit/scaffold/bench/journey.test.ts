import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "mocha";
import { creation, creators } from "../../../../scaffold/bench/creations.ts";
import type { HelmStage } from "../../../../scaffold/bench/helm/helmSide.ts";
import { journey } from "../../../../scaffold/bench/journey.ts";
import { costOf, type Operation, operations, type SizeResults, type Tool } from "../../../../scaffold/bench/results.ts";
import type { ObjectList } from "../../../../scaffold/bench/stage/objects.ts";
import { FakeStage, resourcesOfEach } from "./fakeStage.ts";

const members = 2;
const silent = { begins: () => undefined, ended: () => undefined };

describe("the journey of the benchmark", () => {
  let folder = "";
  let pulumi: FakeStage;
  let kubectl: FakeStage;
  let helm: FakeStage;
  let whole: SizeResults;

  before(async () => {
    whole = await travel([]);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function travel(
    skipped: readonly Operation[],
    { without = [], release }: { without?: readonly Tool[]; release?: Partial<HelmStage["release"]> } = {},
  ): Promise<SizeResults> {
    await rm(folder, { recursive: true, force: true });
    folder = await mkdtemp(join(tmpdir(), "kubecamp-journey-"));
    pulumi = await new FakeStage(join(folder, "pulumi")).open();
    kubectl = await new FakeStage(join(folder, "kubectl")).open();
    helm = await new FakeStage(join(folder, "helm")).open();
    const file = join(folder, "release.json");
    const fakeRelease = {
      upgrade: ["upgrade", file],
      set: (objects: ObjectList) => writeFile(file, JSON.stringify(objects)),
      size: async () => 2048,
      ...release,
    };
    const stages = { pulumi, kubectl, helm: { stage: helm, release: fakeRelease } };
    const leftOut = { operations: new Set(skipped), tools: new Set(without) };
    return await journey(members, stages, leftOut, silent);
  }
  /** As `operation, tool: changes`. */
  const changesOf = ({ rows }: Pick<SizeResults, "rows">) =>
    rows.map(({ operation, tool, cost }) => `${operation}, ${tool}: ${cost.seconds}`);
  const all = members * resourcesOfEach;
  const dozen = 12;

  it("takes each operation with every tool that has it, and has it change what it says", () => {
    assert.deepEqual(changesOf(whole), [
      `create, kubecamp: ${members}`,
      `create, helm: ${all}`,
      `create, kubectl: ${all}`,
      `open routes, kubecamp: ${members}`,
      `open routes, kubectl: ${all}`,
      `open routes, helm: ${all}`,
      "unchanged preview, pulumi: 0",
      "unchanged preview, kubecamp: 0",
      "unchanged preview, quick: 0",
      "unchanged preview, kubectl: 0",
      "unchanged preview, helm: 0",
      "unchanged up, pulumi: 0",
      "unchanged up, kubecamp: 0",
      "unchanged up, quick: 0",
      "unchanged up, kubectl: 0",
      "unchanged up, helm: 0",
      "one limit changed, pulumi: 1",
      "one limit changed, kubecamp: 1",
      `one limit changed, kubectl: ${resourcesOfEach}`,
      `one limit changed, helm: ${resourcesOfEach}`,
      "one member added, kubecamp: 1",
      `one member added, kubectl: ${resourcesOfEach}`,
      `one member added, helm: ${resourcesOfEach}`,
      `one member removed, helm: ${resourcesOfEach}`,
      "one member added, pulumi: 1",
      "one member added, kubecampQuick: 1",
      "one member removed, kubecamp: 1",
      "one member removed, pulumi: 1",
      `a dozen members added, kubecamp: ${dozen}`,
      `a dozen members added, kubectl: ${dozen * resourcesOfEach}`,
      `a dozen members added, helm: ${dozen * resourcesOfEach}`,
      "refresh, pulumi: 0",
      // With the newcomer who is still there.
      `destroy, quick: ${members + 1}`,
    ]);
    assert.deepEqual([whole.members, whole.objects, whole.resources], [members, all, all]);
    assert.deepEqual(whole.release, { bytes: 2048 });
  });

  it("waits for all clusters to be at rest before each", async () => {
    const { rows } = await travel(["checkpoints"]);
    assert.deepEqual([pulumi.rests, kubectl.rests, helm.rests], [rows.length, rows.length, rows.length]);
  });

  it("takes what is called quick with what makes Pulumi quicker, and nothing else", async () => {
    const { rows } = await travel(["checkpoints"]);
    // The first is not measured: what a machine does the first time, no later run has to wait for.
    const [first, ...commands] = pulumi.measuredCommands;
    assert.deepEqual(first?.command.slice(0, 2), ["pulumi", "preview"]);
    const quick = rows.filter(({ tool }) => !["kubectl", "helm"].includes(tool)).map(({ tool }) => tool === "quick");
    assert.deepEqual(
      commands.map(({ env }) => env),
      quick.map((isQuick) => (isQuick ? pulumi.quick : {})),
    );
    const skipping = commands.filter(({ command }) => command.includes("--skip-checkpoints"));
    assert.equal(skipping.length, rows.filter(({ tool }) => tool === "kubecampQuick").length);
  });

  it("leaves out tools, and has no other do what they would have done", async () => {
    const rest = await travel([], { without: ["pulumi", "kubecampQuick", "helm"] });
    // A member added by a tool that is left out can't be removed by another.
    const expected = whole.rows.filter(({ tool }) => ["kubecamp", "kubectl", "quick"].includes(tool));
    assert.deepEqual(changesOf(rest), [
      ...changesOf({ rows: expected.slice(0, -1) }),
      // Nobody is still there but the list.
      `destroy, quick: ${members}`,
    ]);
  });

  it("goes on without Helm once it fails, and tells its last words", async () => {
    const failing = await travel([], { release: { upgrade: ["upgrade", "too-long"] } });
    assert.deepEqual(failing.release, { failure: { operation: "create", words: "data: Too long" } });
    assert.deepEqual(changesOf(failing), changesOf({ rows: whole.rows.filter(({ tool }) => tool !== "helm") }));
  });

  it("makes everything by plain Pulumi on a cluster of its own, and deletes what it made with checkpoints", async () => {
    const nothing = { operations: new Set<Operation>(), tools: new Set<Tool>() };
    assert.deepEqual(creators(100, nothing), ["quick", "pulumi"]);
    assert.deepEqual(creators(1000, nothing), ["quick"]);
    assert.deepEqual(creators(100, { ...nothing, tools: new Set<Tool>(["quick"]) }), ["pulumi"]);
    folder = await mkdtemp(join(tmpdir(), "kubecamp-journey-"));
    const stage = async (name: string) => await new FakeStage(join(folder, name)).open();
    assert.deepEqual(changesOf({ rows: await creation(members, "quick", await stage("quick"), nothing, silent) }), [
      `create, quick: ${members}`,
    ]);
    assert.deepEqual(changesOf({ rows: await creation(members, "pulumi", await stage("plain"), nothing, silent) }), [
      `create, pulumi: ${members}`,
      `destroy, pulumi: ${members}`,
    ]);
  });

  for (const skipped of operations.filter((operation) => operation !== "create")) {
    it(`leaves out '${skipped}' where it is skipped, and has no other operation do it instead`, async () => {
      const rest = await travel([skipped]);
      assert.deepEqual(
        rest.rows.filter(({ operation }) => operation === skipped),
        [],
      );
      // Nobody can be removed who was not added, and whoever has come and was not removed is destroyed with the others.
      const others = ({ operation }: SizeResults["rows"][number]) =>
        ![skipped, "destroy"].includes(operation) &&
        !(skipped === "one member added" && operation === "one member removed");
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
    assert.deepEqual((await travel(["checkpoints"])).checkpoints, []);
  });
});
