import assert from "node:assert/strict";
import { leftoversPatch } from "../../../../plan/compare/additions.ts";
import { policiesOf } from "../../policies.ts";
import { settings } from "../../samples.ts";

const [{ policy, binding } = assert.fail()] = policiesOf(settings);
const copy = <T>(value: T): T => structuredClone(value);

describe("what applying a policy again would leave", () => {
  it("is nothing of one as it is declared, or of which something else was changed or is gone", () => {
    const { variables: _, ...rest } = copy(policy.spec);
    assert.equal(leftoversPatch(copy(policy.spec), policy.spec), undefined);
    assert.equal(leftoversPatch({ ...copy(policy.spec), failurePolicy: "Ignore" }, policy.spec), undefined);
    assert.deepEqual(leftoversPatch(rest, policy.spec), { variables: policy.spec.variables });
    assert.equal(leftoversPatch(undefined, policy.spec), undefined);
  });

  it("is a condition, an exception and a parameter that somebody put there, at whatever depth", () => {
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

  it("is an action beside Deny, since the list is one of many owners", () => {
    const live = { ...copy(binding.spec), validationActions: ["Warn"] };
    assert.deepEqual(leftoversPatch(live, binding.spec), { validationActions: ["Deny"] });
  });
});
