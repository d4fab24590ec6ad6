import assert from "node:assert/strict";
import { rightsIn, textOf } from "../../../../../watch/manifests/rights/rights.ts";
import { beyond, leastOf, rulesOf, rulesText, sectionsOf } from "../../../../../watch/manifests/rights/rules.ts";

const right = (verb: string, resource: string, name?: string, namespace?: string) => ({
  verb,
  group: resource === "ingresses" ? "networking.k8s.io" : "",
  resource,
  ...(name === undefined ? {} : { name }),
  ...(namespace === undefined ? {} : { namespace }),
});

describe("rules", () => {
  const rights = [
    right("update", "pods"),
    right("list", "pods"),
    right("get", "pods"),
    right("get", "services"),
    right("list", "services"),
    right("update", "services"),
    right("get", "secrets", "b"),
    right("get", "secrets", "a"),
    right("list", "secrets", "a"),
    right("watch", "ingresses"),
  ];

  it("grant just the rights that they are made from, in as few as differ in more than one field", () => {
    const rules = rulesOf(rights);
    assert.deepEqual(rules, [
      { apiGroups: [""], resources: ["pods", "services"], verbs: ["get", "list", "update"] },
      { apiGroups: [""], resources: ["secrets"], resourceNames: ["a"], verbs: ["get", "list"] },
      { apiGroups: [""], resources: ["secrets"], resourceNames: ["b"], verbs: ["get"] },
      { apiGroups: ["networking.k8s.io"], resources: ["ingresses"], verbs: ["watch"] },
    ]);
    assert.deepEqual(rightsIn(rules).map(textOf).sort(), rights.map(textOf).sort());
  });

  it("leave out what another right includes, or others have", () => {
    const some = [right("get", "pods"), right("get", "pods", "a"), right("get", "pods", undefined, "here")];
    assert.deepEqual(leastOf([...some, ...some]).map(textOf), ["get pods"]);
    assert.deepEqual(beyond([...some, right("list", "pods")], some).map(textOf), ["list pods"]);
  });

  it("stand under the heading that says most of them, and names of the stack in quotes", () => {
    const headings = [{ comment: "all" }, { comment: "pods that are\nread", resources: ["pods"], verbs: ["get"] }];
    const some = [right("get", "pods"), right("list", "pods"), right("get", "secrets", "ca-prod")];
    assert.equal(
      rulesText(sectionsOf(some, headings)),
      `  # all
  - apiGroups: [""]
    resources: [pods]
    verbs: [list]
  - apiGroups: [""]
    resources: [secrets]
    resourceNames: ["ca-prod"]
    verbs: [get]

  # pods that are
  # read
  - apiGroups: [""]
    resources: [pods]
    verbs: [get]`,
    );
  });
});
