import assert from "node:assert/strict";
import { leftoversPatch } from "../../../../plan/members/additions.ts";
import { policiesOf } from "../../policies.ts";
import { settings } from "../../samples.ts";

const [{ policy, binding } = assert.fail()] = policiesOf(settings);
const copy = <T>(value: T): T => structuredClone(value);

describe("what applying a policy again would leave", () => {
  it("finds no leftovers on a policy that is as declared, or otherwise changed or gone", () => {
    const { variables: _, ...rest } = copy(policy.spec);
    assert.equal(leftoversPatch(copy(policy.spec), policy.spec), undefined);
    assert.equal(leftoversPatch({ ...copy(policy.spec), failurePolicy: "Ignore" }, policy.spec), undefined);
    assert.deepEqual(leftoversPatch(rest, policy.spec), { variables: policy.spec.variables });
    assert.equal(leftoversPatch(undefined, policy.spec), undefined);
  });

  it("finds conditions, exceptions and parameters that somebody added to a policy, at any depth", () => {
    const live = {
      ...copy(policy.spec),
      matchConditions: [{ name: "never", expression: "false" }],
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      matchConstraints: { ...copy(policy.spec.matchConstraints), excludeResourceRules: [{ resources: ["*"] }] },
    };
    assert.deepEqual(leftoversPatch(live, policy.spec), {
      matchConditions: null,
      paramKind: null,
      matchConstraints: { excludeResourceRules: null },
    });
  });

  it("finds an action beside Deny in a policy binding, since the list is one of many owners", () => {
    const live = { ...copy(binding.spec), validationActions: ["Warn"] };
    assert.deepEqual(leftoversPatch(live, binding.spec), { validationActions: ["Deny"] });
  });
});
