import assert from "node:assert/strict";
import { policyNamesOf } from "../../../../config/names/names.ts";
import { policyOf } from "../../../../objects/admission/policies.ts";
import { variableOf } from "../../cel.ts";
import { configuration, settings } from "../../samples.ts";

const policiesWith = (role: string) => {
  const stack = configuration({ members: [], staff: [{ group: "tas", role }] });
  return policyNamesOf(stack.settings).includes("restarts");
};

describe("the policy of restarts", () => {
  const isRestart = (object: object, oldObject: object) =>
    variableOf(policyOf("restarts", settings), "isRestart", { request: {}, object, oldObject });

  it("makes a policy of restarts where staff have more than view", () => {
    assert.deepEqual(["view", "assist", "edit"].map(policiesWith), [false, true, true]);
    assert.equal(policyNamesOf(settings).includes("restarts"), false);
  });

  it("judges changes of what rollout restart restarts, and of nothing within it", () => {
    const { resourceRules } = policyOf("restarts", settings).spec.matchConstraints;
    const judged = resourceRules.map(({ resources, operations }) => [resources, operations]);
    assert.deepEqual(judged, [[["daemonsets", "deployments", "statefulsets"], ["UPDATE"]]]);
  });

  it("compares every field both ways in a restart, so that none can come, go or change", () => {
    const of = (part: string, fields: object) => ({
      metadata: { name: "web", ...(part === "metadata" ? fields : {}) },
      spec: {
        ...(part === "spec" ? fields : {}),
        template: {
          ...(part === "template" ? fields : {}),
          metadata: {
            ...(part === "template's metadata" ? fields : {}),
            annotations: part === "annotations" ? fields : {},
          },
        },
      },
    });
    for (const part of ["metadata", "spec", "template", "template's metadata", "annotations"]) {
      const [none, one, other] = [{}, { field: "1" }, { field: "2" }].map((fields) => of(part, fields));
      const pairs = [
        [one, one],
        [none, one],
        [one, none],
        [one, other],
      ];
      const verdicts = pairs.map(([after = {}, before = {}]) => isRestart(after, before));
      assert.deepEqual(verdicts, [true, false, false, false], part);
    }
    const exempt = { "kubectl.kubernetes.io/restartedAt": "now" };
    assert.equal(isRestart(of("annotations", exempt), of("annotations", {})), true);
  });

  it("keeps every manager's fields in a restart, but for the annotation of the restart", () => {
    const restart = { "f:kubectl.kubernetes.io/restartedAt": {} };
    const inTemplate = (annotations: object, more: object = {}) => ({
      "f:spec": { ...more, "f:template": { "f:metadata": { "f:annotations": annotations } } },
    });
    const entry = (manager: string, fieldsV1: object, operation = "Update") => ({ manager, operation, fieldsV1 });
    const applier = entry("kubectl", { "f:spec": { "f:replicas": {} } }, "Apply");
    const other = entry("helm", inTemplate({ ".": {}, "f:a": {} }, { "f:paused": {} }));
    const rollout = entry("kubectl-rollout", inTemplate({ ".": {}, ...restart }));
    const spec = { template: { metadata: {} } };
    const of = (managedFields: readonly object[]) => ({ metadata: { managedFields }, spec });
    const both = [applier, other];
    const withRestart = entry("helm", inTemplate({ ".": {}, "f:a": {}, ...restart }, { "f:paused": {} }));
    const [rolledOut, restarted] = [
      [...both, rollout],
      [applier, withRestart],
    ];
    type Fields = readonly object[];
    const fine: readonly (readonly [before: Fields, after: Fields])[] = [
      [[], []],
      [both, rolledOut],
      [rolledOut, both],
      [restarted, rolledOut],
      [both, restarted],
      [[{ ...applier, time: "1" }], [{ ...applier, time: "2" }]],
    ];
    const forged: readonly (readonly [before: Fields, after: Fields])[] = [
      [both, []],
      [both, [other]],
      [both, [applier, entry("helm", {})]],
      [both, [applier, { ...other, operation: "Apply" }]],
      [both, [...both, entry("argocd", { "f:spec": { "f:paused": {} } }, "Apply")]],
      [[], [entry("argocd", inTemplate({ "f:a": {} }), "Apply")]],
      [both, [entry("kubectl", { "f:spec": { "f:replicas": {}, "f:strategy": {} } }, "Apply"), other]],
    ];
    const verdicts = [fine, forged].map((cases) => cases.map(([before, after]) => isRestart(of(after), of(before))));
    assert.deepEqual(verdicts, [fine.map(() => true), forged.map(() => false)]);
  });

  it("compares few annotations one by one, and takes more for a change", () => {
    const verdictOf = (count: number, more: object = {}) => {
      const annotations = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k-${index}`, ""]));
      const of = (all: object) => ({ metadata: {}, spec: { template: { metadata: { annotations: all } } } });
      return isRestart(of({ ...annotations, ...more }), of(annotations));
    };
    const restarted = { "kubectl.kubernetes.io/restartedAt": "now" };
    const verdicts = [verdictOf(999, restarted), verdictOf(999, { other: "" }), verdictOf(1000, restarted)];
    assert.deepEqual(verdicts, [true, false, false]);
  });
});
