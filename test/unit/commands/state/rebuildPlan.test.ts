import assert from "node:assert/strict";
import type { OrphansOnServer } from "../../../../commands/state/orphansOnServer.ts";
import { ownObjects } from "../../../../commands/state/ownObjects.ts";
import { rebuildPlan, rebuildPlanText } from "../../../../commands/state/rebuildPlan.ts";
import { everyObject, sharedObjects } from "../../everyObject.ts";
import { alice, bob, carol, settings } from "../../samples.ts";
import { applied } from "./live.ts";

const objects = [alice, bob].flatMap((member) => everyObject(member, settings));
const all = [...objects, ...sharedObjects(settings)].map((object) => applied(object));
const of = { stack: "dev", cluster: "0b9c", buckets: [] };
const left: OrphansOnServer = {
  buckets: [{ member: "bob", name: "bob/bucket/data", bucketName: "bob-data", reclaimPolicy: "Retain" }],
  users: [{ member: "bob", accessKeyId: "KC", secretAccessKey: "s", role: "user" }],
  leftOut: [{ object: "bucket 'x'", why: "is odd" }],
};
const planned = (server: OrphansOnServer) =>
  rebuildPlan(ownObjects(all, settings), [alice, carol], [{ name: "bob", protect: true }], of, server);
const nothingLeft: OrphansOnServer = { buckets: [], users: [], leftOut: [] };
const plan = planned(nothingLeft);

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
      leavingBuckets: [],
      leavingKeys: [],
    });
    assert.equal(
      rebuildPlanText(
        { ...plan, leftOut: [{ object: "Namespace dan", why: "is being deleted already" }] },
        "https://k8s:6443",
      ),
      `The state of stack 'dev' is empty. On the cluster https://k8s:6443 it has ${all.length} objects, ${shared} of which all members share:
  1 member of the list:
    alice
  1 member no longer in the list; the next 'pulumi up' removes them:
    bob (protected)
  1 member of the list who is not there; the next 'pulumi up' creates them:
    carol
  left out:
    Namespace dan is being deleted already
A rebuild writes these objects into the state. It changes nothing on the cluster.`,
    );
  });

  it("tells of buckets and keys that the list has no more, and without any secret", () => {
    const plan = planned(left);
    assert.deepEqual([plan.leavingBuckets, plan.leavingKeys, plan.leftOut], [["bob-data"], ["bob"], left.leftOut]);
    assert.match(
      rebuildPlanText(plan, "https://k8s:6443"),
      / {2}1 bucket no longer in the list, which the next 'pulumi up' closes, and .*:\n {4}bob-data\n {2}keys .* of 1 member:\n {4}bob\n {2}left out:\n {4}bucket 'x' is odd\n/,
    );
  });

  it("announces nobody whom another shard of the list has", () => {
    const of = { stack: "dev", cluster: "0b9c", buckets: [] };
    const own = ownObjects(all, settings);
    const plan = rebuildPlan(own, [alice, bob, carol], [], of, nothingLeft, [alice, bob]);
    assert.deepEqual([plan.members, plan.leaving, plan.missing], [["alice", "bob"], [], []]);
  });
});
