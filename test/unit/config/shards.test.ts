import assert from "node:assert/strict";
import fc from "fast-check";
import { homeStackOf, isOfFamily, shardIn, shardOf } from "../../../config/shards.ts";
import { isMeant, stacksOf } from "../../../config/sources/shardSource.ts";
import { project, useFolder } from "../testFolder.ts";

describe("shards", () => {
  it("puts a member into one shard for ever, by which a state and a cluster know them", () => {
    const names = ["alice", "bob", "carol", "dora", "erin", "frank"];
    const shardsAt = (count: number) => names.map((name) => shardOf(name, count));
    assert.deepEqual(
      { 1: shardsAt(1), 2: shardsAt(2), 3: shardsAt(3), 8: shardsAt(8), 64: shardsAt(64) },
      {
        1: [0, 0, 0, 0, 0, 0],
        2: [1, 0, 0, 0, 0, 1],
        3: [1, 2, 2, 2, 0, 1],
        8: [5, 2, 2, 5, 3, 3],
        64: [15, 13, 45, 45, 16, 45],
      },
    );
  });

  it("moves members to the new shard alone when there is one more, and about its share of them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer(), (count, seed) => {
        const names = Array.from({ length: 1000 }, (_, at) => `member-${seed}-${at}`);
        const moved = names.filter((name) => shardOf(name, count) !== shardOf(name, count + 1));
        const elsewhere = moved.filter((name) => shardOf(name, count + 1) !== count);
        assert.deepEqual(elsewhere, []);
        // Seven standard deviations of a fair draw.
        const share = 1 / (count + 1);
        const slack = 7 * Math.sqrt(1000 * share * (1 - share));
        assert.ok(Math.abs(moved.length - 1000 * share) < slack, `${moved.length} of 1000 moved to shard ${count}`);
      }),
      { numRuns: 30 },
    );
  });

  it("fills all shards alike", () => {
    const sizes = new Array<number>(8).fill(0);
    for (let at = 0; at < 8000; at += 1) {
      const shard = shardOf(`member-${at}`, 8);
      sizes[shard] = (sizes[shard] ?? 0) + 1;
    }
    assert.ok(Math.min(...sizes) > 850 && Math.max(...sizes) < 1150, sizes.join(" "));
  });

  it("puts everybody into the undivided stack where there are no shards any more", () => {
    assert.equal(homeStackOf("alice", { family: "prod", count: 0 }), "prod");
    assert.equal(homeStackOf("alice", { family: "prod", count: 1 }), "prod-0");
  });

  it("knows a family of shards by its stacks' names", () => {
    const shards = { family: "prod" };
    const stacks = ["prod", "prod-0", "prod-63", "prod-64", "prod-00", "prod-01", "prod-1a", "prod-", "prodx-1", "dev"];
    const ofFamily = stacks.filter((stack) => isOfFamily(stack, shards));
    assert.deepEqual(ofFamily, ["prod", "prod-0", "prod-63"]);
    assert.equal(shardIn("prod-7", "prod"), 7);
    assert.equal(shardIn("prod", "prod"), undefined);
    assert.equal(shardIn("a.b-1", "a+b"), undefined);
  });

  describe("stacksOf", () => {
    const folder = useFolder(project);

    const saying = async (config: string) => {
      folder.write({ "Pulumi.prod.yaml": `config:\n  ${config}\n` });
      return stacksOf(folder.path, "prod");
    };

    it("finds the shards of a stack that is split, and of any other the stack alone", async () => {
      assert.deepEqual(await saying("kubecamp:shards: 3"), ["prod-0", "prod-1", "prod-2"]);
      // As 'pulumi config set' writes it.
      assert.deepEqual(await saying('kubecamp:shards: "3"'), ["prod-0", "prod-1", "prod-2"]);
      assert.deepEqual(await saying("kubecamp:shards: 0"), ["prod"]);
      assert.deepEqual(await saying("kubecamp:membersFile: members.yaml"), ["prod"]);
      assert.deepEqual(await saying("kubecamp:shardOf: all"), ["prod"]);
      assert.deepEqual(stacksOf(folder.path, "dev"), ["dev"]);
    });

    it("takes a split stack's name for the whole family, and any other for that stack alone", async () => {
      await saying("kubecamp:shards: 2");
      const others = ["prod", "prod-0", "prod-7", "prod-64", "dev", undefined];
      assert.deepEqual(others.filter(isMeant(folder.path, "prod")), ["prod", "prod-0", "prod-7"]);
      assert.deepEqual(others.filter(isMeant(folder.path, "prod-0")), ["prod-0"]);
      assert.deepEqual(others.filter(isMeant(folder.path, "dev")), ["dev"]);
    });

    it("leaves a wrong number of shards to a run of the stack to tell", async () => {
      for (const wrong of ["many", "-1", "2.5", "65", "[2]", "1000000000000"]) {
        assert.deepEqual(await saying(`kubecamp:shards: ${wrong}`), ["prod"], wrong);
      }
    });
  });
});
