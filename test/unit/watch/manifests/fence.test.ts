import assert from "node:assert/strict";
import { parseAllDocuments } from "yaml";
import { fenceText } from "../../../../watch/manifests/fence.ts";
import { evaluated } from "../../cel.ts";
import { settings } from "../../samples.ts";

const kind = "Guard.v1.example.org:resourcequotas" as const;
const [policy] = parseAllDocuments(fenceText({ ...settings, objectKinds: [{ kind, isEditable: true }] })).map(
  (document) => document.toJS() as Fence,
);

interface Fence {
  readonly spec: {
    readonly variables: readonly { readonly name: string; readonly expression: string }[];
    readonly validations: readonly { readonly expression: string }[];
  };
}

const variable = (name: string) => policy?.spec.variables.find((each) => each.name === name)?.expression ?? "";

describe("the fence of kubecamp watch", () => {
  /** Whether it lets the watch write a member's Role with such a rule. */
  const isLet = (apiGroups: readonly string[], resources: readonly string[]) => {
    const rule = { apiGroups, resources, verbs: ["create"] };
    const { expression = "" } = policy?.spec.validations.find((each) => each.expression.includes("writable")) ?? {};
    const variables = { written: "roles", rules: [rule], writable: evaluated(variable("writable"), {}) };
    return evaluated(expression, { variables, object: { metadata: { name: "kubecamp-edit" } } });
  };

  it("compares resources with their groups: a custom kind that members edit may be called as what guards them", () => {
    assert.deepEqual(
      [isLet(["example.org"], ["resourcequotas"]), isLet([""], ["pods"]), isLet(["apps"], ["deployments"])],
      [true, true, true],
    );
    assert.deepEqual(
      [
        isLet([""], ["resourcequotas"]),
        isLet(["", "example.org"], ["pods", "resourcequotas"]),
        isLet(["example.org"], ["pods"]),
        isLet(["apps"], ["pods"]),
      ],
      [false, false, false, false],
    );
  });

  it("judges a custom kind as none of those that are called the same", () => {
    const named = (group: string, resource: string) =>
      evaluated(variable("resource"), { request: { resource: { group, resource } } });
    assert.deepEqual(
      [named("", "services"), named("apps", "deployments"), named("serving.example.org", "services")],
      ["services", "deployments", "services.serving.example.org"],
    );
  });
});
