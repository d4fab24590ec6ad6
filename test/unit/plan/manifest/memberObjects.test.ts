import assert from "node:assert/strict";
import { keyOf, objectKey, objectNameOf } from "../../../../cluster/read/snapshot/snapshot.ts";
import { ClusterAccess } from "../../../../components/clusterAccess.ts";
import { MemberEnvironment } from "../../../../components/memberEnvironment.ts";
import { clusterProvider } from "../../../../components/provider/provider.ts";
import { Drift } from "../../../../plan/compare/drift.ts";
import { ca } from "../../certificates.ts";
import { service } from "../../cluster/operators.ts";
import { registeredBy } from "../../components/recorded.ts";
import { alice, bob, carol, gatewaySettings, member, routeAt, settings, traefikSettings } from "../../samples.ts";
import { planned } from "../planned.ts";

const backend = { backendProtocol: "HTTPS" };
const gatewayStacks = [
  gatewaySettings(),
  gatewaySettings(backend),
  gatewaySettings({ ...backend, backendTls: { ca } }),
];
const traefik = traefikSettings({ rewrite: "strip", ...backend });
const atHostOfTheirOwn = { ...bob, route: routeAt("bob.example.org", "/") };

describe("a member's objects", () => {
  it("are all that the program declares, whatever the member", async () => {
    const services = new Map(
      ["alice", "bob", "carol", "dan"].map((name) => [
        `${name}/${name}-svc`,
        { ...service("ClusterIP"), ports: [80, 443] },
      ]),
    );
    const dan = member({ member: "dan", type: "admin", others: "none", home: "view", route: false });
    const resting = ([alice, carol] as const).map((it) => ({ ...it, standing: "suspended" as const }));
    for (const [one, stack] of [
      ...[alice, bob, carol, dan, ...resting].map((it) => [it, settings] as const),
      ...gatewayStacks.map((stack) => [bob, stack] as const),
      ...[bob, atHostOfTheirOwn].map((it) => [it, traefik] as const),
    ]) {
      for (const snapshot of [
        { managedObjects: new Map(), services },
        { managedObjects: new Map(), services: new Map() },
      ]) {
        const objects = planned(one, stack, snapshot).declared;
        const routed = objects.some(({ kind }) => kind === "Ingress" || kind === "HTTPRoute");
        const registered = await registeredBy(() => {
          const provider = clusterProvider(settings);
          const drift = new Drift({ managedObjects: new Map() });
          const access = new ClusterAccess("access", { settings: stack, drift }, { provider });
          new MemberEnvironment(one.name, { member: one, settings: stack, access, routed, drift }, { provider });
        });
        const keys = registered
          .filter(({ type, name }) => type.startsWith("kubernetes:") && name.startsWith(`${one.name}/`))
          .map(({ type, inputs }) => {
            const { name, namespace } = inputs.metadata as { name: string; namespace?: string };
            return `${type.split(":").at(-1)} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
          });
        assert.deepEqual(objects.map(keyOf).sort(), keys.sort());
      }
    }
  });

  it("finds an object's name in its key, whatever it has in it", () => {
    for (const [kind, name, namespace] of [
      ["RoleBinding", "a b:c", "ann"],
      ["ClusterRoleBinding", "a b", undefined],
    ] as const) {
      assert.deepEqual(objectNameOf(objectKey(kind, name, namespace)), { kind, name, namespace });
    }
  });
});
