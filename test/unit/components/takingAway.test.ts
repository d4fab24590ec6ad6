import assert from "node:assert/strict";
import type { ClusterSnapshot } from "../../../cluster/snapshot.ts";
import { takesAway } from "../../../components/takingAway.ts";
import type { Member } from "../../../config/settings.ts";
import { cluster, inhabitedBy, owned } from "../cluster/leaving.ts";
import { liveService } from "../cluster/liveService.ts";
import { alice, bob, labelsOf, member, settings } from "../samples.ts";

const takes = (members: readonly Member[], snapshot: ClusterSnapshot, aimed: readonly Member[] = members) =>
  takesAway(members, { members: aimed, isWhole: aimed === members, waits: false }, settings, snapshot);
const home = (labels: Record<string, string>) => cluster({ namespaces: new Map([["bob", owned("bob", labels)]]) });

describe("a run takes something away", () => {
  it("from who leaves, unless it is aimed at others", () => {
    assert.equal(takes([alice], inhabitedBy("alice", "bob")), true);
    assert.equal(takes([alice], inhabitedBy("alice")), false);
    assert.equal(takes([alice, bob], inhabitedBy("alice", "bob", "zoe"), [alice]), false);
  });

  it("from who is suspended by it, and not from who was before", () => {
    const suspended: Member = { ...bob, standing: "suspended" };
    assert.equal(takes([suspended], home({ "kubecamp.dev/standing": "active" })), true);
    assert.equal(takes([suspended], home({ "kubecamp.dev/standing": "suspended" })), false);
    assert.equal(takes([bob], home({ "kubecamp.dev/standing": "suspended" })), false);
  });

  it("from who gets other rights", () => {
    assert.equal(takes([bob], home({ "kubecamp.dev/traits": "edit.none.quota" })), true);
    assert.equal(takes([bob], home({ "kubecamp.dev/traits": "edit.view.quota" })), false);
  });

  it("from whose open path must close", () => {
    const ingresses = new Map([["bob", { labels: labelsOf("bob"), terminating: false }]]);
    const services = new Map([["bob/bob-svc", liveService()]]);
    assert.equal(takes([bob], cluster({ ingresses })), true);
    assert.equal(
      takes([member({ member: "bob", type: "user", route: false })], cluster({ ingresses, services })),
      true,
    );
    assert.equal(takes([bob], cluster({ ingresses, services })), false);
    assert.equal(takes([bob], cluster()), false);
  });
});
