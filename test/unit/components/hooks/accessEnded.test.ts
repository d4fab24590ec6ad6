import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { endAccess } from "../../../../components/stack.ts";
import type { Member } from "../../../../config/member/member.ts";
import { stackLabel } from "../../../../config/names/labels.ts";
import { roleBinding } from "../../../../objects/rbac/bindings.ts";
import { targetAll } from "../../../../plan/decisions/target.ts";
import { endedAccess } from "../../../../plan/members/endedAccess.ts";
import { json, useApiServer } from "../../cluster/fakeApiServer.ts";
import { cluster, managedObject, owned } from "../../cluster/leaving.ts";
import { planOf, runOf } from "../../plan/planned.ts";
import { alice, bob, member, settings } from "../../samples.ts";

const [asBob] = roleBinding(bob, settings).subjects;
const stranger = { ...asBob, name: "oidc:mallory" };
const suspended = member({ member: "bob", type: "user", suspended: true });

/** The cluster with bob's binding at home. */
const letting = (subjects: readonly unknown[], labels: Record<string, string> = {}) =>
  cluster({
    namespaces: new Map([["bob", owned("bob")]]),
    managedObjects: new Map([
      ["RoleBinding bob/kubecamp-edit", { ...managedObject("bob", { subjects }), ...owned("bob", labels) }],
      ["Role bob/kubecamp-edit", managedObject("bob")],
    ]),
  });

const ended = (members: readonly Member[], snapshot = letting([asBob]), target = targetAll(members)) =>
  endedAccess(...runOf(members, target, settings, snapshot)).map(({ kind, name, namespace, member, kept }) => [
    `${kind} ${namespace}/${name} of ${member}`,
    kept,
  ]);
const ofBob = (...kept: unknown[]) => [["RoleBinding bob/kubecamp-edit of bob", kept]];

