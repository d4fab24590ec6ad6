import assert from "node:assert/strict";
import fc from "fast-check";
import type { ClusterSnapshot, LiveObject, ManagedObject } from "../../../../cluster/read/snapshot.ts";
import type { Member } from "../../../../config/member/member.ts";
import type { Settings } from "../../../../config/settings.ts";
import { obstacles } from "../../../../plan/decide/obstacles.ts";
import { refusedRemovals } from "../../../../plan/decide/removals.ts";
import { familyRemovedMembers, removedMembers } from "../../../../plan/live/removedMembers.ts";
import { membersElsewhere, ownMembers } from "../../../../plan/members/shards.ts";
import { knownElsewhere, pastTransfers, transferFindings, transfersOf } from "../../../../plan/members/transfers.ts";
import { refusalTexts } from "../../../../plan/words/catalogue.ts";
import { cluster, managedObject, owned, service } from "../../cluster/leaving.ts";
import { liveObject } from "../../cluster/liveService.ts";
import { alice, bob, carol, settings } from "../../samples.ts";
import { planOf, textOf } from "../planned.ts";

/** With two shards, bob and carol belong to the first, and alice to the second; with three, bob and carol to the third. */
const list = [alice, bob, carol];
const shard = (stack: string, count = 2): Settings => ({ ...settings, stack, shards: { family: "prod", count } });
const living = (homes: Record<string, string>): ReadonlyMap<string, LiveObject> =>
  new Map(Object.entries(homes).map(([name, stack]) => [name, owned(name, { "kubecamp.dev/stack": stack })]));
/** Live objects by their keys: whose each is, and of which stack. */
const there = (...objects: readonly (readonly [key: string, member: string, stack: string])[]) =>
  new Map<string, ManagedObject>(
    objects.map(([key, name, stack]) => [key, liveObject(owned(name, { "kubecamp.dev/stack": stack }))]),
  );
/** Bob's Service beside the controller, of a stack. */
const twinOf = (stack: string) =>
  new Map([["ingress-nginx/bob-svc", service("ExternalName", owned("bob", { "kubecamp.dev/stack": stack }).labels)]]);
const names = (stack: string, snapshot: ClusterSnapshot, count?: number) =>
  ownMembers(list, shard(stack, count), snapshot).map(({ name }) => name);
const family = ["prod", "prod-0", "prod-1", "prod-2", "prod-3"];

