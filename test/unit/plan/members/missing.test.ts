import assert from "node:assert/strict";
import { keyOf } from "../../../../cluster/kinds/objectName.ts";
import type { ClusterSnapshot, ManagedObject } from "../../../../cluster/read/snapshot.ts";
import type { Member } from "../../../../config/member/member.ts";
import { admissionPolicies } from "../../../../config/names/names.ts";
import type { Settings } from "../../../../config/settings.ts";
import { namespace } from "../../../../objects/namespace.ts";
import type { KnownObjects } from "../../../../plan/live/knownState.ts";
import { missingObjects } from "../../../../plan/members/missing.ts";
import { ca } from "../../certificates.ts";
import { managedObject, service } from "../../cluster/operators.ts";
import { routeObjects } from "../../routeObjects.ts";
import {
  bob,
  configuration,
  gatewaySettings,
  labelsOf,
  member,
  routeAt,
  settings,
  traefikSettings,
} from "../../samples.ts";
import { knowing, planned, planOf, textOf } from "../planned.ts";

/** A cluster, and what the state has after the last run. */
interface Cluster extends Pick<ClusterSnapshot, "namespaces" | "services" | "managedObjects"> {
  readonly known: KnownObjects;
}

const isOf = (kind: string) => (object: { readonly kind: string }) => object.kind === kind;

/** A cluster with a fit Service and all of the member's objects, except those that are gone. */
const clusterOf = (before: Member, stack: Settings, ...gone: readonly string[]): Cluster => {
  const labels = labelsOf(before.name);
  const home: Record<string, string> = namespace(before, stack).metadata.labels;
  const fit = [`${before.name}/${before.name}-svc`, { ...service("ClusterIP"), ports: [80, 443] }] as const;
  const made = planned(before, stack, { managedObjects: new Map(), services: new Map([fit]) }).declared;
  const there = made.filter((object) => !gone.includes(keyOf(object)));
  const route = routeObjects(before, routeAt("camp.example.org", "/bob"), stack);
  const annotationsOf = (kind: string) => route.find(isOf(kind))?.metadata.annotations ?? {};
  const live = (kind: string): ManagedObject => ({
    ...managedObject(kind === "Namespace" ? home : labels, { ...route.find(isOf(kind)) }),
    annotations: annotationsOf(kind),
  });
  const twin = { ...service("ExternalName", labels), annotations: annotationsOf("Service") };
  return {
    known: knowing(...made.map(keyOf)),
    namespaces: new Map(
      there.filter(isOf("Namespace")).map(({ name }) => [name, { labels: home, terminating: false }]),
    ),
    services: new Map([
      fit,
      ...there.filter(isOf("Service")).map(({ namespace, name }) => [`${namespace}/${name}`, twin] as const),
    ]),
    managedObjects: new Map(there.filter(({ kind }) => kind !== "Service").map((it) => [keyOf(it), live(it.kind)])),
  };
};
const cluster = (before: Member, ...gone: readonly string[]) => clusterOf(before, settings, ...gone);
const missingIn = (stack: Settings, now: Member, { known, ...snapshot }: Cluster) =>
  (textOf(missingObjects(planOf([now], stack, snapshot), known)) ?? "").split("\n  ").slice(1);
const missing = (now: Member, snapshot: Cluster) => missingIn(settings, now, snapshot);
const suspended = { ...bob, standing: "suspended" } as const;
const backendCa = "ConfigMap bob/kubecamp-backend-ca";