describe("access that is to end", () => {
  it("ends the access of who is suspended or has left", () => {
    assert.deepEqual(ended([suspended]), ofBob());
    assert.deepEqual(ended([alice]), ofBob());
  });

  it("ends a former subject's access, and not that of who goes on having access", () => {
    assert.deepEqual(ended([bob]), []);
    assert.deepEqual(ended([bob], letting([stranger, asBob])), ofBob(asBob));
    assert.deepEqual(ended([member({ member: "bob", type: "user", subject: "robert" })]), ofBob());
  });

  it("ends a former type's access, once what the present type gives is there", () => {
    const guest = member({ member: "bob", type: "guest-user" });
    const snapshot = letting([asBob]);
    const others = (view: string) =>
      [`ClusterRoleBinding kubecamp:dev:bob:${view}`, managedObject("bob", { subjects: [asBob] })] as const;
    const managedObjects = new Map([...snapshot.managedObjects, others("view")]);
    assert.deepEqual(ended([guest], { ...snapshot, managedObjects }), []);
    assert.deepEqual(
      ended([guest], { ...snapshot, managedObjects: new Map([...managedObjects, others("view-guest")]) }),
      [["ClusterRoleBinding undefined/kubecamp:dev:bob:view of bob", []]],
    );
  });

  it("ends the access of former staff, never of staff who stay, whatever the member's standing", () => {
    const tina = { kind: "User", name: "oidc:tina" } as const;
    const asTina = { ...tina, apiGroup: "rbac.authorization.k8s.io" };
    const subjects = [stranger, asTina];
    const name = "RoleBinding bob/kubecamp:staff-assist";
    const snapshot = cluster({
      namespaces: new Map([["bob", owned("bob")]]),
      managedObjects: new Map([[name, { ...managedObject("bob", { subjects }), ...owned("bob") }]]),
    });
    for (const who of [bob, suspended]) {
      const of = (staff: Member["staff"]) => ended([{ ...who, ...(staff === undefined ? {} : { staff }) }], snapshot);
      assert.deepEqual(of({ assist: [tina] }), [[`${name} of bob`, [asTina]]]);
      assert.deepEqual(of({ view: [tina] }), [[`${name} of bob`, []]]);
      assert.deepEqual(of(undefined), [[`${name} of bob`, []]]);
    }
    assert.deepEqual(ended([alice], snapshot), [[`${name} of bob`, []]]);
  });

  it("ends the access of former CI jobs, and of all jobs of a suspended member", () => {
    const job = "github:repo:org/app:ref:refs/heads/main";
    const asJob = { kind: "User", name: job, apiGroup: "rbac.authorization.k8s.io" };
    const account = { kind: "ServiceAccount", name: "kubecamp-ci", namespace: "bob" };
    const [jobs, tokens] = ["RoleBinding bob/kubecamp:ci", "RoleBinding bob/kubecamp:ci-token"] as const;
    const snapshot = cluster({
      namespaces: new Map([["bob", owned("bob")]]),
      managedObjects: new Map([
        [jobs, { ...managedObject("bob", { subjects: [stranger, asJob, account] }), ...owned("bob") }],
        [tokens, { ...managedObject("bob", { subjects: [stranger, asBob] }), ...owned("bob") }],
      ]),
    });
    const of = (who: Member, ci: Member["ci"]) => ended([{ ...who, ...(ci === undefined ? {} : { ci }) }], snapshot);
    assert.deepEqual(of(bob, { subjects: [job], token: true }), [
      [`${jobs} of bob`, [asJob, account]],
      [`${tokens} of bob`, [asBob]],
    ]);
    assert.deepEqual(of(bob, { subjects: [job] }), [
      [`${jobs} of bob`, [asJob]],
      [`${tokens} of bob`, []],
    ]);
    const nobody = [
      [`${jobs} of bob`, []],
      [`${tokens} of bob`, []],
    ];
    assert.deepEqual(of(bob, undefined), nobody);
    assert.deepEqual(of(suspended, { subjects: [job], token: true }), nobody);
    assert.deepEqual(ended([alice], snapshot), nobody);
  });

  it("ends no access by a binding that an admin has made, whatever its labels", () => {
    const managedObjects = new Map([["RoleBinding bob/assistants", managedObject("bob", { subjects: [stranger] })]]);
    assert.deepEqual(ended([bob], { ...letting([asBob]), managedObjects }), []);
  });

  it("ends nobody's access whom the run is not about, and none by another stack's binding", () => {
    const elsewhere = { ...targetAll([alice]), isWhole: false };
    assert.deepEqual(ended([alice, suspended], letting([asBob]), elsewhere), []);
    assert.deepEqual(ended([alice], letting([asBob]), elsewhere), []);
    assert.deepEqual(ended([alice], letting([asBob]), { ...elsewhere, removedMembers: ["bob"] }), ofBob());
    assert.deepEqual(ended([suspended], letting([asBob], { [stackLabel]: "prod" })), []);
  });

  describe("on a cluster", () => {
    const server = useApiServer();
    const run = async (isPreview: boolean) => {
      await pulumi.runtime.setMocks(
        { newResource: () => ({ id: "", state: {} }), call: () => ({}) },
        "p",
        "dev",
        isPreview,
      );
      server.asked.length = 0;
      await endAccess(planOf([suspended], settings, letting([asBob])), targetAll([suspended]));
      return server.asked;
    };

    it("ends access on the cluster in an up, and never in a preview", async () => {
      assert.deepEqual(await run(true), []);
      assert.deepEqual(await run(false), ["kubecamp-edit"]);
      assert.deepEqual(
        server.writes.map(({ method, contentType, body }) => [method, contentType, JSON.parse(body)]),
        [["PATCH", "application/merge-patch+json", { subjects: [] }]],
      );
    });

    it("stops no run where access can't be ended", async () => {
      server.answers("kubecamp-edit", json({}, 403));
      assert.deepEqual(await run(false), ["kubecamp-edit"]);
    });
  });
});
