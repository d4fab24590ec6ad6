import assert from "node:assert/strict";
import type { LiveService } from "../../../../cluster/read/snapshot.ts";
import type { Member } from "../../../../config/member/member.ts";
import type { Settings } from "../../../../config/settings.ts";
import { managedService } from "../../../../objects/route/managedService.ts";
import { type ManagedService, managedServiceOf } from "../../../../plan/decisions/managedService.ts";
import type { StarterPlan } from "../../../../plan/decisions/starterPlan.ts";
import { mendedServices } from "../../../../plan/findings/decisions.ts";
import { liveService, otherService } from "../../cluster/liveService.ts";
import { configuration, bob as gated, labelsOf, settings } from "../../samples.ts";
import { managedOf, planOf, textOf } from "../planned.ts";

const managed = (readiness: object = {}, more: object = {}): { member: Member; settings: Settings } => {
  const route = { host: "camp.example.org", ...more, readiness: { mode: "managed", ...readiness } };
  const { members, settings } = configuration({ route, members: [{ member: "bob", type: "user" }] });
  return { member: members[0] ?? gated, settings };
};
const bob = managed().member;
const snapshot = (live?: LiveService) => ({
  managedObjects: new Map(),
  services: new Map(live === undefined ? [] : [["bob/bob-svc", live]]),
});
const madeOf = (live?: LiveService, who = managed()) => managedOf(who.member, who.settings, snapshot(live));
const serviceOf = (live?: LiveService, who = managed()): ManagedService => {
  const plan = madeOf(live, who);
  assert.ok(plan !== undefined && "service" in plan, JSON.stringify(plan));
  return plan.service;
};
const obstacleOf = (live: LiveService) => Object(madeOf(live)).obstacle;
const port = { name: "http", port: 80, protocol: "TCP", targetPort: 8080 };

const routedOf = ({ ports }: ManagedService) => ports.at(-1);

/** The Service on the API server after a run, before any change by hand. */
const applied = (service: ManagedService, before: Partial<LiveService> = {}): LiveService => {
  const routed = routedOf(service);
  const { metadata, spec } = managedService(bob, service, "2026-06-15T10:00:00.000Z");
  return liveService({
    ...before,
    labels: { ...before.labels, ...metadata.labels },
    annotations: { ...before.annotations, ...metadata.annotations },
    resourceVersion: "8",
    type: spec.type,
    selector: spec.selector,
    ports: [...new Set([...(before.ports ?? []), 80])],
    portNames: { ...before.portNames, "80/TCP": routed?.name ?? "" },
    targetPorts: { ...before.targetPorts, "80/TCP": routed?.targetPort ?? 80 },
  });
};
const unfit = otherService("ExternalName", { ports: [], portNames: {}, targetPorts: {} });
const plain: ManagedService = {
  ...{ labels: labelsOf("bob"), selector: { app: "bob" }, ports: [port], mends: [], isTakenOver: false },
  annotations: { "kubecamp.dev/target-port": "8080" },
};
const isStable = (live: LiveService) => {
  const { annotations, mends, isTakenOver, ...service } = serviceOf(live);
  const declared = managedService(bob, { ...service, annotations }, "2026-06-15T10:00:00.000Z");
  assert.deepEqual(declared.metadata.annotations, live.annotations);
  assert.deepEqual(
    { selector: service.selector, mends, isTakenOver },
    { selector: live.selector, mends: [], isTakenOver: false },
  );
};

