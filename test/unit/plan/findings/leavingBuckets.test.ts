import assert from "node:assert/strict";
import type { LeavingBucket } from "../../../../buckets/bucket/leaving.ts";
import type { ClusterSnapshot } from "../../../../cluster/read/snapshot/snapshot.ts";
import { leavingFindings, letGoOf } from "../../../../plan/findings/leavingBuckets.ts";
import { planStack } from "../../../../plan/plan.ts";
import { targetAll } from "../../../../plan/target.ts";
import { cluster, owned } from "../../cluster/leaving.ts";
import { alice, bob, settings } from "../../samples.ts";
import { planOf, textOf } from "../planned.ts";

const gone = (member: string, more: Partial<LeavingBucket> = {}): LeavingBucket => ({
  ...{ bucketName: `${member}-data`, name: "", member, reclaimPolicy: "Delete", deletes: { objects: 1, more: false } },
  ...more,
});

describe("buckets that are let go of", () => {
  it("tells of buckets let go of with what is lost in each, or that they stay", () => {
    assert.equal(textOf(leavingFindings([])), undefined);
    assert.equal(
      textOf(
        leavingFindings([
          { bucketName: "dan-data", name: "", member: "dan", reclaimPolicy: "Retain" },
          gone("bob", { deletes: { objects: 10_000, more: false } }),
          gone("cleo", { deletes: { objects: 100_000, more: true } }),
          gone("alice"),
          gone("eve", { deletes: { objects: 0, more: false } }),
        ]),
      ),
      `Buckets that are no longer in the list, and what 'pulumi up' does with them:
  alice: 'alice-data' is deleted with 1 object (Delete)
  bob: 'bob-data' is deleted with 10,000 objects (Delete)
  cleo: 'cleo-data' is deleted with more than 100,000 objects (Delete)
  dan: 'dan-data' stays on the server with all that is in it, closed to everybody (Retain)
  eve: 'eve-data' is deleted with no objects (Delete)`,
    );
  });

  const namesOf = (buckets: readonly LeavingBucket[]) => buckets.map(({ member }) => member);
  const leaving = ["alice", "bob", "zoe"].map((name) => gone(name));

  it("tells of everybody's buckets let go of in a run for all, else of the run's members'", () => {
    const list = [alice, bob];
    const run = { plan: planOf(list, settings, cluster()) };
    assert.deepEqual(namesOf(letGoOf(leaving, { ...run, target: targetAll(list) })), ["alice", "bob", "zoe"]);
    const some = (members: readonly (typeof bob)[], removedMembers: readonly string[]) =>
      namesOf(letGoOf(leaving, { ...run, target: { members, removedMembers, isWhole: false, waits: false } }));
    assert.deepEqual(some([bob], []), ["bob"]);
    assert.deepEqual(some([], ["zoe"]), ["zoe"]);
  });

  it("tells in a shard of buckets let go of by its own members, and by who leaves it", () => {
    const shard = { ...settings, stack: "dev-0", shards: { family: "dev", count: 2 } };
    const target = targetAll([bob]);
    const runOn = (snapshot: ClusterSnapshot) => ({ plan: planStack([alice, bob], shard, snapshot, [bob]), target });
    assert.deepEqual(namesOf(letGoOf(leaving, runOn(cluster()))), ["bob"]);
    const zoe = owned("zoe", { "kubecamp.dev/stack": "dev-0" });
    const snapshot = cluster({ namespaces: new Map([["zoe", zoe]]) });
    assert.deepEqual(namesOf(letGoOf(leaving, runOn(snapshot))), ["bob", "zoe"]);
  });
});