describe("what is missing", () => {
  it("misses nothing that the state does not know, as after a killed run, or in a new shard", () => {
    const gone = ["LimitRange bob/default-limits", "Role bob/kubecamp-edit"] as const;
    const snapshot = cluster(bob, ...gone);
    assert.deepEqual(missing(bob, snapshot), [...gone]);
    assert.deepEqual(missing(bob, { ...snapshot, known: knowing("Namespace bob", gone[1]) }), [gone[1]]);
    assert.deepEqual(missing(bob, { ...snapshot, known: knowing() }), []);
  });

  it("misses every policy that a run has made", () => {
    const policies = admissionPolicies.flatMap((policy) =>
      ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"].map((kind) => `${kind} kubecamp-${policy}-dev`),
    );
    assert.deepEqual(missing(bob, { ...cluster(bob), known: knowing(...policies) }).sort(), policies.sort());
  });

  it("tells missing objects in one warning, with the way to bring these back", () => {
    const { known, ...snapshot } = cluster(bob, "ResourceQuota bob/quota", "NetworkPolicy bob/isolation");
    assert.equal(
      textOf(missingObjects(planOf([bob], settings, snapshot), known)),
      `Deleted by hand; 'pulumi up --refresh' creates it again:
  NetworkPolicy bob/isolation
  ResourceQuota bob/quota`,
    );
  });

  it("misses any object that has gone alone", () => {
    for (const key of planned(bob, settings, cluster(bob)).declared.map(keyOf)) {
      assert.deepEqual(missing(bob, cluster(bob, key)), [key]);
    }
  });

  it("misses nothing that was left out on purpose until now, but all else", () => {
    const looking = member({ member: "bob", type: "user", home: "view" });
    const admin = member({ member: "bob", type: "admin" });
    const cases: Readonly<Record<string, readonly [before: Member, now: Member]>> = {
      "the keys of who was suspended": [suspended, bob],
      "the quota of zero of who is to be suspended": [admin, { ...admin, standing: "suspended" }],
      "the role at home of another name": [bob, looking],
      "the quota of who has one by now, whatever the type": [admin, { ...admin, type: { ...admin.type, quota: true } }],
      "the view of who had none, whatever the type": [{ ...bob, type: { ...bob.type, others: "none" } }, bob],
    };
    for (const [what, [before, now]] of Object.entries(cases)) {
      // Nor is a route that is not open yet.
      const closed = ["Ingress ingress-nginx/bob", "Service ingress-nginx/bob-svc"];
      const { known, ...snapshot } = cluster(before, ...closed);
      const left = [...known].filter((key) => !closed.includes(key));
      assert.deepEqual(missing(now, { ...snapshot, known: knowing(...left) }), [], what);
    }
    const others = ["LimitRange bob/default-limits", "Role bob/kubecamp-edit"];
    assert.deepEqual(missing(bob, cluster(suspended, ...others)), others);
  });

  it("misses a Service that kubecamp has made, and none that is only now to be made", () => {
    const { settings: managed, members } = configuration({
      members: [{ member: "bob", type: "user" }],
      route: { host: "camp.example.org", readiness: { mode: "managed" } },
    });
    const [who = assert.fail()] = members;
    const there = clusterOf(who, managed);
    const services = new Map([...there.services].filter(([key]) => key !== "bob/bob-svc"));
    const others = [...there.known].filter((key) => key !== "Service bob/bob-svc");
    const reported = (...known: readonly string[]) =>
      missingIn(managed, who, { ...there, services, known: knowing(...known) });
    assert.deepEqual(reported(...others, "Service bob/bob-svc"), ["Service bob/bob-svc"]);
    assert.deepEqual(reported(...others), []);
  });

  it("misses any part of a controller's own that has gone alone, and none that is yet to be made", () => {
    const https = { backendProtocol: "HTTPS" };
    const reported = (stack: Settings, snapshot: Cluster) => missingIn(stack, bob, snapshot);
    const tls = gatewaySettings(https);
    const atGateway = gatewaySettings({ ...https, backendTls: { ca } });
    const atTraefik = traefikSettings({ ...https, rewrite: "strip" });
    const beside = ["Service traefik/bob-svc", "Ingress traefik/bob"];
    for (const [stack, plain, parts, rest] of [
      [atGateway, gatewaySettings(), ["HTTPRoute bob/bob", "BackendTLSPolicy bob/bob", backendCa], []],
      [atTraefik, traefikSettings(), ["Middleware traefik/bob", "ServersTransport traefik/bob"], beside],
    ] as const) {
      for (const part of parts) {
        assert.deepEqual(reported(stack, clusterOf(bob, stack, part)), [part]);
      }
      assert.deepEqual(reported(stack, clusterOf(bob, stack)), []);
      const route = [...parts, ...rest];
      assert.deepEqual(reported(stack, clusterOf(bob, stack, ...route)).sort(), route.toSorted());
      assert.deepEqual(reported(stack, clusterOf(bob, plain)), []);
    }
    assert.deepEqual(reported(atGateway, clusterOf(bob, settings)), []);
    assert.deepEqual(reported(tls, clusterOf(bob, gatewaySettings())), []);
    assert.deepEqual(reported(atGateway, clusterOf(bob, tls)), []);
  });
});
