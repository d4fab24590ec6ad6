import assert from "node:assert/strict";
import { stackLabels } from "../../../../../naming/labels.ts";
import { admissionPolicies } from "../../../../../naming/names.ts";
import { celText } from "../../../../../plan/objects/admission/admissionPolicy.ts";
import { policiesOf } from "../../../policies.ts";
import { atOnce, settings } from "../../../samples.ts";

const policies = policiesOf(settings);

describe("admission policies of a stack", () => {
  it("are all there are names for, each with its binding, under the stack's name and labels", () => {
    assert.deepEqual(
      policies.map(({ name }) => name),
      [...admissionPolicies],
    );
    for (const { name, policy, binding } of policies) {
      const metadata = { name: `kubecamp-${name}-dev`, labels: stackLabels(settings), annotations: atOnce };
      assert.deepEqual([policy.metadata, binding.metadata], [metadata, metadata]);
    }
  });

  it("fail closed, and judge only what stands in the namespaces of the stack's members", () => {
    for (const { policy, binding } of policies) {
      assert.equal(policy.spec.failurePolicy, "Fail");
      const rules = policy.spec.matchConstraints.resourceRules;
      assert.deepEqual([...new Set(rules.map(({ scope }) => scope))], ["Namespaced"]);
      const { policyName, validationActions, matchResources } = binding.spec;
      assert.deepEqual([policyName, validationActions], [policy.metadata.name, ["Deny"]]);
      assert.deepEqual(matchResources.namespaceSelector, { matchLabels: { "kubecamp.dev/stack": "dev" } });
    }
  });

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

describe("a text in CEL", () => {
  it("is in quotes, with what would end it escaped", () => {
    assert.equal(celText('a "b" \\ c'), '"a \\"b\\" \\\\ c"');
  });
});
