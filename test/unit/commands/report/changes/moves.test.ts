import assert from "node:assert/strict";
import { differenceText } from "../../../../../objects/shown/differences.ts";
import { reportOn, urn } from "../previews.ts";

const labels = (stack: string) => ({ "kubecamp.dev/member": "alice", "kubecamp.dev/stack": stack });
const home = (stack: string) => ({
  inputs: { kind: "Namespace", metadata: { name: "alice", labels: labels(stack) } },
});
const view = (stack: string, ...names: readonly string[]) => ({
  inputs: {
    kind: "ClusterRoleBinding",
    metadata: { name: `kubecamp:${stack}:alice:view`, labels: labels(stack) },
    roleRef: { kind: "ClusterRole", name: `kubecamp:${stack}:view` },
    subjects: names.map((name) => ({ kind: "User", name })),
  },
});

describe("who has moved to another shard, in a report", () => {
  const binding = urn("kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding", "alice/others/view");
  const anew = ["create-replacement", "replace", "delete-replaced"].map((op) => ({
    ...{ op, urn: binding, old: view("prod-0", "oidc:alice") },
    new: view("prod-1", "oidc:alice", "oidc:mallory"),
  }));
  const namespaceUrn = urn("kubernetes:core/v1:Namespace", "alice/namespace");

  it("reports a moved member's stack and other differences, and no binding as a replacement", () => {
    const moved = { op: "update", urn: namespaceUrn, old: home("prod-0"), new: home("prod-1") };
    const { changing, access, replacements } = reportOn([moved, ...anew]);
    assert.deepEqual(changing[0]?.differences.map(differenceText), [
      "user names: + oidc:mallory",
      "stack prod-0 → prod-1",
    ]);
    assert.deepEqual(access, [{ member: "alice", where: ["role 'view' elsewhere"], who: ["oidc:mallory"] }]);
    assert.deepEqual(replacements, []);
  });

  it("reports loudly where a moved member's namespace would be replaced", () => {
    const lost = { op: "replace", urn: namespaceUrn, old: home("prod-0"), new: home("prod-1") };
    assert.equal(reportOn([lost]).replacements.length, 1);
  });
});
