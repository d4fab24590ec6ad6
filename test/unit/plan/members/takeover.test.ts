import assert from "node:assert/strict";
import { keyOf } from "../../../../cluster/kinds/objectName.ts";
import type { ManagedObject } from "../../../../cluster/read/snapshot.ts";
import { type Parsed, parseConfiguration } from "../../../../config/configuration.ts";
import type { Settings } from "../../../../config/settings.ts";
import { roleBinding } from "../../../../objects/rbac/bindings.ts";
import { Drift } from "../../../../plan/live/drift.ts";
import { takenOver, takeovers, unmarkedTakeover } from "../../../../plan/members/takeover.ts";
import { refusalTexts } from "../../../../plan/words/catalogue.ts";
import { ann, managedObject, operators, route, service, theirs } from "../../cluster/operators.ts";
import { bob, labelsOf, settings, today } from "../../samples.ts";
import { compared, planned, planOf, textOf } from "../planned.ts";

describe("adoption", () => {
  it("takes over what is under names that a run declares, for members with adopt alone", () => {
    // Every namespace has one, which Kubernetes has made.
    const managedObjects = new Map([
      ...operators.managedObjects,
      ["ServiceAccount ann/default", managedObject({})] as const,
    ]);
    assert.deepEqual(
      takenOver(planned(ann, settings, { ...operators, managedObjects })).map(({ object }) => keyOf(object)),
      ["Namespace ann", "LimitRange ann/default-limits", "Service ingress-nginx/ann-svc", "Ingress ingress-nginx/ann"],
    );
    assert.deepEqual(takenOver(planned({ ...ann, adopt: false }, settings, operators)), []);
  });

  it("tells what adoption takes over in one warning, and which paths close with that", () => {
    assert.equal(
      textOf(takeovers(planOf([ann, bob], settings, operators))),
      "Taken over (adopt) by 'pulumi up', without deleting or recreating them:\n" +
        "  ann: Namespace ann, LimitRange ann/default-limits, Service ingress-nginx/ann-svc, Ingress ingress-nginx/ann",
    );
    const wider = managedObject(theirs("ann"), route("/ann", "/lab"));
    const managedObjects = new Map([["Ingress ingress-nginx/ann", wider]]);
    assert.match(
      textOf(takeovers(planOf([ann], settings, { ...operators, managedObjects }))) ?? "",
      /Ingress ingress-nginx\/ann \(no longer at camp\.example\.org\/lab\)$/,
    );
    assert.equal(textOf(takeovers(planOf([bob], settings, operators))), undefined);
  });

  it("takes adoption for no change by hand", () => {
    const binding = roleBinding(bob, settings);
    const managedObjects = new Map([
      ["RoleBinding bob/kubecamp-edit", managedObject({}, { ...binding, subjects: [{ kind: "User", name: "ada" }] })],
    ]);
    const reported = (drift: Drift) => {
      drift.marked(compared("RoleBinding", binding));
      return textOf(drift.findings);
    };
    assert.match(reported(new Drift({ managedObjects })) ?? "", /RoleBinding bob\/kubecamp-edit/);
    const plan = planOf([{ ...bob, adopt: true }], settings, { managedObjects });
    assert.equal(reported(new Drift(plan.snapshot, plan.members)), undefined);
  });
});

const asked = { ...ann, needsMark: true } as const;

/** The member's fit Service. */
const home = new Map([["ann/ann-svc", service("ClusterIP")]]);

/** What a run says about objects that exist, for a member in a file of their own. */
function told(managedObjects: ReadonlyMap<string, ManagedObject>, of: Settings = settings, member = asked): string[] {
  const snapshot = { managedObjects, services: home };
  return refusalTexts(unmarkedTakeover(planned(member, of, snapshot), snapshot));
}

const marked = (stack: string) => ({ ...managedObject({}), annotations: { "kubecamp.dev/adopt": stack } });
const withHome = (namespace: ManagedObject) =>
  new Map([...operators.managedObjects, ["Namespace ann", namespace] as const]);

describe("a takeover that a file of members asks for", () => {
  it("refuses a takeover where no admin has marked the namespace, with the command that does", () => {
    assert.deepEqual(told(operators.managedObjects), [
      "member 'ann': adopt would take over Namespace ann, Ingress ingress-nginx/ann, and whoever edits the members file " +
        "can't decide that: choose another name, or mark the namespace if the member is to have it with everything in it: " +
        "kubectl annotate namespace ann kubecamp.dev/adopt=dev",
    ]);
  });

  it("refuses a takeover beside the controller too, with or without the member's namespace", () => {
    const ingress = ["Ingress ingress-nginx/ann", managedObject(theirs("ann"), route("/ann"))] as const;
    const [text = ""] = told(new Map([ingress]));
    assert.match(text, /take over Ingress ingress-nginx\/ann, and/);
    assert.match(text, /: kubectl create namespace ann && kubectl annotate namespace ann kubecamp\.dev\/adopt=dev$/);
    const own = ["Namespace ann", managedObject(labelsOf("ann"))] as const;
    assert.match(told(new Map([ingress, own]))[0] ?? "", /: kubectl annotate namespace ann /);
  });

  it("takes over where the mark names the stack, and refuses where another is named", () => {
    assert.deepEqual(told(withHome(marked("dev"))), []);
    assert.equal(told(withHome(marked("prod"))).length, 1);
  });

  it("refuses nothing without a mark in the member's own namespace, or where nothing is there", () => {
    const own = new Map([
      ["Namespace ann", managedObject(labelsOf("ann"))],
      ["LimitRange ann/default-limits", managedObject(theirs("ann"))],
    ]);
    assert.deepEqual(told(own), []);
    assert.deepEqual(told(new Map()), []);
  });

  it("takes over without a mark if the entry is in the stack's own file", () => {
    const members = [
      { member: "ann", type: "user", adopt: true },
      { member: "bob", type: "user" },
    ];
    const raw = { route: { host: "camp.example.org", controller: "traefik" } };
    const needs = (parsed: Parsed) =>
      "configuration" in parsed ? parsed.configuration.members.map(({ adopt, needsMark }) => [adopt, needsMark]) : [];
    assert.deepEqual(needs(parseConfiguration("dev", { ...raw, members }, today)), [
      [true, undefined],
      [false, undefined],
    ]);
    assert.deepEqual(needs(parseConfiguration("dev", { ...raw, membersFile: "members.yaml" }, today, { members })), [
      [true, true],
      [false, undefined],
    ]);
    const snapshot = { managedObjects: operators.managedObjects, services: home };
    assert.deepEqual(unmarkedTakeover(planned(ann, settings, snapshot), snapshot), []);
  });
});
