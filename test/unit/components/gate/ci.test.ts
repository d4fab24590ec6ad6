import assert from "node:assert/strict";
import type { InvariantName } from "../../../../components/gate/invariants.ts";
import { findingsIn, findingsWith, type Recorded, recorded, withValue } from "./registrations.ts";

const job = { kind: "User", name: "github:repo:org/app:ref:refs/heads/main", apiGroup: "rbac.authorization.k8s.io" };
const account = { kind: "ServiceAccount", name: "kubecamp-ci", namespace: "bob" };

/** A field of one resource, another value, and what that breaks. */
const changes: readonly (readonly [name: string, path: string, value: unknown, ...broken: InvariantName[]])[] = [
  ["bob/ci", "subjects.0.name", "github:repo:org/other:ref:refs/heads/main", "own-subjects"],
  ["bob/ci", "subjects.0.name", "github:repo:org/app:ref:refs/heads/dev", "own-subjects"],
  ["bob/ci", "subjects.0.name", "oidc:bob", "own-subjects"],
  ["bob/ci", "subjects.0.kind", "Group", "own-subjects"],
  ["bob/ci", "subjects.1", { ...account, name: "default" }, "own-subjects"],
  ["bob/ci", "subjects.1", { ...account, namespace: "sue" }, "own-subjects"],
  ["bob/ci", "roleRef.name", "kubecamp:ci-token", "own-roles"],
  ["ann/ci", "subjects.1", { ...account, namespace: "ann" }, "own-subjects"],
  ["bob/ci-token", "subjects.0", account, "own-subjects"],
  ["bob/ci-token", "subjects.0", job, "own-subjects"],
  ["bob/binding/edit", "subjects.0", job, "own-subjects"],
  ["bob/binding/edit", "subjects.0", account, "own-subjects"],
  ["bob/ci-token-role", "rules.0.resourceNames.0", "default", "no-powers"],
  ["bob/ci-token-role", "rules.0.resourceNames", undefined, "no-powers"],
  ["bob/ci-token-role", "metadata.name", "kubecamp-edit", "no-powers"],
  ["bob/ci-account", "automountServiceAccountToken", true, "no-tokens"],
  ["bob/ci-account", "metadata.name", "deploy", "no-tokens"],
];

describe("the policy gate on CI jobs", () => {
  let stack: Recorded;
  before(async () => {
    const ci = [{ issuer: "github", repository: "org/app", ref: "refs/heads/main" }, { token: true }];
    stack = await recorded({
      ci: { audience: "https://k8s.example.org" },
      members: [
        { member: "bob", type: "user", ci },
        { member: "ann", type: "user", ci: [{ ...ci[0], repository: "org/site" }] },
        { member: "sue", type: "user", suspended: true, ci: [{ token: true }] },
      ],
    });
  });

  it("finds nothing in what a run registers, also for who is suspended", () => {
    assert.deepEqual(findingsIn(stack), []);
    const ofSue = stack.batch.map(({ name }) => name).filter((name) => name.startsWith("sue/ci"));
    assert.deepEqual(ofSue, ["sue/ci-account", "sue/ci-token-role"]);
  });

  for (const [name, path, value, ...broken] of changes) {
    it(`finds ${broken.join(" and ")} broken where ${path} of ${name} is ${JSON.stringify(value)}`, () => {
      const found = findingsWith(stack, name, (each) => withValue(each, ["args", ...path.split(".")], value));
      const names = [...new Set(found.map(({ invariant }) => invariant))];
      assert.deepEqual(
        names.filter((each) => each !== "guards-first"),
        broken,
      );
    });
  }

  it("finds a binding that comes before its role, and before the policy of tokens", () => {
    for (const name of ["bob/ci-token-role", "access/admission/tokens/binding"]) {
      const found = findingsWith(stack, name, () => undefined);
      assert.ok(found.some(({ invariant, object }) => invariant === "guards-first" && object.includes("ci-token")));
    }
  });

  it("finds the jobs of somebody who is suspended", () => {
    const [bob, sue] = ["bob", "sue"].map((name) => stack.members.find((member) => member.name === name));
    assert.ok(bob !== undefined && sue !== undefined);
    const members = [{ ...bob, standing: "suspended" as const }, ...stack.members.filter((each) => each !== bob)];
    const found = findingsIn({ ...stack, members });
    assert.ok(
      found.some(({ invariant, object }) => invariant === "closed-doors" && object.includes("bob/kubecamp:ci")),
    );
  });
});
