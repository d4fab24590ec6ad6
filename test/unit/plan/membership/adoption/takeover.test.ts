import assert from "node:assert/strict";
import { keyOf } from "../../../../../cluster/kinds/objectName.ts";
import { roleBinding } from "../../../../../objects/rbac/roleBinding.ts";
import { Drift } from "../../../../../plan/compare/drift.ts";
import { takenOver, takeovers } from "../../../../../plan/membership/adoption/takeover.ts";
import { ann, managedObject, operators, route, theirs } from "../../../cluster/operators.ts";
import { bob, settings } from "../../../samples.ts";
import { compared, planned, planOf, textOf } from "../../planned.ts";

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
