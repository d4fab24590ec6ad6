import assert from "node:assert/strict";
import type { V1Service } from "@kubernetes/client-node";
import { waitForServices } from "../../../../components/hooks/waiting.ts";
import type { Member } from "../../../../config/member/member.ts";
import { waitedFor } from "../../../../plan/members/restless.ts";
import { json, useApiServer } from "../../cluster/fakeApiServer.ts";
import { cluster, managedObject } from "../../cluster/leaving.ts";
import { liveService } from "../../cluster/liveService.ts";
import { planOf } from "../../plan/planned.ts";
import { member, settings } from "../../samples.ts";

const waiting = (name: string, more: object = {}): Member =>
  member({ member: name, type: "user", route: { readiness: { mode: "wait", ...more } } });
const reason = (name: string) => `no Service '${name}-svc' in namespace '${name}'`;

describe("who is waited for", () => {
  const waited = (who: Member, change = {}) =>
    waitedFor(planOf([who], settings, cluster(change))).map(({ reason }) => reason);

  it("waits for members in mode 'wait' without a fit Service, and without an open path", () => {
    const bob = waiting("bob");
    assert.deepEqual(waited(bob), [reason("bob")]);
    assert.deepEqual(waited(bob, { services: new Map([["bob/bob-svc", liveService()]]) }), []);
    for (const door of ["Ingress ingress-nginx/bob", "HTTPRoute bob/bob"]) {
      assert.deepEqual(waited(bob, { managedObjects: new Map([[door, managedObject("bob")]]) }), [], door);
    }
  });

  it("waits for no member of another mode, without a route, or suspended", () => {
    assert.deepEqual(waited(waiting("bob", { mode: "gate" })), []);
    assert.deepEqual(waited(waiting("bob", { mode: "managed", requires: "endpoints" })), []);
    assert.deepEqual(waited(member({ member: "bob", type: "user", route: false })), []);
    assert.deepEqual(waited({ ...waiting("bob"), standing: "suspended" }), []);
  });
});

describe("waiting for Services", () => {
  const server = useApiServer();
  const service = (name: string, spec: object = {}): V1Service => ({
    metadata: { name: `${name}-svc`, namespace: name },
    spec: { clusterIP: "10.0.0.7", selector: { app: name }, ports: [{ port: 80 }], ...spec },
  });
  const list = (kind: string, ...items: object[]) => json({ kind: `${kind}List`, items });
  /** Whose path was opened, what was told, and who was late. */
  const wait = async (members: readonly Member[], timeoutSeconds: number, isWanted = () => true) => {
    const [open, told]: [string[], string[]] = [[], []];
    const waited = members.map((each) => ({ member: each, timeoutSeconds, reason: reason(each.name) }));
    const late = await waitForServices(waited, settings, {
      interval: 5,
      open: ({ name }) => open.push(name),
      notify: ({ name }, message) => told.push(`${name}: ${message}`),
      isWanted,
    });
    return { open, told, late: late.map(({ member: { name }, reason }) => `${name}: ${reason}`) };
  };

  it("opens each awaited path once its Service is fit, by one LIST for all, and tells the others", async () => {
    const cyn = service("cyn", { type: "ExternalName" });
    server.answers("services", list("Service", service("ann"), cyn), list("Service", service("ann"), service("cyn")));
    assert.deepEqual(await wait([waiting("ann"), waiting("cyn")], 60), {
      open: ["ann", "cyn"],
      told: ["cyn: waiting for its Service, 0 s of 60 s: Service 'cyn-svc' is of type ExternalName, not ClusterIP"],
      late: [],
    });
    assert.deepEqual(server.asked, ["services", "services"]);
  });

  it("ends the wait for each Service when its time is up, with the last reason", async () => {
    server.answers("services", list("Service", service("bob", { ports: [{ port: 8080 }] })));
    const { open, late } = await wait([waiting("bob"), waiting("dee")], 0);
    assert.deepEqual(open, []);
    assert.deepEqual(late, ["bob: Service 'bob-svc' has no TCP port 80 (it has 8080)", `dee: ${reason("dee")}`]);
  });

  it("waits for Services through refusals, and says at the end that the reason may be wrong", async () => {
    const refused = () => json({ message: "no services for you" }, 403);
    server.answers("services", refused(), list("Service", service("bob")));
    assert.deepEqual((await wait([waiting("bob")], 60)).open, ["bob"]);
    server.answers("services", refused());
    const { late } = await wait([waiting("bob")], 0);
    assert.match(
      late.join(),
      /^bob: no Service 'bob-svc' in namespace 'bob', as far as is known \(.*the Services? .*from the API server.*403 no services for you/s,
    );
  });

  it("ends the wait for Services as soon as nobody wants to know", async () => {
    await assert.rejects(
      wait([waiting("bob")], 60, () => false),
      /nobody waits/,
    );
  });
});
