import assert from "node:assert/strict";
import { idleWarning, strays, straysWarning } from "../../../../../plan/membership/adoption/strays.ts";
import { ann, guard, operators, service, theirs } from "../../../cluster/operators.ts";
import { bob, labelsOf, settings } from "../../../samples.ts";

describe("strays: adoption leaves alone, and names", () => {
  it("what else guards or opens something for the member, by the command that deletes it", () => {
    assert.equal(
      straysWarning([ann, bob], settings, operators),
      "Not kubecamp's, left as they are, and still guarding or opening something for members with adopt. Look at them\n" +
        "once 'pulumi up' is through, and delete what nobody needs before you take adopt off:\n" +
        "  kubectl delete clusterrolebinding/members-ann\n" +
        "  kubectl delete -n ann networkpolicy/members-policy role/members-role rolebinding/members-binding",
    );
    assert.equal(straysWarning([{ ...ann, adopt: false }], settings, operators), undefined);
  });

  it("the route of a member whose Service is not fit", () => {
    const services = new Map([...operators.services].filter(([key]) => key !== "ann/ann-svc"));
    assert.match(
      straysWarning([ann], settings, { ...operators, services }) ?? "",
      /^ {2}kubectl delete -n ingress-nginx ingress\/ann service\/ann-svc$/m,
    );
  });

  it("who sees the cluster by name, with quotes where a shell would act on the name", () => {
    const subjects = [{ kind: "User", name: "oidc:ann" }];
    const guards = new Map([
      ["ClusterRoleBinding $(reboot) 'ann'", guard({}, { subjects })],
      ["ClusterRoleBinding nobody", guard({}, { subjects: [{ kind: "Group", name: "oidc:ann" }] })],
      ["ClusterRoleBinding release", guard({ ...theirs("ann"), "app.kubernetes.io/managed-by": "Helm" })],
      [
        "ClusterRoleBinding kubecamp:prod:ann:view",
        guard({ ...labelsOf("ann"), "kubecamp.dev/stack": "prod" }, { subjects }),
      ],
      ["ClusterRole members-ann", guard(theirs("ann"))],
      ["Role elsewhere/ann", guard(theirs("ann"))],
    ]);
    const services = new Map([["ann/web", service("ClusterIP", { "app.kubernetes.io/instance": "ann" })]]);
    assert.deepEqual(strays([ann], settings, { guards, services }), [
      { kind: "ClusterRoleBinding", name: "$(reboot) 'ann'", namespace: undefined },
    ]);
    assert.match(
      straysWarning([ann], settings, { guards, services: new Map() }) ?? "",
      /\n {2}kubectl delete 'clusterrolebinding\/\$\(reboot\) '\\''ann'\\'''$/,
    );
  });

  it("nothing, once all is done: then adopt itself is what is left to take off", () => {
    const guards = new Map([["Namespace ann", guard(labelsOf("ann"))]]);
    const done = { guards, services: new Map() };
    assert.equal(
      idleWarning([ann, bob], settings, done),
      "Nothing is left to take over, and adopt is still set for ann: take it off, so that it never takes over a namespace by accident.",
    );
    assert.equal(idleWarning([ann], settings, operators), undefined);
    const left = new Map([...guards, ["RoleBinding ann/members-binding", guard(theirs("ann"))]]);
    assert.equal(idleWarning([ann], settings, { ...done, guards: left }), undefined);
    assert.equal(idleWarning([bob], settings, done), undefined);
  });

  it("no app of the member's, whatever its name: it guards nothing and opens nothing", () => {
    const guards = new Map([
      ["Deployment ann/starter", guard({})],
      ["ConfigMap ann/starter-pages", guard({})],
    ]);
    assert.deepEqual(strays([ann], settings, { guards, services: new Map() }), []);
  });
});