describe("members of a shard", () => {
  it("takes members into a shard by their names, where nobody lives yet", () => {
    assert.deepEqual([names("prod-0", cluster()), names("prod-1", cluster())], [["bob", "carol"], ["alice"]]);
    assert.deepEqual(names("prod", cluster()), []);
    assert.deepEqual(names("prod", cluster(), 0), ["alice", "bob", "carol"]);
  });

  it("leaves members in their shard when there are more or fewer, until they are handed over", () => {
    const snapshot = cluster({ namespaces: living({ alice: "prod-1", bob: "prod-0", carol: "prod" }) });
    for (const count of [0, 1, 2, 3]) {
      const each = family.map((stack) => names(stack, snapshot, count));
      assert.deepEqual(each, [["carol"], ["bob"], ["alice"], [], []]);
    }
    const moves = (count: number) => transfersOf(list, shard("prod-0", count), snapshot);
    assert.deepEqual(moves(2), [{ member: "carol", from: "prod", to: "prod-0" }]);
    assert.deepEqual(moves(3), [
      { member: "bob", from: "prod-0", to: "prod-2" },
      { member: "carol", from: "prod", to: "prod-2" },
    ]);
    const back = moves(0).map(({ member, to }) => `${member} ${to}`);
    assert.deepEqual(back, ["alice prod", "bob prod"]);
  });

  it("keeps leavers in their shard, and counts them against the limit until a run suspends them", () => {
    const left: Member = { ...bob, standing: "suspended", leaves: "2026-07-15" };
    const snapshot = cluster({ namespaces: living({ alice: "prod-1", bob: "prod-1" }) });
    const all = [alice, left];
    const of = (stack: string) => ownMembers(all, shard(stack), snapshot).map(({ name }) => name);
    assert.deepEqual([of("prod-0"), of("prod-1")], [[], ["alice", "bob"]]);
    const strict = { ...shard("prod-1"), offboarding: { maxRemovals: 0, graceDays: 30 } };
    assert.deepEqual(familyRemovedMembers(all, strict, snapshot), []);
    assert.equal(refusedRemovals(all, strict, snapshot).length, 1);
    const labels = { "kubecamp.dev/leaves": "2026-07-15", "kubecamp.dev/stack": "prod-1" };
    const namespaces = new Map([...living({ alice: "prod-1" }), ["bob", owned("bob", labels)] as const]);
    const suspended = cluster({ namespaces });
    assert.deepEqual(refusedRemovals(all, strict, suspended), []);
    assert.equal(refusedRemovals([alice], strict, suspended).length, 1);
  });

  it("gives each member to one shard, whatever the names, the homes and the number of shards", () => {
    const stack = fc.constantFrom("", "dev", "prod-64", ...family);
    fc.assert(
      fc.property(fc.tuple(stack, stack, stack), fc.integer({ min: 0, max: 4 }), ([a, b, c], count) => {
        const homes = Object.entries({ alice: a, bob: b, carol: c }).filter(([, home]) => home !== "");
        const snapshot = cluster({ namespaces: living(Object.fromEntries(homes)) });
        const all = family.flatMap((each) => names(each, snapshot, count));
        assert.deepEqual(all.sort(), ["alice", "bob", "carol"]);
      }),
    );
  });

  it("knows a shard's members by other objects where the namespace lost its labels, or is gone", () => {
    const traces: Partial<ClusterSnapshot>[] = [
      { managedObjects: there(["NetworkPolicy bob/isolation", "bob", "prod-1"]) },
      { managedObjects: there(["Ingress ingress-nginx/bob", "bob", "prod-1"]) },
      { services: twinOf("prod-1") },
    ];
    for (const trace of traces) {
      const snapshot = cluster({ namespaces: new Map([["bob", { labels: {}, terminating: false }]]), ...trace });
      assert.deepEqual([names("prod-0", snapshot), names("prod-1", snapshot)], [["carol"], ["alice", "bob"]]);
    }
  });

  it("takes no members of another list's stack that merely has such a name", () => {
    const snapshot = cluster({ namespaces: living({ bob: "dev", carol: "prod-64" }) });
    assert.deepEqual(names("prod-0", snapshot), ["bob", "carol"]);
    assert.match(
      refusalTexts(obstacles(planOf([bob], shard("prod-0"), snapshot))).join("\n"),
      /namespace 'bob' belongs to stack 'dev'/,
    );
    const doras = cluster({ namespaces: new Map([["bob", owned("dora", { "kubecamp.dev/stack": "prod-1" })]]) });
    assert.deepEqual(names("prod-1", doras), ["alice"]);
  });
});

