import assert from "node:assert/strict";
import { ownObjects } from "../../../../commands/state/ownObjects.ts";
import { bucketNames, planOf, planText } from "../../../../commands/state/plan.ts";
import { everyObject, sharedObjects } from "../../everyObject.ts";
import { alice, bob, carol, configuration, settings, withBuckets } from "../../samples.ts";
import { applied } from "./live.ts";

const objects = [alice, bob].flatMap((member) => everyObject(member, settings));
const all = [...objects, ...sharedObjects(settings)].map((object) => applied(object));
const plan = planOf(ownObjects(all, settings), [alice, carol], [{ name: "bob", protect: true }], {
  stack: "dev",
  cluster: "0b9c",
  buckets: [],
});

describe("what a rebuild is to do", () => {
  it("is told with who is in the list, who leaves, and who is not there", () => {
    const shared = sharedObjects(settings).length;
    assert.deepEqual(plan, {
      stack: "dev",
      cluster: "0b9c",
      objects: all.length,
      shared,
      members: ["alice"],
      leaving: [{ name: "bob", protect: true, objects: everyObject(bob, settings).length }],
      missing: ["carol"],
      leftOut: [],
      buckets: [],
    });
    assert.equal(
      planText(
        { ...plan, leftOut: [{ object: "Namespace dan", why: "is being deleted already" }] },
        "https://k8s:6443",
      ),
      `The state of stack 'dev' is empty. On the cluster https://k8s:6443 it has ${all.length} objects, ${shared} of which all members share:
  1 member of the list:
    alice
  1 member no longer in the list, whom the next 'pulumi up' is to remove:
    bob (protected)
  1 member of the list who is not there, and whom the next 'pulumi up' makes:
    carol
  left out:
    Namespace dan is being deleted already
A rebuild writes these objects into the state, and nothing to the cluster.`,
    );
  });

  it("announces nobody whom another shard of the list has", () => {
    const of = { stack: "dev", cluster: "0b9c", buckets: [] };
    const { members, leaving, missing } = planOf(ownObjects(all, settings), [alice, bob, carol], [], of, [alice, bob]);
    assert.deepEqual([members, leaving, missing], [["alice", "bob"], [], []]);
  });

  it("tells of buckets that the next run knows by their tags", () => {
    const text = planText({ ...plan, buckets: ["ana-data", "bens-files"] }, "https://k8s:6443");
    assert.match(text, /left out, and known .* with new keys in new Secrets: 2 buckets:\n {4}ana-data, bens-files\n/);
    const ana = { member: "ana", type: "user", buckets: [{ name: "data" }] };
    assert.deepEqual(bucketNames(withBuckets(ana)), ["ana-data"]);
    const cosi = { kind: "cosi", version: "v1alpha1", bucketClassName: "standard", bucketAccessClassName: "keys" };
    assert.deepEqual(bucketNames(configuration({ storage: cosi, members: [ana] })), []);
  });

  it("names no more of what is left out than somebody can read", () => {
    const leftOut = Array.from({ length: 32 }, (_, index) => ({ object: `Service a/${index}`, why: "is odd" }));
    const lines = planText({ ...plan, leftOut }, "https://k8s:6443").split("\n");
    assert.deepEqual(lines.slice(-4), [
      "    Service a/28 is odd",
      "    Service a/29 is odd",
      "    and 2 more, which -o json names",
      "A rebuild writes these objects into the state, and nothing to the cluster.",
    ]);
  });
});
