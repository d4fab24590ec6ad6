import assert from "node:assert/strict";
import { patchEach } from "../../../../cluster/write/patchEach.ts";
import { leftoversOf, leftoversPatch } from "../../../../plan/compare/leftovers.ts";
import { json, useApiServer } from "../../cluster/fakeApiServer.ts";
import { policiesOf } from "../../policies.ts";
import { settings } from "../../samples.ts";

const [{ policy, binding } = assert.fail()] = policiesOf(settings);
const copy = <T>(value: T): T => structuredClone(value);

describe("what applying a policy again would leave", () => {
  const server = useApiServer();

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

  it("is taken off by a patch of the spec, object by object", async () => {
    const { name } = binding.metadata;
    const kind = "ValidatingAdmissionPolicyBinding";
    server.answers(name, json({}));
    const patch = { validationActions: ["Deny"] };
    const object = { kind, name, namespace: undefined } as const;
    assert.deepEqual(await patchEach([leftoversOf(object, { spec: patch })], settings), []);
    const [write] = server.writes;
    assert.deepEqual(
      [write?.method, write?.url?.split("?")[0], write?.contentType, JSON.parse(write?.body ?? "{}")],
      [
        "PATCH",
        `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/${name}`,
        "application/merge-patch+json",
        { spec: patch },
      ],
    );
  });
});