describe("a run of a shard", () => {
  const snapshot = cluster({
    namespaces: living({ alice: "prod-1", bob: "prod-0", carol: "prod", dora: "prod-1", erin: "prod-0" }),
  });

  it("removes a shard's own who are in nobody's list, and counts those of the whole family", () => {
    const leaving = (stack: string) => removedMembers(list, shard(stack), snapshot).map(({ name }) => name);
    assert.deepEqual([leaving("prod-0"), leaving("prod-1")], [["erin"], ["dora"]]);
    const ofFamily = familyRemovedMembers(list, shard("prod-0"), snapshot).map(({ name }) => name);
    assert.deepEqual(ofFamily, ["dora", "erin"]);
    const limited: Settings = { ...shard("prod-0"), offboarding: { maxRemovals: 1 } };
    assert.deepEqual(refusalTexts(refusedRemovals(list, limited, snapshot)), [
      `2 members are no longer in the list; a run may remove 1 (offboarding.maxRemovals):
      dora, erin
    Put members who should stay back into the list. To remove 2 members with everything that is theirs, allow it for one run:
      set kubecamp:offboarding.maxRemovals to 2 in Pulumi.prod.yaml,
      kubecamp up --stack prod
      and set it to 1 again`,
    ]);
  });

  it("takes what another of the family has made for a shard's members, and nothing else", () => {
    const controller = new Map([["ingress-nginx", { labels: {}, terminating: false }]]);
    const beside = (stack: string) =>
      cluster({
        namespaces: new Map([...controller, ...living({ bob: "prod-0" })]),
        managedObjects: there(["Ingress ingress-nginx/bob", "bob", stack]),
        services: twinOf(stack),
      });
    const count = (of: Settings, stack: string) => obstacles(planOf([bob], of, beside(stack))).length;
    const undivided = { ...settings, stack: "prod-0" };
    const counts = [count(shard("prod-0"), "prod-1"), count(shard("prod-0"), "dev"), count(undivided, "prod-1")];
    assert.deepEqual(counts, [0, 2, 2]);
  });

  it("warns of members who move out of a shard or into it, and of no others", () => {
    const warning = (stack: string, count: number) => textOf(transferFindings(list, shard(stack, count), snapshot));
    assert.equal(warning("prod-1", 2), undefined);
    assert.equal(
      warning("prod-0", 2),
      "1 member is still in the stack from before kubecamp:shards was changed, until 'kubecamp up --stack prod' transfers them: carol (prod to prod-0)",
    );
    assert.match(warning("prod-2", 3) ?? "", /^2 members are .*: bob \(prod-0 to prod-2\), carol \(prod to prod-2\)$/);
  });

  it("knows members of other shards, also leavers, and those whom only a binding tells of", () => {
    const managedObjects = there(
      // Left by who was handed over: the namespace says where they are.
      ["ClusterRoleBinding a", "alice", "prod-0"],
      ["ClusterRoleBinding b", "dora", "prod-0"],
      ["ClusterRoleBinding c", "fay", "prod-1"],
      ["ClusterRoleBinding d", "gus", "dev"],
    );
    const { carol: _, ...homes } = { alice: "prod-1", bob: "prod-0", carol: "", dora: "prod-1", erin: "prod-0" };
    const live = cluster({ namespaces: living(homes), managedObjects });
    const elsewhere = (stack: string) => [...membersElsewhere(list, shard(stack), live)].sort();
    assert.deepEqual(elsewhere("prod-0"), ["alice", "dora", "fay"]);
    // Carol, who has nothing yet, belongs to the first.
    assert.deepEqual(elsewhere("prod-1"), ["bob", "carol", "erin"]);
    assert.deepEqual([...membersElsewhere(list, settings, live)], []);
  });

  it("stops a shard's run with an old state that would delete whom another stack has by now", () => {
    const annotations = { "kubecamp.dev/former-stacks": "prod,prod-0" };
    const moved = cluster({
      namespaces: living({ bob: "prod-2", carol: "prod-0" }),
      managedObjects: new Map(
        ["bob", "carol"].map((name) => [`Namespace ${name}`, { ...managedObject(name), annotations }]),
      ),
    });
    const former = pastTransfers(list, shard("prod-0", 3), moved);
    assert.deepEqual(former, [
      { member: "bob", from: "prod", to: "prod-2" },
      { member: "bob", from: "prod-0", to: "prod-2" },
      { member: "carol", from: "prod", to: "prod-0" },
    ]);
    const found = (stack: Settings) =>
      knownElsewhere(list, stack, moved, undefined).flatMap(({ facts }) => facts.moved);
    assert.deepEqual(found(shard("prod-0", 3)), [{ member: "bob", to: "prod-2" }]);
    // Carol belongs to the third, and lives in the first: by a label that was changed by hand, or not handed over yet.
    assert.deepEqual(found(shard("prod-2", 3)), [{ member: "carol", to: "prod-0" }]);
    assert.deepEqual(found(settings), []);
    const known = (last?: readonly string[]) =>
      refusalTexts(knownElsewhere(list, shard("prod-0", 3), moved, last && new Set(last)));
    assert.deepEqual(known(["bob", "alice/namespace"]), []);
    assert.match(
      known(["bob/namespace"])[0] ?? "",
      /^Pulumi's state of this stack has members that belong to another stack now, .* bob \(prod-2\)/,
    );
    assert.match(known()[0] ?? "", /^Pulumi's state of this stack could not be read .* bob \(prod-2\)/);
  });
});
