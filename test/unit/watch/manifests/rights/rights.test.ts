import assert from "node:assert/strict";
import { grants, rightOfPath, rightsIn, textOf } from "../../../../../watch/manifests/rights/rights.ts";
import { unneeded } from "../../../deploy/manifests.ts";

describe("rights", () => {
  const rules = [
    { apiGroups: ["", "apps"], resources: ["pods"], verbs: ["get"] },
    { apiGroups: [""], resources: ["pods"], resourceNames: ["a"], verbs: ["get", "delete"] },
  ];
  const pods = { group: "", resource: "pods" };

  it("are one for each group, resource, verb and name", () => {
    assert.deepEqual(rightsIn(rules).map(textOf), ["get pods", "get pods.apps", "get pods a", "delete pods a"]);
  });

  it("grant by name and namespace where they have one", () => {
    const rights = rightsIn(rules, "here");
    const ask = (verb: string, name?: string, namespace?: string) =>
      grants(rights, { ...pods, verb, ...(name === undefined ? {} : { name }), ...(namespace ? { namespace } : {}) });
    assert.deepEqual(
      [ask("delete", "a", "here"), ask("delete", "b", "here"), ask("delete", undefined, "here")],
      [true, false, false],
    );
    assert.deepEqual([ask("get", "b", "here"), ask("get", "b", "there"), ask("get", "b")], [true, false, false]);
  });

  it("to list and watch are told from a path, with the one name that it is about", () => {
    assert.deepEqual(
      [
        "/api/v1/namespaces",
        "/apis/apps/v1/namespaces/here/deployments?labelSelector=a%3Db",
        "/api/v1/namespaces/here/pods?fieldSelector=status.phase!%3DFailed",
        "/api/v1/secrets?fieldSelector=metadata.name%3Dkey",
      ].map((path) => textOf(rightOfPath("list", path))),
      ["list namespaces", "list deployments.apps in here", "list pods in here", "list secrets key"],
    );
  });

  it("are unneeded where no request, or another right, would miss them", () => {
    const asked = [
      { ...pods, verb: "get", name: "a" },
      { ...pods, verb: "delete", name: "a" },
      { ...pods, verb: "list" },
    ];
    // Either of the two that let get it could go.
    assert.deepEqual(unneeded(rightsIn(rules), asked).map(textOf), ["get pods", "get pods.apps", "get pods a"]);
  });
});
