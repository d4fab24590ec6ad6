import assert from "node:assert/strict";
import type { CoreV1Event } from "@kubernetes/client-node";
import { eventOf, type Notice, Notices } from "../../../../watch/telemetry/notices.ts";
import { json, useApiServer } from "../../cluster/fakeApiServer.ts";

const opened: Notice = {
  code: "routeOpened",
  member: "bob",
  facts: { url: "https://camp.test/bob/" },
};
const repaired = (object: string): Notice => ({
  ...{ code: "driftRepaired", member: "bob", object },
  facts: { change: "deleted" },
});

describe("notices", () => {
  it("makes a notice an Event about the member's Service, in their namespace", () => {
    const at = new Date("2026-06-15T10:00:00Z");
    assert.deepEqual(eventOf(opened, at), {
      apiVersion: "v1",
      kind: "Event",
      metadata: { generateName: "bob-svc.", namespace: "bob" },
      involvedObject: { apiVersion: "v1", kind: "Service", namespace: "bob", name: "bob-svc" },
      reason: "RouteOpened",
      message: "https://camp.test/bob/ leads to your Service.",
      type: "Normal",
      source: { component: "kubecamp-watch" },
      reportingComponent: "kubecamp-watch",
      count: 1,
      firstTimestamp: at,
      lastTimestamp: at,
    });
  });

  it("makes a notice an Event about the object itself in the member's namespace", () => {
    const about = (object: string) => eventOf(repaired(object), new Date()).involvedObject;
    const policy = { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", namespace: "bob", name: "isolation" };
    const service = { apiVersion: "v1", kind: "Service", namespace: "bob", name: "bob-svc" };
    assert.deepEqual(about("NetworkPolicy bob/isolation"), policy);
    assert.deepEqual(about("ResourceQuota bob/quota"), {
      ...policy,
      apiVersion: "v1",
      kind: "ResourceQuota",
      name: "quota",
    });
    assert.deepEqual(about("Ingress ingress-nginx/bob"), service);
    assert.deepEqual(about("ClusterRoleBinding kubecamp:dev:bob:view"), service);
  });

  it("cuts a notice to the length that the API server takes", () => {
    assert.equal(eventOf({ ...opened, facts: { url: "x".repeat(5_000) } }, new Date()).message?.length, 1_024);
  });

  describe("that are told", () => {
    const server = useApiServer();
    const failures: string[] = [];
    const written: string[] = [];
    const notices = new Notices(
      () => undefined,
      (message) => failures.push(message),
      (code) => written.push(code),
    );
    beforeEach(() => {
      failures.length = 0;
      written.length = 0;
    });

    it("writes the Event of each notice once", async () => {
      server.answers("events", json({}, 201), json({}, 201), json({}, 201));
      notices.notify(opened);
      notices.notify({ ...opened, member: "carol" });
      await notices.flush();
      notices.notify({ ...opened, member: "dora" });
      await notices.flush();
      assert.deepEqual([failures, written], [[], ["routeOpened", "routeOpened", "routeOpened"]]);
      assert.deepEqual(
        server.writes.map(({ method, url, body }) => [method, url, (JSON.parse(body) as CoreV1Event).reason]),
        ["bob", "carol", "dora"].map((name) => ["POST", `/api/v1/namespaces/${name}/events`, "RouteOpened"]),
      );
    });

    it("logs a notice that the API server refuses, and writes the others", async () => {
      server.answers("events", json({ message: "namespace is being terminated" }, 403), json({}, 201));
      notices.notify(opened);
      notices.notify({ ...opened, member: "carol" });
      await notices.flush();
      assert.equal(server.writes.length, 2);
      assert.deepEqual(written, ["routeOpened"]);
      assert.equal(failures.length, 1);
      assert.match(
        failures[0] ?? "",
        /^Can't write an Event in namespace 'bob' on .*: 403 namespace is being terminated/,
      );
    });

    it("drops notices beyond a thousand at a time, and logs that", async () => {
      process.env.KUBECONFIG = "/dev/null";
      const queued = Array.from({ length: 1_002 }, () => notices.notify(opened));
      await notices.flush();
      assert.equal(queued.filter(Boolean).length, 1_000);
      assert.deepEqual(failures.slice(0, -1), ["2 Events were dropped: no more than 1000 wait to be written"]);
      assert.equal(notices.notify(opened), true);
      await notices.flush();
      assert.equal(failures.length, 3);
      assert.deepEqual(written, []);
    });
  });
});
