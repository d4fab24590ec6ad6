import assert from "node:assert/strict";
import { policiesOf } from "../../../policies.ts";
import { settings } from "../../../samples.ts";

const policies = policiesOf(settings);

describe("admission policies of a stack", () => {
  it("judge what makes and changes something, of pods also how they end, and of what a run keeps that it goes", () => {
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
    ]);
  });

  it("say in every refusal whom to ask, in one line", () => {
    const asked = policiesOf({ ...settings, contact: 'the "platform" team' });
    for (const { policy } of asked) {
      for (const { expression, messageExpression, reason } of policy.spec.validations) {
        assert.ok(messageExpression.includes('ask the \\"platform\\" team'), messageExpression);
        assert.doesNotMatch(expression + messageExpression, /\n/);
        assert.equal(reason, "Forbidden");
      }
    }
  });

  it("have parameters where a policy is about them, which are all that there are", () => {
    for (const { policy, binding } of policies) {
      const expected =
        policy.spec.paramKind === undefined ? undefined : { selector: {}, parameterNotFoundAction: "Deny" };
      assert.deepEqual(binding.spec.paramRef, expected);
    }
  });
});