describe("a managed Service", () => {
  it("declares no managed Service where the member makes one, has no route, or is suspended", () => {
    assert.equal(managedOf(gated, settings, snapshot()), undefined);
    assert.equal(managedOf({ ...bob, standing: "suspended" }, settings, snapshot()), undefined);
    const { route: _, ...unrouted } = bob;
    assert.equal(managedOf(unrouted, settings, snapshot()), undefined);
  });

  it("leads a managed Service from the routed port to pods labelled with the member's name", () => {
    assert.deepEqual(serviceOf(), plain);
    const https = routedOf(serviceOf(undefined, managed({ targetPort: "web" }, { backendProtocol: "HTTPS" })));
    assert.deepEqual(https, { name: "https", port: 443, protocol: "TCP", targetPort: "web" });
  });

  it("declares a managed Service with the time of its run, and nothing for Pulumi to wait for", () => {
    assert.deepEqual(managedService(bob, serviceOf(), "now"), {
      metadata: {
        name: "bob-svc",
        namespace: "bob",
        labels: labelsOf("bob"),
        annotations: { ...plain.annotations, "kubecamp.dev/made": "now", "pulumi.com/skipAwait": "true" },
      },
      spec: { type: "ClusterIP", selector: { app: "bob" }, ports: [port] },
    });
  });

  it("takes a managed Service over as it is, and declares what the API server would replace", () => {
    const live = liveService({ selector: { app: "web" }, targetPorts: { "80/TCP": "web" } });
    const ports = [{ port: 80, protocol: "TCP", targetPort: "web" }];
    const expected = { ...plain, selector: { app: "web" }, ports, annotations: {}, isTakenOver: true };
    assert.deepEqual(serviceOf(live), expected);
  });

  it("mends a managed Service where it is unfit: the selector, the type, the port", () => {
    const mends = ["type ClusterIP instead of ExternalName", "selector app=bob", "port 80/TCP"];
    // The plugin sees no difference to what was declared before: this makes one.
    const annotations = { ...plain.annotations, "kubecamp.dev/applied": "7" };
    assert.deepEqual(serviceOf(unfit), { ...plain, annotations, mends, isTakenOver: true });
  });

  it("leaves a managed Service as it is over any number of runs, whatever fit changes it gets", () => {
    const taken = liveService({ targetPorts: { "80/TCP": 9000 } });
    const two = { ports: [8443], portNames: { "8443/TCP": "tls" }, targetPorts: { "8443/TCP": 8443 } };
    for (const live of [
      applied(serviceOf()),
      applied(serviceOf(taken), taken),
      applied(serviceOf(unfit), unfit),
      applied(serviceOf(liveService(two)), two),
    ]) {
      isStable(live);
      isStable({ ...live, selector: { app: "other" } });
    }
  });

  it("follows targetPort as long as the member has not chosen another for the managed Service", () => {
    const ours = applied(serviceOf());
    const other = managed({ targetPort: 3000 });
    assert.equal(routedOf(serviceOf(ours, other))?.targetPort, 3000);
    assert.deepEqual(serviceOf(ours, other).mends, ["target port 3000 instead of 8080"]);
    const theirs = { ...ours, targetPorts: { "80/TCP": 5000 } };
    assert.equal(routedOf(serviceOf(theirs, other))?.targetPort, 5000);
    assert.deepEqual(serviceOf(theirs, other).mends, []);
    assert.equal("kubecamp.dev/target-port" in serviceOf(theirs, other).annotations, false);
  });

  it("declares a managed Service's ports up to the routed one, since their order counts", () => {
    const live = liveService({
      ports: [9090, 80, 8443],
      portNames: { "9090/TCP": "metrics", "53/UDP": "dns", "80/TCP": "web", "8443/TCP": "tls" },
      targetPorts: { "9090/TCP": 9090, "53/UDP": "dns", "80/TCP": 9000, "8443/TCP": 8443 },
    });
    assert.deepEqual(serviceOf(live).ports, [
      { name: "metrics", port: 9090, protocol: "TCP", targetPort: 9090 },
      { name: "dns", port: 53, protocol: "UDP", targetPort: "dns" },
      { name: "web", port: 80, protocol: "TCP", targetPort: 9000 },
    ]);
  });

  it("leaves labels of what a managed Service is part of, and says whose the Service is", () => {
    const helm = { "app.kubernetes.io/part-of": "site" };
    const labels = { ...helm, "app.kubernetes.io/instance": "blog", "app.kubernetes.io/managed-by": "Helm" };
    const live = liveService({ labels });
    assert.deepEqual(serviceOf(live).labels, { ...labelsOf("bob"), ...helm });
    isStable(applied(serviceOf(live), live));
  });

  it("gives a managed Service its labels back", () => {
    const live = { ...applied(serviceOf()), labels: {} };
    const { mends, annotations } = serviceOf(live);
    assert.deepEqual(mends, ["its labels"]);
    assert.equal(annotations["kubecamp.dev/applied"], "8");
  });

  for (const [what, change, reason] of [
    [
      "is full",
      { isLarge: true },
      /^Service 'bob-svc' has so many annotations or labels that nothing can be added; take some off \('kubectl edit service bob-svc -n bob'\), or delete it /,
    ],
    ["is being deleted", { terminating: true }, /^Service 'bob-svc' is being deleted; the run after that makes one$/],
    [
      "is headless",
      { clusterIP: "None" },
      /^Service 'bob-svc' is headless \(clusterIP: None\), which nobody can change; delete it \('kubectl delete -n bob service\/bob-svc'\), and the next run makes one$/,
    ],
    [
      "has an address to lose",
      { type: "LoadBalancer" },
      /is of type LoadBalancer, and would lose its address; make it ClusterIP/,
    ],
    [
      "is another stack's",
      { labels: { "kubecamp.dev/stack": "prod" } },
      /has the label kubecamp\.dev\/stack: prod, and so is somebody else's; take the label off \('kubectl edit service bob-svc -n bob'\)$/,
    ],
    [
      "has a text that Pulumi can't read",
      { isMarked: true },
      /^Service 'bob-svc' has a text that Pulumi takes for a mark of its own; take it off/,
    ],
    ["is another member's", { labels: { "kubecamp.dev/member": "eve" } }, /has the label kubecamp\.dev\/member: eve/],
    [
      "has another port without a name",
      { ports: [8080], portNames: { "8080/TCP": "" } },
      /has no port 80\/TCP, and can't get it while port 8080\/TCP has no name of its own; give it one/,
    ],
    [
      "has our port's name elsewhere",
      { ports: [], portNames: { "80/UDP": "http" } },
      /can't get it while port 80\/UDP has no name of its own/,
    ],
  ] as const) {
    it(`declares no managed Service while there is one that ${what}`, () => {
      assert.match(obstacleOf(liveService(change)), reason);
    });
  }

  it("registers no member's Service of a starter app that Pulumi can't read", () => {
    const starter = { service: "left", made: [], left: [] } as unknown as StarterPlan;
    const leftOf = (live: LiveService) => managedServiceOf(gated, starter, settings, snapshot(live));
    assert.equal(leftOf(liveService({ isMarked: true })), undefined);
    assert.equal(Object(leftOf(liveService())).service.isIgnored, true);
  });

  it("tells in one warning of managed Services that are taken over or mended, and of no others", () => {
    const eve = { ...bob, name: "eve" };
    const services = new Map([
      ["bob/bob-svc", liveService()],
      ["eve/eve-svc", otherService("ExternalName")],
    ]);
    assert.equal(
      textOf(mendedServices(planOf([bob, eve, gated], settings, { managedObjects: new Map(), services }))),
      "Services taken over or repaired by 'pulumi up' (route.readiness.mode: managed); their other fields stay:\n" +
        "  bob/bob-svc as it is\n" +
        "  eve/eve-svc with type ClusterIP instead of ExternalName, selector app=eve",
    );
    for (const live of [undefined, applied(serviceOf()), liveService({ clusterIP: "None" })]) {
      assert.equal(textOf(mendedServices(planOf([bob], settings, snapshot(live)))), undefined);
    }
  });
});
