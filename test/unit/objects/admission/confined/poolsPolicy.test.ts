import assert from "node:assert/strict";
import { fillIn } from "../../../../../objects/admission/confined/fillIn.ts";
import { policyOf } from "../../../../../objects/admission/policies.ts";
import { configuration } from "../../../samples.ts";

const toleration = { key: "dedicated", value: "gpu", effect: "NoSchedule" };
const nodeSelector = { pool: "gpu", "kubernetes.io/arch": "arm64" };
const stackOf = (pool?: object) =>
  configuration({ members: [], memberTypes: { gpu: { runtimeClasses: { allowed: ["x"], default: "x" }, ...pool } } })
    .settings;
const stack = stackOf({ pool: { nodeSelector, tolerations: [toleration, { key: "gpu", operator: "Exists" }] } });

// test/e2e/isolation/admission/pools.ts tries it on the API server.
describe("the policy on pools", () => {
  const { spec } = policyOf("pools", stack);
  const variable = (name: string) => spec.variables.find((each) => each.name === name)?.expression;

  it("knows each pool by the name that namespaces have", () => {
    const name = '"kubernetes.io/arch=arm64,pool=gpu dedicated=gpu:NoSchedule,gpu"';
    assert.equal(variable("selectors"), `{${name}: {"kubernetes.io/arch": "arm64", "pool": "gpu"}}`);
    const all =
      '[{"key": "dedicated", "operator": "Equal", "value": "gpu", "effect": "NoSchedule"}, {"key": "gpu", "operator": "Exists"}]';
    assert.deepEqual([variable("tolerated"), variable("taints")], [`{${name}: ${all}}`, all]);
  });

  it("fills in what the policy on pools holds, where there are pools", () => {
    const paths = (of: typeof stack) =>
      fillIn(of).spec.mutations.map(({ jsonPatch: { expression } }) => /path \+ '(\/\w+)/.exec(expression)?.[1]);
    assert.deepEqual(paths(stack), ["/runtimeClassName", "/nodeSelector", "/tolerations"]);
    assert.deepEqual(paths(stackOf()), ["/runtimeClassName"]);
    assert.deepEqual(paths(stackOf({ userNamespaces: "required" })), ["/runtimeClassName", "/hostUsers"]);
  });
});
