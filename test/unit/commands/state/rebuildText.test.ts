import assert from "node:assert/strict";
import type { OrphansOnServer } from "../../../../commands/state/orphansOnServer.ts";
import { ownObjects } from "../../../../commands/state/ownObjects.ts";
import { rebuildText } from "../../../../commands/state/rebuildText.ts";
import { inhabitedBy } from "../../cluster/leaving.ts";
import { everyObject, sharedObjects } from "../../everyObject.ts";
import { planOf } from "../../plan/planned.ts";
import { alice, bob, carol, settings } from "../../samples.ts";
import { applied } from "./live.ts";

const objects = [alice, bob].flatMap((member) => everyObject(member, settings));
const all = [...objects, ...sharedObjects(settings)].map((object) => applied(object));
const nothingLeft: OrphansOnServer = { buckets: [], users: [], leftOut: [] };
const plan = planOf([alice, carol], settings, inhabitedBy("alice"));
const bobLeaves = { ...plan, removedMembers: [{ name: "bob", protect: true } as (typeof plan.removedMembers)[number]] };
const textOf = (of: Parameters<typeof rebuildText>[1], server = nothingLeft) =>
  rebuildText(ownObjects(all, settings), of, server, "https://k8s:6443");

describe("what a rebuild is to do", () => {
  it("is told with who is in the list, who leaves, who is not there, and what is left out", () => {
    const leftOut = [{ object: "Namespace dan", why: "is being deleted already" }];
    assert.equal(
      textOf(bobLeaves, { ...nothingLeft, leftOut }),
      `The state of stack 'dev' is empty. On the cluster https://k8s:6443 it has ${all.length} objects, ${sharedObjects(settings).length} of which all members share:
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
    const text = textOf(bobLeaves, {
      ...nothingLeft,
      buckets: [{ member: "bob", name: "bob/bucket/data", bucketName: "bob-data", reclaimPolicy: "Retain" }],
      users: [{ member: "bob", accessKeyId: "KC", secretAccessKey: "hunter2", role: "user" }],
    });
    assert.match(
      text,
      / {2}1 bucket no longer in the list, which the next 'pulumi up' closes, and .*:\n {4}bob-data\n {2}keys .* of 1 member:\n {4}bob\n/,
    );
    assert.doesNotMatch(text, /hunter2/);
  });

  it("announces nobody whom another shard of the list has", () => {
    const { members } = planOf([alice, bob], settings, inhabitedBy("alice"));
    const text = textOf({ ...plan, members, list: [alice, bob, carol] });
    assert.match(text, /all members share:\n {2}2 members of the list:\n {4}alice, bob\nA rebuild/);
  });
});
