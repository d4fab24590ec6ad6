import assert from "node:assert/strict";
import type { Member } from "../../../../config/member/member.ts";
import { ciAccount, ciBinding, ciTokenBinding, ciTokenRole } from "../../../../objects/rbac/ci.ts";
import { role } from "../../../../objects/rbac/role.ts";
import { memberObjects } from "../../../../plan/rows/manifest.ts";
import { atOnce, bob, labelsOf, settings } from "../../samples.ts";

const apiGroup = "rbac.authorization.k8s.io";
const metadata = (name: string) => ({ name, namespace: "bob", labels: labelsOf("bob"), annotations: atOnce });
const job = "github:repo:org/app:ref:refs/heads/main";
const withJob: Member = { ...bob, groups: ["oidc:lab"], ci: { subjects: [job] } };
const withToken: Member = { ...bob, groups: ["oidc:lab"], ci: { subjects: [], token: true } };

describe("objects for CI jobs", () => {
  it("binds the very CI job to the member's Role at home", () => {
    assert.deepEqual(ciBinding(withJob, settings), {
      metadata: metadata("kubecamp:ci"),
      roleRef: { apiGroup, kind: "Role", name: "kubecamp-edit" },
      subjects: [{ kind: "User", name: job, apiGroup }],
    });
  });

  it("binds the ServiceAccount of a member with a token, which gives no pod its token", () => {
    assert.deepEqual(ciBinding(withToken, settings).subjects, [
      { kind: "ServiceAccount", name: "kubecamp-ci", namespace: "bob" },
    ]);
    assert.deepEqual(ciAccount(withToken, settings), {
      metadata: metadata("kubecamp-ci"),
      automountServiceAccountToken: false,
    });
  });

  it("lets the member request tokens of the CI ServiceAccount alone, not change the account", () => {
    assert.deepEqual(ciTokenRole(withToken, settings), {
      metadata: metadata("kubecamp:ci-token"),
      rules: [
        { apiGroups: [""], resources: ["serviceaccounts/token"], resourceNames: ["kubecamp-ci"], verbs: ["create"] },
      ],
    });
    assert.deepEqual(ciTokenBinding(withToken, settings), {
      metadata: metadata("kubecamp:ci-token"),
      roleRef: { apiGroup, kind: "Role", name: "kubecamp:ci-token" },
      subjects: [
        { kind: "User", name: "oidc:bob", apiGroup },
        { kind: "Group", name: "oidc:lab", apiGroup },
      ],
    });
  });

  it("removes CI access of the suspended and expired, whom the Role names to let in again", () => {
    const parts = (member: Member) =>
      memberObjects({ member, settings })
        .base.map(({ part }) => part)
        .filter((part) => part.startsWith("ci"));
    const both: Member = { ...bob, ci: { subjects: [job], token: true } };
    assert.deepEqual(parts(both), ["ci-account", "ci-token-role", "ci-token", "ci"]);
    for (const standing of ["suspended", "expired"] as const) {
      assert.deepEqual(parts({ ...both, standing }), ["ci-account", "ci-token-role"]);
    }
    assert.deepEqual(parts(withJob), ["ci"]);
    assert.deepEqual(parts(bob), []);
    const { annotations } = role({ ...both, standing: "suspended" }, settings).metadata;
    assert.equal(
      Reflect.get(annotations, "kubecamp.dev/suspended-subjects"),
      `User oidc:bob\nUser ${job}\nServiceAccount kubecamp-ci`,
    );
  });
});
