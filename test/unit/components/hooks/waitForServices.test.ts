import assert from "node:assert/strict";
import { mock } from "node:test";
import type { V1Service } from "@kubernetes/client-node";
import type { ApiTarget } from "../../../../cluster/api/kubeconfig/kubeconfig.ts";
import { Abandoned, type Patience, waitForServices } from "../../../../components/hooks/waitForServices.ts";
import type { Member } from "../../../../config/model/members/member.ts";
import type { Readiness } from "../../../../plan/decisions/readiness.ts";
import { type Waited, waitedFor } from "../../../../plan/waiting.ts";
import { type Answer, FakeApiServer, json, stream } from "../../cluster/fakeApiServer.ts";
import { cluster, managedObject } from "../../cluster/leaving.ts";
import { liveService } from "../../cluster/liveService.ts";
import { planOf } from "../../plan/planned.ts";
import { member, settings } from "../../samples.ts";
import { until } from "../../until.ts";

const waiting = (name: string, more: object = {}): Member =>
  member({ member: name, type: "user", route: { readiness: { mode: "wait", ...more } } });
const reason = (name: string) => `no Service '${name}-svc' in namespace '${name}'`;

describe("who is waited for", () => {
  const waited = (who: Member, change = {}) =>
    waitedFor(planOf([who], settings, cluster(change))).map(({ reason }) => reason);

  it("is who waits, has no fit Service, and no open path that could hurt others meanwhile", () => {
    const bob = waiting("bob");
    assert.deepEqual(waited(bob), [reason("bob")]);
    assert.deepEqual(waited(bob, { services: new Map([["bob/bob-svc", liveService()]]) }), []);
    for (const door of ["Ingress ingress-nginx/bob", "HTTPRoute bob/bob"]) {
      assert.deepEqual(waited(bob, { managedObjects: new Map([[door, managedObject("bob")]]) }), [], door);
    }
  });

  it("is nobody of another mode, without a route, or suspended", () => {
    assert.deepEqual(waited(waiting("bob", { mode: "gate" })), []);
    assert.deepEqual(waited(waiting("bob", { mode: "managed", requires: "endpoints" })), []);
    assert.deepEqual(waited(member({ member: "bob", type: "user", route: false })), []);
    assert.deepEqual(waited({ ...waiting("bob"), standing: "suspended" }), []);
  });
});

describe("waiting for Services", () => {
  const server = new FakeApiServer();
  before(() => server.start());
  after(() => server.stop());
  // The time that each has is the test's; what is told of them now and then comes in real time.
  beforeEach(() => {
    server.reset();
    mock.timers.enable({ apis: ["setTimeout"] });
  });
  afterEach(() => mock.timers.reset());

  const service = (name: string, spec: object = {}): V1Service => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: `${name}-svc`, namespace: name, resourceVersion: "5" },
    spec: { clusterIP: "10.0.0.7", selector: { app: name }, ports: [{ port: 80 }], ...spec },
  });
  const list = (kind: string, ...items: object[]) =>
    json({ kind: `${kind}List`, metadata: { resourceVersion: "1" }, items });
  const silent: Answer = stream();
  const reported: string[] = [];
  const wait = (members: readonly Member[], seconds: number, patience: Partial<Patience> = {}) => {
    reported.length = 0;
    const target: ApiTarget = {
      source: "the kubeconfig",
      server: server.url,
      cluster: { server: server.url },
      user: {},
    };
    const waited: Waited[] = members.map((each) => ({
      member: each,
      timeoutSeconds: seconds,
      reason: reason(each.name),
    }));
    return waitForServices(waited, settings, target, {
      interval: 60_000,
      notify: ({ name }, message) => void reported.push(`${name}: ${message}`),
      isWanted: () => true,
      ...patience,
    });
  };
  const pending = (why: string): Readiness => ({ state: "pending", reason: why });

  it("ends for each when their own is fit, or their own time is up, all on one watch", async () => {
    server.answers("services", list("Service", service("ann"), service("bob", { ports: [{ port: 8080 }] })));
    server.answers("watch services", stream({ type: "ADDED", object: service("cyn", { type: "ExternalName" }) }));
    const outcomes = wait(
      ["ann", "bob", "cyn", "dee"].map((name) => waiting(name)),
      2,
      { interval: 10 },
    );
    assert.deepEqual(await outcomes.get("ann"), { state: "ready" });
    await until(() => reported.some((line) => /^cyn: .*ExternalName/.test(line)));
    mock.timers.tick(1999);
    const least = reported.length + 3;
    await until(() => reported.length >= least);
    mock.timers.tick(1);
    assert.deepEqual(await Promise.all(["bob", "cyn", "dee"].map((name) => outcomes.get(name))), [
      pending("Service 'bob-svc' has no TCP port 80 (it has 8080)"),
      pending("Service 'cyn-svc' is of type ExternalName, not ClusterIP"),
      pending(reason("dee")),
    ]);
    assert.deepEqual(server.asked, ["services", "watch services"]);
  });

  it("looks behind the Service where pods must be ready, and where nothing but pods can answer", async () => {
    for (const [readiness, spec] of [
      [{ requires: "endpoints" }, {}],
      [{}, { clusterIP: "None" }],
    ] as const) {
      server.reset();
      const slice = {
        kind: "EndpointSlice",
        metadata: {
          name: "x",
          namespace: "bob",
          resourceVersion: "6",
          labels: { "kubernetes.io/service-name": "bob-svc" },
        },
        endpoints: [{ addresses: ["10.1.0.1"], conditions: { ready: true } }],
        ports: [{ port: 80, protocol: "TCP" }],
      };
      server.answers("services", list("Service", service("bob", spec)));
      server.answers("watch services", silent);
      server.answers("endpointslices", list("EndpointSlice"));
      server.answers("watch endpointslices", stream({ type: "ADDED", object: slice }));
      assert.deepEqual(await wait([waiting("bob", readiness)], 60).get("bob"), { state: "ready" });
    }
  });

  it("goes on through refusals, and says at the end that it may be wrong", async () => {
    const refused = json({ message: "no services for you" }, 403);
    server.answers("services", refused, refused, refused);
    const waited = wait([waiting("bob")], 2).get("bob");
    await until(() => server.asked.length > 1);
    mock.timers.tick(2000);
    const outcome = await waited;
    assert.equal(outcome?.state, "pending");
    assert.match(
      Object(outcome).reason,
      /^no Service 'bob-svc' in namespace 'bob', as far as is known \(.*the Services from the API server.*403 no services for you/s,
    );
  });

  it("ends as soon as nobody wants to know", async () => {
    server.answers("services", list("Service"));
    server.answers("watch services", silent);
    const outcomes = wait([waiting("bob"), waiting("cyn")], 3600, { interval: 20, isWanted: () => false });
    await Promise.all([...outcomes.values()].map((outcome) => assert.rejects(outcome, Abandoned)));
  });
});
