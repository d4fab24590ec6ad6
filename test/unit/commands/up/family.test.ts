import assert from "node:assert/strict";
import { stacksInFamily, stacksWith, upFamily } from "../../../../commands/up/family.ts";
import type { StackResult } from "../../../../commands/up/upStack.ts";
import type { Configuration, Settings } from "../../../../config/settings.ts";
import type { Transferred } from "../../../../runs/state/transfer.ts";
import { cluster, owned } from "../../cluster/leaving.ts";
import { alice, bob, carol, settings } from "../../samples.ts";
import { resultOf as of } from "./stackResult.ts";

/** With two shards, bob and carol belong to the first, and alice to the second; with three, bob and carol to the third. */
const split = (count: number, more: Partial<Settings> = {}): Configuration => ({
  settings: { ...settings, stack: "prod-0", shards: { family: "prod", count }, ...more },
  members: [alice, bob, carol],
});
const living = (homes: Record<string, string>) =>
  cluster({
    namespaces: new Map(
      Object.entries(homes).map(([name, stack]) => [name, owned(name, { "kubecamp.dev/stack": stack })]),
    ),
  });
const stacks = ["prod-0", "prod-1", "prod-2"];
const bobMoves = { member: "bob", from: "prod-0", to: "prod-2" };
const none: Transferred = { moved: [], left: [] };

/** Brings up a family, and gives which stacks ran in which round. */
async function family(
  transfers: readonly (Transferred | Error)[],
  results: Record<string, Partial<StackResult>> = {},
  { settings: all, members }: Configuration = split(3),
) {
  const [rounds, left]: [string[][], (Transferred | Error)[]] = [[], [...transfers]];
  const reported = await upFamily(stacks, {
    configuration: { settings: all, members },
    look: async () => living({ alice: "prod-1", bob: "prod-0", carol: "prod" }),
    transfer: async () => {
      const next = left.shift();
      if (next === undefined || next instanceof Error) {
        throw next ?? new Error("nobody was to be handed over once more");
      }
      return next;
    },
    round: async (some) => {
      if (some.length > 0) {
        rounds.push([...some]);
      }
      return some.map((stack) => of(stack, results[stack]));
    },
  });
  return { rounds, reported, notAsked: left.length };
}

describe("a list that is split, brought up", () => {
  it("runs all stacks of a split list, and those that the list does not need any more", async () => {
    const { rounds } = await family([{ moved: [bobMoves], left: [] }]);
    assert.deepEqual(rounds, [["prod-0", "prod-1", "prod-2", "prod"]]);
  });

  it("hands members over to a new shard once that is up, whatever else has failed", async () => {
    const left = [{ ...bobMoves, why: "the policies of stack 'prod-2' are not in force yet" }];
    const transfers = [
      { moved: [], left },
      { moved: [bobMoves], left: [] },
    ];
    const { rounds, reported } = await family(transfers, { "prod-1": { outcome: "failed", reason: "no" } });
    assert.deepEqual(rounds, [
      ["prod-0", "prod-1", "prod-2", "prod"],
      ["prod-2", "prod-0"],
    ]);
    const outcomes = ["unchanged", "failed", "unchanged", "unchanged"];
    assert.deepEqual(
      reported.map(({ outcome }) => outcome),
      outcomes,
    );
  });

  it("hands nobody over to a new shard that failed or was interrupted, and says so", async () => {
    const left = [{ ...bobMoves, why: "not yet" }];
    for (const outcome of ["failed", "cancelled"] as const) {
      const { reported, notAsked } = await family([{ moved: [], left }, none], { "prod-2": { outcome } });
      assert.equal(notAsked, 1);
      const { outcome: result, reason } = reported.find(({ stack }) => stack === "prod-0") ?? {};
      assert.deepEqual([result, reason], ["failed", "bob stays here, and was not transferred to prod-2: not yet"]);
    }
  });

  it("hands no member over on another cluster than the list's", async () => {
    const configuration = split(3, { cluster: { ...settings.cluster, id: "another" } });
    await assert.rejects(family([], {}, configuration), /Stack 'prod' can't be brought up: this is another cluster/);
  });
});

describe("the stacks that a preview is about", () => {
  const snapshot = living({ alice: "prod-1", bob: "prod-4", carol: "prod" });

  it("previews the stacks that an up would run, also those that a split list no longer needs", () => {
    const two = ["prod-0", "prod-1"];
    assert.deepEqual(stacksInFamily({ stack: "org/kubecamp/prod", stacks: two }, split(2), snapshot), [
      ...two,
      "prod",
      "prod-4",
    ]);
    const one = { stack: "prod-1", stacks: ["prod-1"] };
    assert.deepEqual(stacksInFamily(one, split(2, { stack: "prod-1" }), snapshot), ["prod-1"]);
    const undivided = { stack: settings.stack, stacks: [settings.stack] };
    assert.deepEqual(stacksInFamily(undivided, { settings }, snapshot), [settings.stack]);
  });
});

describe("the stacks of some members", () => {
  const snapshot = living({ alice: "prod-1", bob: "prod-0", carol: "prod" });
  const with2 = (stack: string, some: readonly string[], ...names: string[]) =>
    stacksWith(names, { stack, stacks: some }, split(2, { stack: some[0] ?? "" }), snapshot);

  it("finds members' stacks where these live, also a stack that the list no longer needs", () => {
    const two = ["prod-0", "prod-1"];
    assert.deepEqual(with2("prod", two, "bob"), ["prod-0"]);
    assert.deepEqual(with2("prod", two, "alice", "bob"), two);
    assert.deepEqual(with2("prod", two, "carol"), ["prod"]);
    const one = stacksWith(["alice"], { stack: "prod", stacks: ["prod-0"] }, split(1), snapshot);
    assert.deepEqual(one, ["prod-1"]);
  });

  it("refuses a named stack that is not the members' own", () => {
    assert.deepEqual(with2("prod-1", ["prod-1"], "alice"), ["prod-1"]);
    assert.throws(() => with2("prod-1", ["prod-1"], "alice", "bob"), {
      message: /Stack 'prod-1' does not have all of these members/,
      why: "member 'bob' belongs to stack 'prod-0', and only its runs can target that member.",
      remedy: "Run it for all shards: --stack prod.",
    });
  });
});
