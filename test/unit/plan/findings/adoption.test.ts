import assert from "node:assert/strict";
import { idleAdoption, unmanaged, unmanagedObjects } from "../../../../plan/findings/adoption.ts";
import { ann, managedObject, operators, service, theirs } from "../../cluster/operators.ts";
import { bob, labelsOf, settings } from "../../samples.ts";
import { planOf, textOf } from "../planned.ts";

describe("unmanaged objects: adoption leaves alone, and names", () => {
  it("names leftovers that guard or open something for the member, with the command to delete", () => {
    assert.equal(
      textOf(unmanaged(planOf([ann, bob], settings, operators))),
      "Not kubecamp's, not changed, and still limiting or granting access of members with adopt. Check them\n" +
        "after 'pulumi up', and delete what nobody needs before you remove adopt:\n" +
        "  kubectl delete clusterrolebinding/members-ann\n" +
        "  kubectl delete -n ann networkpolicy/members-policy role/members-role rolebinding/members-binding",
    );
    assert.equal(textOf(unmanaged(planOf([{ ...ann, adopt: false }], settings, operators))), undefined);
  });

  it("names a leftover binding to the cluster in quotes where a shell would act on the name", () => {
    const subjects = [{ kind: "User", name: "oidc:ann" }];
    const managedObjects = new Map([
      ["ClusterRoleBinding $(reboot) 'ann'", managedObject({}, { subjects })],
      ["ClusterRoleBinding nobody", managedObject({}, { subjects: [{ kind: "Group", name: "oidc:ann" }] })],
      ["ClusterRoleBinding release", managedObject({ ...theirs("ann"), "app.kubernetes.io/managed-by": "Helm" })],
      [
        "ClusterRoleBinding kubecamp:prod:ann:view",
        managedObject({ ...labelsOf("ann"), "kubecamp.dev/stack": "prod" }, { subjects }),
      ],
      ["ClusterRole members-ann", managedObject(theirs("ann"))],
      ["Role elsewhere/ann", managedObject(theirs("ann"))],
    ]);
    const services = new Map([["ann/web", service("ClusterIP", { "app.kubernetes.io/instance": "ann" })]]);
    assert.deepEqual(unmanagedObjects(planOf([ann], settings, { managedObjects, services })), [
      { kind: "ClusterRoleBinding", name: "$(reboot) 'ann'", namespace: undefined },
    ]);
    assert.match(
      textOf(unmanaged(planOf([ann], settings, { managedObjects, services: new Map() }))) ?? "",
      /\n {2}kubectl delete 'clusterrolebinding\/\$\(reboot\) '\\''ann'\\'''$/,
    );
  });

  it("names only adopt itself to take off, once nothing else guards or opens for the member", () => {
    const managedObjects = new Map([["Namespace ann", managedObject(labelsOf("ann"))]]);
    const done = { managedObjects, services: new Map() };
    assert.equal(
      textOf(idleAdoption(planOf([ann, bob], settings, done))),
      "Nothing is left to take over, but adopt is still set for ann: remove it, so that it never takes over a namespace by accident.",
    );
    assert.equal(textOf(idleAdoption(planOf([ann], settings, operators))), undefined);
    const left = new Map([...managedObjects, ["RoleBinding ann/members-binding", managedObject(theirs("ann"))]]);
    assert.equal(textOf(idleAdoption(planOf([ann], settings, { ...done, managedObjects: left }))), undefined);
    assert.equal(textOf(idleAdoption(planOf([bob], settings, done))), undefined);
  });
});
