import assert from "node:assert/strict";
import { finalizersPolicy } from "../../../../../plan/objects/admission/finalizersPolicy.ts";
import { role } from "../../../../../plan/objects/rbac/role.ts";
import { carol, settings } from "../../../samples.ts";

// The suites in test/e2e/isolation/hostile try it on the API server.
describe("the policy on finalizers", () => {
  const { metadata, spec } = finalizersPolicy(settings);

  it("judges every kind that a member can make, and no other, and what ends pods", () => {
    const created = role(carol, settings).rules.filter(
      ({ verbs, resources }) => verbs.includes("create") && resources.every((each) => !each.includes("/")),
    );
    assert.notEqual(created.length, 0);
    assert.deepEqual(
      spec.matchConstraints.resourceRules.map(({ apiGroups, resources }) => ({ apiGroups, resources })),
      [
        ...created.map(({ apiGroups, resources }) => ({ apiGroups, resources })),
        { apiGroups: [""], resources: ["pods"] },
        { apiGroups: [""], resources: ["pods/eviction"] },
      ],
    );
  });

  it("is the stack's own, and says whom to ask", () => {
    assert.equal(metadata.name, "kubecamp-finalizers-dev");
    assert.match(spec.validations[0]?.messageExpression ?? "", /ask your cluster's admin if it has to be/);
  });
});
