import assert from "node:assert/strict";
import { policyNamesOf } from "../../../../../naming/names.ts";
import { restartsPolicy } from "../../../../../plan/objects/admission/restartsPolicy.ts";
import { evaluated } from "../../../cel.ts";
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

  it("compares few annotations one by one, and takes more for a change", () => {
    const { expression = "" } = restartsPolicy(settings).spec.variables.find(({ name }) => name === "isRestart") ?? {};
    const isRestart = (count: number, more: object = {}) => {
      const annotations = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k-${index}`, ""]));
      const withAnnotations = (all: object) => ({
        metadata: {},
        spec: { template: { metadata: { annotations: all } } },
      });
      return evaluated(expression, {
        object: withAnnotations({ ...annotations, ...more }),
        oldObject: withAnnotations(annotations),
      });
    };
    const restarted = { "kubectl.kubernetes.io/restartedAt": "now" };
    assert.deepEqual(
      [isRestart(999, restarted), isRestart(999, { other: "" }), isRestart(1000, restarted)],
      [true, false, false],
    );
  });
});
