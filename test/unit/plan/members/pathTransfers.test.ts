import assert from "node:assert/strict";
import type { ManagedObject } from "../../../../cluster/read/snapshot.ts";
import type { Member } from "../../../../config/member/member.ts";
import { type Target, targetAll } from "../../../../plan/decisions/target.ts";
import { pathTransfers } from "../../../../plan/members/pathTransfers.ts";
import { refusalTexts } from "../../../../plan/words/catalogue.ts";
import { cluster } from "../../cluster/leaving.ts";
import { managedObject, route, service } from "../../cluster/operators.ts";
import { alice, bob, configuration, gatewaySettings, labelsOf, routeAt, settings } from "../../samples.ts";
import { runOf } from "../planned.ts";

const host = "camp.example.org";
const at = (member: Member, path: string): Member => ({ ...member, route: routeAt("camp.example.org", path) });

/** A cluster where these have their paths, and each member a Service. */
function open(paths: Record<string, string>) {
  const managedObjects: [string, ManagedObject][] = Object.entries(paths).map(([name, path]) => [
    `Ingress ingress-nginx/${name}`,
    managedObject(labelsOf(name), route(path)),
  ]);
  return cluster({
    services: new Map(["alice", "bob"].map((name) => [`${name}/${name}-svc`, service("ClusterIP")])),
    managedObjects: new Map(managedObjects),
  });
}

/** An Ingress that gives up its path, and the member who gets it. */
const given = (name: string, taker: string) => {
  const url = `https://camp.example.org/${name}/`;
  return { kind: "Ingress", name, namespace: "ingress-nginx", url, taker };
};
const handed = (members: readonly Member[], snapshot: ReturnType<typeof open>, target: Target = targetAll(members)) =>
  pathTransfers(...runOf(members, target, settings, snapshot));

describe("paths that change hands", () => {
  const none = { given: [], takers: new Set(), obstacles: [] };

  it("changes no paths where everybody has their own, or moves to a free one", () => {
    assert.deepEqual(handed([alice, bob], open({ alice: "/alice", bob: "/bob" })), none);
    assert.deepEqual(handed([at(alice, "/free"), bob], open({ alice: "/alice", bob: "/bob" })), none);
    assert.deepEqual(handed([alice, bob], open({})), none);
  });

  it("gives up the paths of both who swap, and of who leaves or closes", () => {
    assert.deepEqual(handed([at(alice, "/bob"), at(bob, "/alice")], open({ alice: "/alice", bob: "/bob" })), {
      given: [given("alice", "bob"), given("bob", "alice")],
      takers: new Set(["bob", "alice"]),
      obstacles: [],
    });
    const one = { given: [given("alice", "bob")], takers: new Set(["bob"]), obstacles: [] };
    assert.deepEqual(handed([at(bob, "/alice")], open({ alice: "/alice" })), one);
    const suspended: Member = { ...alice, standing: "suspended" };
    assert.deepEqual(handed([suspended, at(bob, "/alice")], open({ alice: "/alice" })), one);
  });

  it("gives no path to who is not ready, or whose giver the run is not about", () => {
    const unserved = { ...open({ alice: "/alice" }), services: new Map() };
    assert.deepEqual(handed([at(bob, "/alice")], unserved), none);
    const swap = [at(alice, "/bob"), at(bob, "/alice")];
    const targeted: Target = { members: swap.slice(1), isWhole: false, removedMembers: [], waits: true };
    const facts = { url: "https://camp.example.org/alice/", giver: "alice", stack: "dev" };
    const elsewhere = { code: "pathTaken", member: "bob", facts } as const;
    assert.deepEqual(handed(swap, open({ alice: "/alice", bob: "/bob" }), targeted), {
      ...none,
      obstacles: [elsewhere],
    });
    assert.deepEqual(refusalTexts([elsewhere]), [
      "member 'bob': https://camp.example.org/alice/ is still the address of member 'alice', which this run does not cover; run for both: kubecamp up --stack dev --member alice --member bob",
    ]);
    const leaves: Target = { ...targeted, removedMembers: ["alice"] };
    assert.deepEqual(handed(swap.slice(1), open({ alice: "/alice" }), leaves).given, [given("alice", "bob")]);
  });

  it("gives no path at any server to who gets it without its giver: two would have it", () => {
    const swap = [at(alice, "/bob"), at(bob, "/alice")];
    const targeted: Target = { members: swap.slice(1), isWhole: false, removedMembers: [], waits: true };
    const facts = { url: "https://camp.example.org/alice/", giver: "alice", stack: "dev" };
    const live = managedObject(labelsOf("alice"), route("/alice"));
    const both = configuration({
      members: [],
      route: { host, controller: "ingress-nginx", also: { controller: "traefik" } },
    });
    for (const [keys, own, given] of [
      [["Ingress alice/traefik"], configuration({ members: [], route: { host, controller: "traefik" } }).settings, 0],
      [["HTTPRoute alice/alice"], gatewaySettings(), 0],
      [["Ingress alice/traefik", "Ingress ingress-nginx/alice"], both.settings, 1],
    ] as const) {
      const snapshot = { ...open({}), managedObjects: new Map(keys.map((key) => [key, live])) };
      const { obstacles } = pathTransfers(...runOf(swap, targeted, own, snapshot));
      assert.deepEqual(obstacles, [{ code: "pathTaken", member: "bob", facts }], keys.join());
      // Where a run covers both, only ingress-nginx's gives its path up first.
      const whole = pathTransfers(...runOf(swap, targetAll(swap), own, snapshot));
      assert.deepEqual([whole.obstacles, whole.given.length], [[], given], keys.join());
    }
  });

  it("tries no path in a preview from one controller's namespace to another's", () => {
    const twin = service("ExternalName", labelsOf("bob"));
    const snapshot = { ...open({}), services: new Map([...open({}).services, ["old-nginx/bob-svc", twin]]) };
    assert.deepEqual(handed([alice, bob], snapshot), { ...none, takers: new Set(["bob"]) });
  });
});
