import assert from "node:assert/strict";
import { kubecamp } from "../commands/kubecamp.ts";
import { useStack } from "../program/stack.ts";
import { type Proof, troubles } from "./proof.ts";

const rbac = { apiGroup: "rbac.authorization.k8s.io" };

describe("kubecamp verify, where everybody who signs in has a right, as on OpenShift: promises", () => {
  const stack = useStack("everybody");
  const verify = async () => {
    const args = ["verify", "--stack", stack.name, "--only", "access", "-o", "json"];
    const env = { KUBECONFIG: stack.sandbox.kubeconfig };
    const { exitCode, stdout, stderr } = await kubecamp(args, { cwd: stack.folder, env });
    const { proofs } = JSON.parse(stdout || assert.fail(stderr)) as { proofs: Proof[] };
    return { exitCode, proofs };
  };
  const name = "self-provisioners";
  const promise = "Pods, and people in no list, have no rights in members' namespaces";
  const ofEverybody = async () => {
    const { exitCode, proofs } = await verify();
    const broken = proofs.flatMap((proof) => (proof.result === "broken" ? [proof.promise] : []));
    return { exitCode, broken, lines: troubles(proofs.filter((proof) => proof.promise === promise)).join("\n") };
  };
  const annotated = ["annotate", "clusterrolebinding", name, "--overwrite", "kubecamp.dev/accepted=projects are free"];
  before(async () => {
    await stack.makeProject();
    await stack.configure(
      [
        { member: "ada", type: "user" },
        { member: "gus", type: "guest-user" },
      ],
      {
        staff: [{ group: "teachers", role: "assist" }],
      },
    );
    await stack.upFine();
    const rules = [{ verbs: ["create"], apiGroups: ["project.openshift.io"], resources: ["projectrequests"] }];
    await stack.sandbox.apply({
      ...{ apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name } },
      rules,
    });
  });
  beforeEach(() =>
    stack.sandbox.apply({
      ...{ apiVersion: `${rbac.apiGroup}/v1`, kind: "ClusterRoleBinding", metadata: { name } },
      roleRef: { ...rbac, kind: "ClusterRole", name },
      subjects: [{ ...rbac, kind: "Group", name: "system:authenticated" }],
    }),
  );
  afterEach(() => stack.delete("clusterrolebinding", name));
  after(() => stack.delete("clusterrole", name));

  it("break one promise, and none once the binding says why", async () => {
    const before = await ofEverybody();
    assert.deepEqual(before.broken, [promise], before.lines);
    assert.match(
      before.lines,
      /^somebody else who signs in: broken: .*: they may also create projectrequests\.project\.openshift\.io \(RBAC: allowed by ClusterRoleBinding "self-provisioners"/m,
    );
    assert.equal(before.exitCode, 1);
    await stack.kubectl(...annotated);
    const { exitCode, broken, lines } = await ofEverybody();
    assert.deepEqual(broken, [], lines);
    assert.equal(
      lines,
      "ClusterRoleBinding self-provisioners: held: everybody may create projectrequests.project.openshift.io (projects are free) -> docs/security/verify.md#a-right-that-the-list-does-not-give",
    );
    assert.equal(exitCode, 0);
  });

  it("break promises though the binding says why, if it gives members' Secrets", async () => {
    const rules = [{ verbs: ["get"], apiGroups: [""], resources: ["secrets"] }];
    await stack.sandbox.patch("clusterrole", name, undefined, { rules });
    await stack.kubectl(...annotated);
    const { exitCode, broken, lines } = await ofEverybody();
    assert.deepEqual(broken, [promise], lines);
    assert.match(lines, /^ClusterRoleBinding self-provisioners: broken: .*: it can't accept get secrets -> /m);
    assert.match(lines, /^somebody else who signs in: broken: .* they may also get secrets \(RBAC/m);
    assert.equal(exitCode, 1);
  });
});
