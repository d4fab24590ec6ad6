import assert from "node:assert/strict";
import { policyNamesOf } from "../../../../../naming/names.ts";
import { restartsPolicy } from "../../../../../plan/objects/admission/restartsPolicy.ts";
import { configuration, settings } from "../../../samples.ts";

const policiesWith = (role: string) => {
  const stack = configuration({ members: [], staff: [{ group: "tas", role }] });
  return policyNamesOf(stack.settings).includes("restarts");
};

describe("the policy of restarts", () => {
  it("is there where staff have more than view", () => {
    assert.deepEqual(["view", "assist", "edit"].map(policiesWith), [false, true, true]);
    assert.equal(policyNamesOf(settings).includes("restarts"), false);
  });

  it("judges changes of what rollout restart restarts, and of nothing within it", () => {
    const { resourceRules } = restartsPolicy(settings).spec.matchConstraints;
    assert.deepEqual(
      resourceRules.map(({ resources, operations }) => [resources, operations]),
      [[["daemonsets", "deployments", "statefulsets"], ["UPDATE"]]],
    );
  });

  it("compares every field both ways, so that none can come or go", () => {
    const { expression = "" } = restartsPolicy(settings).spec.variables.find(({ name }) => name === "isRestart") ?? {};
    for (const part of ["metadata", "spec", "spec.template", "spec.template.metadata"]) {
      for (const object of ["object", "oldObject"]) {
        assert.ok(expression.includes(`dyn(${object}).${part}.all(key, key in [`), `${object}.${part}`);
      }
    }
    assert.match(expression, /key == 'kubectl.kubernetes.io\/restartedAt' \|\|/);
  });
});
