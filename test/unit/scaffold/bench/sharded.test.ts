import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "mocha";
import type { Operation, Tool } from "../../../../scaffold/bench/results.ts";
import { sharded } from "../../../../scaffold/bench/sharded.ts";
import { FakeStage } from "./fakeStage.ts";

describe("the journey over shards", () => {
  let folder = "";
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function changes(operations: readonly Operation[], tools: readonly Tool[]): Promise<string[]> {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-sharded-"));
    const stage = await new FakeStage(folder).open();
    const silent = { begins: () => undefined, ended: () => undefined };
    const leftOut = { operations: new Set(operations), tools: new Set(tools) };
    const { rows } = await sharded(2, 2, stage, leftOut, silent);
    return rows.map(({ operation, tool, cost }) => `${operation}, ${tool}: ${cost.seconds}`);
  }

  it("takes what is done to all, and has each operation change what it says", async () => {
    assert.deepEqual(await changes([], []), [
      "create, kubecamp: 2",
      "open routes, kubecamp: 2",
      "unchanged up, kubecamp: 0",
      "one member added, pulumi: 1",
      "one member added, kubecamp: 1",
    ]);
  });

  it("has no other operation do what is left out", async () => {
    assert.deepEqual(await changes(["open routes"], ["pulumi"]), [
      "create, kubecamp: 2",
      "unchanged up, kubecamp: 0",
      "one member added, kubecamp: 1",
    ]);
  });
});
