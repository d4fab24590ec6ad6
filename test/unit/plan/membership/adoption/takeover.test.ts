import assert from "node:assert/strict";
import { keyOf } from "../../../../../cluster/read/snapshot.ts";
import { Drift } from "../../../../../plan/compare/drift.ts";
import { takenOver, takeoverWarning } from "../../../../../plan/membership/adoption/takeover.ts";
import { roleBinding } from "../../../../../plan/objects/roleBinding.ts";
import { ann, guard, operators, route, theirs } from "../../../cluster/operators.ts";
import { bob, gatewaySettings, labelsOf, settings } from "../../../samples.ts";

describe("adoption", () => {
  it("takes over what is there under the names that a run declares, for members with adopt alone", () => {
    // Every namespace has one, which Kubernetes has made.
    const guards = new Map([...operators.guards, ["ServiceAccount ann/default", guard({})] as const]);
    assert.deepEqual(takenOver(ann, settings, { ...operators, guards }).map(keyOf), [
      "Namespace ann",
      "LimitRange ann/default-limits",
      "Service ingress-nginx/ann-svc",
      "Ingress ingress-nginx/ann",
    ]);
    assert.deepEqual(takenOver({ ...ann, adopt: false }, settings, operators), []);
  });

  it("is over once it has happened: what bears our labels is ours", () => {
    const guards = new Map([["Namespace ann", guard({ ...theirs("ann"), ...labelsOf("ann") })]]);
    assert.deepEqual(takenOver(ann, settings, { ...operators, guards, services: new Map() }), []);
  });

  it("tells what it takes over in one warning, and which paths close with that", () => {
    assert.equal(
      takeoverWarning([ann, bob], settings, operators),
      "Taken over (adopt) by 'pulumi up', as they stand, without being deleted or made anew:\n" +
        "  ann: Namespace ann, LimitRange ann/default-limits, Service ingress-nginx/ann-svc, Ingress ingress-nginx/ann",
    );
    const wider = guard(theirs("ann"), route("/ann", "/lab"));
    const guards = new Map([["Ingress ingress-nginx/ann", wider]]);
    assert.match(
      takeoverWarning([ann], settings, { ...operators, guards }) ?? "",
      /Ingress ingress-nginx\/ann \(no longer at camp\.example\.org\/lab\)$/,
    );
    assert.equal(takeoverWarning([bob], settings, operators), undefined);
  });

  it("takes over an HTTPRoute at home, and tells which paths close with that", () => {
    const hosts = { hostnames: ["camp.example.org", "ann.example.org"] };
    const rules = [{ matches: [{ path: { type: "PathPrefix", value: "/ann" } }] }];
    const guards = new Map([["HTTPRoute ann/ann", guard({}, { spec: { ...hosts, rules } })]]);
    assert.match(
      takeoverWarning([ann], gatewaySettings(), { ...operators, guards }) ?? "",
      /\n {2}ann: HTTPRoute ann\/ann \(no longer at ann\.example\.org\/ann\)$/,
    );
  });

  it("is no change by hand", () => {
    const binding = roleBinding(bob, settings);
    const guards = new Map([
      ["RoleBinding bob/kubecamp-edit", guard({}, { ...binding, subjects: [{ kind: "User", name: "ada" }] })],
    ]);
    const told = (drift: Drift) => {
      drift.marked("RoleBinding", binding);
      return drift.warning;
    };
    assert.match(told(new Drift({ guards })) ?? "", /RoleBinding bob\/kubecamp-edit/);
    assert.equal(told(new Drift({ guards }, new Set(guards.keys()))), undefined);
  });
});
