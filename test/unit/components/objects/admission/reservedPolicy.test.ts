import assert from "node:assert/strict";
import { isWrittenByMembers } from "../../../../../cluster/membersWrite.ts";
import { reservedPolicy } from "../../../../../components/objects/admission/reservedPolicy.ts";
import { settings } from "../../../samples.ts";

// What the API server makes of it is in test/e2e/isolation/hostile, and in the suites about routes, starters and buckets.
describe("the policy on what is kubecamp's at home", () => {
  const { metadata, spec } = reservedPolicy({ ...settings, contact: 'the "platform" team' });

  it("judges every kind that members and runs both write, also what is deleted, but for Services", () => {
    assert.equal(metadata.name, "kubecamp-reserved-dev");
    const { resourceRules } = spec.matchConstraints;
    const resources = resourceRules.flatMap((rule) => rule.resources);
    assert.deepEqual(resources, ["configmaps", "secrets", "deployments"]);
    for (const kind of ["ConfigMap", "Secret", "Deployment", "Service"] as const) {
      assert.equal(isWrittenByMembers({ kind }), true);
    }
    assert.ok(resourceRules.every(({ operations }) => operations.includes("DELETE")));
  });

  it("says what to do, and whom to ask", () => {
    const messages = spec.validations.map(({ messageExpression }) => messageExpression);
    assert.match(messages[0] ?? "", /: call yours otherwise, or ask the \\"platform\\" team"$/);
    assert.match(messages[1] ?? "", /: leave it out, or ask the \\"platform\\" team"$/);
  });
});
