import assert from "node:assert/strict";
import { type ClusterSnapshot, keyOf } from "../../../../cluster/read/snapshot.ts";
import type { Member } from "../../../../config/model/settings.ts";
import { unrecorded } from "../../../../plan/membership/unrecorded.ts";
import { cluster, managedObject, owned, service } from "../../cluster/leaving.ts";
import { alice, bob, settings } from "../../samples.ts";
import { planned, planOf } from "../planned.ts";

describe("what a killed run has made and nobody is to have", () => {
  const open = planned(bob, settings, {
    services: new Map([["bob/bob-svc", { ...service("ClusterIP"), ports: [80] }]]),
  });
  const there = (change: Partial<ClusterSnapshot> = {}) => {
    const [services, others] = [true, false].map((is) =>
      open.declared.filter(({ kind }) => (kind === "Service") === is),
    );
    return cluster({
      namespaces: new Map([["bob", owned("bob")]]),
      managedObjects: new Map(others?.map((object) => [keyOf(object), managedObject("bob")])),
      services: new Map(
        services?.map(({ namespace, name }) => [
          `${namespace}/${name}`,
          { ...service("ExternalName"), ...owned("bob") },
        ]),
      ),
      ...change,
    });
  };
  const names = (list: readonly Member[], snapshot = there(), known: readonly string[] = []) =>
    unrecorded(planOf(list, settings, snapshot), new Set(known)).sort();
  const all = [
    "bob/binding/edit",
    "bob/isolation",
    "bob/limits",
    "bob/namespace",
    "bob/others/view",
    "bob/quota",
    "bob/role/edit",
    "bob/route/ingress",
    "bob/route/service",
    "bob/service-account",
  ];

  it("is all of who is in the list no more, but for what the state has", () => {
    assert.deepEqual(names([alice]), all);
    assert.deepEqual(names([alice], there(), all.slice(1)), ["bob/binding/edit"]);
    assert.deepEqual(names([alice], there(), all), []);
  });

  it("is of who is in it what they are to have no more", () => {
    assert.deepEqual(names([bob]), ["bob/route/ingress", "bob/route/service"]);
    assert.deepEqual(names([{ ...bob, standing: "suspended" }]), [
      "bob/binding/edit",
      "bob/others/view",
      "bob/route/ingress",
      "bob/route/service",
    ]);
  });

  it("is nothing of another stack's, of whom another shard has, or of what is being deleted", () => {
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

  it("is nothing that members can make at home, whatever its labels say", () => {
    const own = new Map([
      ["ConfigMap bob/kubecamp-starter-pages", managedObject("bob")],
      ["Deployment bob/starter", managedObject("bob")],
    ]);
    assert.deepEqual(names([bob], cluster({ namespaces: new Map([["bob", owned("bob")]]), managedObjects: own })), []);
  });
});
