import assert from "node:assert/strict";
import { keyOf } from "../../../../cluster/kinds/objectName.ts";
import type { ClusterSnapshot } from "../../../../cluster/read/snapshot.ts";
import type { Member } from "../../../../config/member/member.ts";
import { deletionRounds, unrecorded, unrecordedFindings } from "../../../../plan/members/unrecorded.ts";
import { cluster, managedObject, owned, service } from "../../cluster/leaving.ts";
import { alice, bob, settings } from "../../samples.ts";
import { planned, planOf, textsOf } from "../planned.ts";

describe("what a killed run or a lost state has left and nobody is to have", () => {
  const open = planned(bob, settings, { services: new Map([["bob/bob-svc", service("ClusterIP")]]) });
  const there = (change: Partial<ClusterSnapshot> = {}) => {
    const others = open.declared.filter(({ kind }) => kind !== "Service");
    return cluster({
      namespaces: new Map([["bob", owned("bob")]]),
      managedObjects: new Map(others.map((object) => [keyOf(object), managedObject("bob")])),
      services: new Map([["ingress-nginx/bob-svc", { ...service("ExternalName"), ...owned("bob") }]]),
      ...change,
    });
  };
  const names = (list: readonly Member[], snapshot = there(), known: readonly string[] = []) =>
    unrecorded(planOf(list, settings, snapshot), new Set(known))
      .map(({ called }) => called)
      .sort();
  const routes = ["bob/route/ingress", "bob/route/service"];
  const all = [
    ...["bob/binding/edit", "bob/isolation", "bob/limits", "bob/namespace", "bob/others/view", "bob/quota"],
    ...["bob/role/edit", ...routes, "bob/service-account"],
  ];

  it("finds all of a killed run's objects of who left the list, but for what the state has", () => {
    assert.deepEqual(names([alice]), all);
    assert.deepEqual(names([alice], there(), all.slice(1)), ["bob/binding/edit"]);
    assert.deepEqual(names([alice], there(), all), []);
  });

  it("finds a killed run's objects of a listed member that they are to have no more", () => {
    assert.deepEqual(names([bob]), routes);
    const keys = ["bob/binding/edit", "bob/others/view"];
    assert.deepEqual(names([{ ...bob, standing: "suspended" }]), [...keys, ...routes]);
  });

  it("finds none of another stack's or shard's unrecorded objects, or of those being deleted", () => {
    const elsewhere = { labels: { ...owned("bob").labels, "kubecamp.dev/stack": "prod" } };
    const { managedObjects } = there();
    const others = new Map([...managedObjects].map(([key, live]) => [key, { ...live, ...elsewhere }]));
    assert.deepEqual(names([alice], there({ managedObjects: others, services: new Map() })), []);
    const plan = planOf([alice], settings, there());
    assert.deepEqual(unrecorded({ ...plan, list: [alice, bob] }, new Set()), []);
    const ending = { ...owned("bob"), terminating: true };
    const left = there({ namespaces: new Map([["bob", ending]]) });
    assert.ok(!names([alice], left).includes("bob/limits"));
  });

  it("finds no unrecorded object that members can make at home, whatever its labels say", () => {
    const own = new Map([
      ["ConfigMap bob/kubecamp-starter-pages", managedObject("bob")],
      ["Deployment bob/starter", managedObject("bob")],
    ]);
    const namespaces = new Map(["bob", "eve"].map((name) => [name, owned(name)]));
    const services = new Map([["eve/carol-svc", { ...service("ExternalName"), ...owned("carol") }]]);
    assert.deepEqual(names([bob], cluster({ namespaces, managedObjects: own, services })), []);
  });

  it("deletes in rounds: routes, keys, then the namespace together with its guards", () => {
    const rounds = (list: readonly Member[], snapshot = there()) =>
      deletionRounds(unrecorded(planOf(list, settings, snapshot), new Set())).map((round) => round.map(keyOf).join());
    assert.deepEqual(rounds([alice]), [
      "Ingress ingress-nginx/bob",
      "Service ingress-nginx/bob-svc",
      "ClusterRoleBinding kubecamp:dev:bob:view",
      "RoleBinding bob/kubecamp-edit",
      "Namespace bob",
    ]);
    assert.deepEqual(rounds([bob]), ["Ingress ingress-nginx/bob", "Service ingress-nginx/bob-svc"]);
    const { managedObjects } = there();
    const quota = new Map([...managedObjects].filter(([key]) => key.startsWith("ResourceQuota")));
    const unlimited = { ...bob, type: { ...bob.type, quota: undefined } } as unknown as Member;
    const left = there({ managedObjects: quota, services: new Map() });
    assert.deepEqual(rounds([unlimited], left), ["ResourceQuota bob/quota"]);
  });

  describe("is named by a plain up, which does not delete it", () => {
    const knowing = (...keys: readonly string[]) => new Set(keys);
    const named = (known: ReadonlySet<string> | undefined, list: readonly Member[] = [bob]) =>
      textsOf(unrecordedFindings(planOf(list, settings, there()), known))[0];

    it("names unrecorded objects one by one, also for an empty state, but not for an unread one", () => {
      assert.equal(
        named(knowing("Namespace alice")),
        `Neither in the list nor in Pulumi's state, since a run was killed or the state lost. Pulumi alone leaves it; 'kubecamp up --stack dev' deletes it (docs/run/state.md#the-state-is-lost):
  Ingress ingress-nginx/bob
  Service ingress-nginx/bob-svc`,
      );
      assert.match(named(knowing(), [alice]) ?? "", /\n {2}Namespace bob\n/);
      assert.equal(named(undefined, [alice]), undefined);
    });
  });
});
