import assert from "node:assert/strict";
import type { ClusterSnapshot } from "../../../cluster/read/snapshot.ts";
import type { Member } from "../../../config/member/member.ts";
import type { ManagedService } from "../../../plan/decisions/managedService.ts";
import { starterPlan } from "../../../plan/decisions/starterPlan.ts";
import { bob, labelsOf, member, settings } from "../samples.ts";
import { makeEnvironment } from "./environment.ts";
import { linkedBy, registeredBy } from "./recorded.ts";

const now = "2026-06-15T12:00:00.000Z";
const registeredFor = (member: Member, isOpen: boolean, service?: ManagedService) =>
  registeredBy(() => makeEnvironment({ member, settings, isOpen, service, now }));
const environment = async (member: Member, isOpen: boolean) => {
  const registered = await registeredFor(member, isOpen);
  return registered
    .filter(({ name }) => name.startsWith(`${member.name}/`))
    .map(({ name, type }) => `${type} ${name}`)
    .sort();
};

describe("MemberEnvironment", () => {
  it("keeps a Service that kubecamp makes in the member's namespace, also while the route pends", async () => {
    const inputs = async (made?: string) => {
      const annotations = { "kubecamp.dev/target-port": "8080", ...(made && { "kubecamp.dev/made": made }) };
      const port = { name: "http", port: 80, protocol: "TCP", targetPort: 8080 } as const;
      const service = {
        labels: {},
        selector: { app: "bob" },
        ports: [port],
        annotations,
        mends: [],
        isTakenOver: false,
      };
      const registered = await registeredFor(bob, false, service);
      assert.deepEqual(
        registered.filter(({ name }) => name.startsWith("bob/route")),
        [],
      );
      return Object(registered.find(({ name }) => name === "bob/service")?.inputs);
    };
    const { metadata, spec } = await inputs("2026-06-15T10:00:00.000Z");
    assert.deepEqual(
      [metadata.name, metadata.namespace, metadata.annotations["kubecamp.dev/made"], spec.selector],
      ["bob-svc", "bob", "2026-06-15T10:00:00.000Z", { app: "bob" }],
    );
    // One that is not there is made by this run.
    assert.equal((await inputs()).metadata.annotations["kubecamp.dev/made"], now);
  });

  const rests = (name: string) => [
    `kubernetes:core/v1:LimitRange ${name}/limits`,
    `kubernetes:core/v1:Namespace ${name}/namespace`,
    `kubernetes:core/v1:ResourceQuota ${name}/quota`,
    `kubernetes:core/v1:ServiceAccount ${name}/service-account`,
    `kubernetes:networking.k8s.io/v1:NetworkPolicy ${name}/isolation`,
    `kubernetes:rbac.authorization.k8s.io/v1:Role ${name}/role/edit`,
  ];
  for (const [what, entry] of Object.entries({
    "a suspended user": { member: "bob", type: "user", suspended: true },
    "an expired guest": { member: "bob", type: "guest-user", expires: "2026-06-14" },
    "a suspended admin of a type without quota": { member: "bob", type: "admin", suspended: true },
  })) {
    it(`gives ${what} guard rails and a quota, no keys or route`, async () => {
      assert.deepEqual(await environment(member(entry), false), rests("bob"));
    });
  }

  it("makes nothing anew in a member's namespace that is being deleted", async () => {
    const kept = member({ member: "bob", type: "user", starter: "kept" });
    const parts = ["limits", "isolation", "quota", "role/edit", "binding/edit", "others/view", "starter/deployment"];
    const registered = await registeredBy(() => {
      const starter = starterPlan(kept, settings, { managedObjects: new Map(), services: new Map() });
      const gone = new Set(parts.map((part) => `bob/${part}`));
      makeEnvironment({ member: kept, settings, isOpen: false, starter, gone });
    });
    const names = registered.flatMap(({ name }) => (name.startsWith("bob/") ? [name] : [])).sort();
    assert.deepEqual(names, ["bob/namespace", "bob/service-account", "bob/starter/pages"]);
  });

  it("gives a member's objects one field manager, and watches all of them", async () => {
    const objects = (await registeredFor(bob, true)).filter(({ type }) => type.startsWith("kubernetes:"));
    const lacking = (annotation: string) =>
      objects.flatMap(({ name, inputs }) => {
        const { annotations } = inputs.metadata as { readonly annotations: object };
        return annotation in annotations ? [] : [name];
      });
    assert.deepEqual(lacking("kubecamp.dev/applied"), []);
    assert.deepEqual(lacking("pulumi.com/patchFieldManager"), []);
  });

  describe("with a starter app", () => {
    const linksOf = async (starter: string, snapshot: Partial<ClusterSnapshot> = {}) => {
      const who = member({ member: "lee", type: "user", starter });
      const plan = starterPlan(who, settings, { managedObjects: new Map(), services: new Map(), ...snapshot });
      const linked = await linkedBy(() => makeEnvironment({ member: who, settings, isOpen: false, starter: plan }));
      const nameOf = (urn: string) => urn.split("::").at(-1) ?? "";
      return new Map(
        linked.map(({ urn, dependencies, ...rest }) => [nameOf(urn), { ...rest, after: dependencies.map(nameOf) }]),
      );
    };

    it("makes a starter app after all that guards its pods, and before the role for the keys", async () => {
      const links = await linksOf("once");
      const allBefore = (name: string): string[] =>
        (links.get(name)?.after ?? []).flatMap((each) => [each, ...allBefore(each)]);
      const guards = ["lee/limits", "lee/isolation", "lee/quota", "lee/service-account"];
      const policies = [...links.keys()].filter((name) => /^access\/admission\/[a-z]+\/binding$/.test(name));
      assert.ok(policies.length > 1);
      for (const [name, others] of [
        ["lee/starter/pages", []],
        ["lee/starter/deployment", ["lee/starter/pages"]],
        ["lee/role/edit", ["lee/starter/pages", "lee/starter/deployment"]],
        ["lee/binding/edit", ["lee/role/edit"]],
        ["lee/others/view", ["lee/role/edit", "access/view"]],
      ] as const) {
        const missing = [...guards, ...policies, ...others].filter((other) => !allBefore(name).includes(other));
        assert.deepEqual([name, missing], [name, []]);
      }
    });

    it("lists each dependency of a member's objects once, since Pulumi's state keeps all", async () => {
      const links = await linksOf("off");
      assert.deepEqual(links.get("lee/binding/edit")?.after, ["lee/namespace", "lee/role/edit"]);
    });

    it("leaves a member's own starter app, and deletes a kept one with the namespace", async () => {
      for (const [mode, retainOnDelete] of [
        ["once", true],
        ["kept", false],
      ] as const) {
        const links = await linksOf(mode);
        for (const part of ["pages", "deployment"]) {
          const { retainOnDelete: stays, ignoreChanges, deletedWith } = links.get(`lee/starter/${part}`) ?? {};
          assert.deepEqual([stays, ignoreChanges], [retainOnDelete, []]);
          assert.ok(deletedWith?.endsWith("::lee/namespace"));
        }
      }
    });

    it("leaves a starter app that was made once as that stands, and makes none of what is gone", async () => {
      const managedObject = (annotations: Record<string, string>, content: object) => ({
        ...{ labels: labelsOf("lee"), annotations, resourceVersion: "1", applied: undefined, content: { ...content } },
      });
      const managedObjects = new Map([
        ["Role lee/kubecamp-edit", managedObject({ "kubecamp.dev/starter": "made" }, {})],
        ["Deployment lee/starter", managedObject({}, { spec: { replicas: 3, selector: undefined } })],
      ]);
      const links = await linksOf("once", { managedObjects });
      assert.equal(links.has("lee/starter/pages"), false);
      const { retainOnDelete, ignoreChanges } = links.get("lee/starter/deployment") ?? {};
      assert.deepEqual([retainOnDelete, ignoreChanges], [true, ["metadata", "spec"]]);
    });
  });
});
