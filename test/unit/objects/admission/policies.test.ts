import assert from "node:assert/strict";
import { policiesOf } from "../../policies.ts";
import { atOnce, labelsOf, settings } from "../../samples.ts";

const policies = policiesOf(settings);

describe("admission policies of a stack", () => {
  it("judges what makes or changes objects, how pods end, and removal of what a run keeps", () => {
    const others = policies.flatMap(({ name, policy }) =>
      policy.spec.matchConstraints.resourceRules.flatMap(({ operations, resources }) =>
        operations.join() === "CREATE,UPDATE" ? [] : [[name, ...operations, ...resources]],
      ),
    );
    assert.deepEqual(others, [
      ["finalizers", "DELETE", "pods"],
      ["finalizers", "CREATE", "pods/eviction"],
      ["reserved", "CREATE", "UPDATE", "DELETE", "configmaps", "secrets"],
      ["reserved", "CREATE", "UPDATE", "DELETE", "deployments"],
      ["reserved", "CREATE", "UPDATE", "DELETE", "securitypolicies"],
    ]);
  });

  it("says in every refusal whom to ask", () => {
    const asked = policiesOf({ ...settings, contact: 'the "platform" team' });
    for (const { policy } of asked) {
      assert.deepEqual(policy.spec.variables[0], { name: "contact", expression: '"the \\"platform\\" team"' });
      for (const { messageExpression, reason } of policy.spec.validations) {
        assert.match(messageExpression, /ask " \+ variables\.contact/);
        assert.equal(reason, "Forbidden");
      }
    }
  });

  it("is in force in the namespaces of the stack's members, and nowhere else", () => {
    const { "kubecamp.dev/member": _, ...labels } = labelsOf("bob");
    const namespaceSelector = { matchLabels: { "kubecamp.dev/stack": "dev" } };
    const matchResources = { matchPolicy: "Equivalent", namespaceSelector, objectSelector: {} };
    for (const { name, policy, binding } of policies) {
      const metadata = { name: `kubecamp-${name}-dev`, labels, annotations: atOnce };
      const { paramRef: __, ...spec } = binding.spec;
      assert.deepEqual([policy.metadata, binding.metadata], [metadata, metadata]);
      assert.deepEqual(spec, { policyName: metadata.name, validationActions: ["Deny"], matchResources });
    }
  });

  it("gives parameters to the policies about them, which are all that there are", () => {
    for (const { policy, binding } of policies) {
      const expected =
        policy.spec.paramKind === undefined ? undefined : { selector: {}, parameterNotFoundAction: "Deny" };
      assert.deepEqual(binding.spec.paramRef, expected);
    }
  });
});
