import assert from "node:assert/strict";
import type { InvariantName } from "../../../../components/gate/invariants.ts";
import { findingsIn, findingsWith, type Recorded, recorded, withValue } from "./registrations.ts";

const tina = { kind: "User", name: "oidc:tina", apiGroup: "rbac.authorization.k8s.io" };
const assist = "bob/staff/assist";

/** A field of one resource, another value, and what that breaks. */
const changes: readonly (readonly [name: string, path: string, value: unknown, ...broken: InvariantName[]])[] = [
  [assist, "subjects.0", tina, "own-subjects"],
  [assist, "subjects.1", { ...tina, name: "oidc:bob" }, "own-subjects"],
  [assist, "subjects.0.name", "system:authenticated", "own-subjects"],
  [assist, "roleRef.name", "kubecamp-edit", "own-roles"],
  [assist, "roleRef.kind", "ClusterRole", "guards-first", "own-roles"],
  [assist, "metadata.name", "kubecamp-edit", "own-roles", "own-subjects"],
  ["bob/binding/edit", "subjects.1", tina, "own-subjects"],
  ["bob/staff-role/assist", "rules.0.resources.0", "secrets", "others-unread"],
  ["bob/staff-role/view", "rules.0.verbs.0", "bind", "no-powers"],
  ["bob/staff-role/view", "metadata.namespace", "kube-system", "own-places"],
];

describe("the policy gate on staff", () => {
  let stack: Recorded;
  before(async () => {
    stack = await recorded({
      staff: [
        { group: "tas", role: "view", over: { members: ["sue"] } },
        { group: "tas", role: "assist", over: { members: ["bob"] } },
        { subject: "tina", role: "edit" },
        { subject: "vera", role: "view" },
      ],
      members: [
        { member: "bob", type: "user" },
        { member: "sue", type: "user", suspended: true },
      ],
    });
  });

  it("finds nothing in what a run registers, also for who is suspended", () => {
    assert.deepEqual(findingsIn(stack), []);
    assert.ok(stack.batch.some(({ name }) => name === "sue/staff/edit"));
  });

  for (const [name, path, value, ...broken] of changes) {
    it(`finds ${broken.join(" and ")} broken where ${path} of ${name} is ${JSON.stringify(value)}`, () => {
      const found = findingsWith(stack, name, (each) => withValue(each, ["args", ...path.split(".")], value));
      assert.deepEqual([...new Set(found.map(({ invariant }) => invariant))].sort(), [...broken].sort());
    });
  }

  it("finds a binding that comes before its role, and before the policy of restarts", () => {
    for (const name of ["bob/staff-role/assist", "access/admission/restarts/binding"]) {
      const found = findingsWith(stack, name, () => undefined);
      assert.ok(found.some(({ invariant, object }) => invariant === "guards-first" && object.includes("staff-assist")));
    }
  });
});
