import assert from "node:assert/strict";
import { readinessOf } from "../../../cluster/readiness.ts";
import type { LiveService } from "../../../cluster/snapshot.ts";
import { bob, settings } from "../samples.ts";

const fit: LiveService = {
  labels: {},
  terminating: false,
  type: "ClusterIP",
  clusterIP: "10.0.0.7",
  hasSelector: true,
  ports: [443, 80],
  portNames: { "443/TCP": "https", "80/TCP": "http" },
};
const withService = (service: LiveService) =>
  readinessOf(bob, settings, { services: new Map([["bob/bob-svc", service]]) });

describe("readiness", () => {
  it("opens the route to a Service with a selector, a cluster IP and the routed port", () => {
    assert.deepEqual(withService(fit), { state: "ready" });
  });

  it("keeps the route pending while there is no such Service, whatever others have", () => {
    const services = new Map([
      ["carol/bob-svc", fit],
      ["bob/web", fit],
    ]);
    assert.deepEqual(readinessOf(bob, settings, { services }), {
      state: "pending",
      reason: "no Service 'bob-svc' in namespace 'bob'",
    });
  });

  for (const [what, change, reason] of [
    ["is being deleted", { terminating: true }, "Service 'bob-svc' is being deleted"],
    ["is ExternalName", { type: "ExternalName" }, "Service 'bob-svc' is of type ExternalName, not ClusterIP"],
    ["is NodePort", { type: "NodePort" }, "Service 'bob-svc' is of type NodePort, not ClusterIP"],
    ["has no selector", { hasSelector: false }, "Service 'bob-svc' has no selector"],
    ["is headless", { clusterIP: "None" }, "Service 'bob-svc' is headless (clusterIP: None)"],
    ["has another port", { ports: [8080] }, "Service 'bob-svc' has no TCP port 80 (it has 8080)"],
    ["has no port", { ports: [] }, "Service 'bob-svc' has no TCP port 80 (it has none)"],
  ] as const) {
    it(`keeps the route pending while the Service ${what}`, () => {
      assert.deepEqual(withService({ ...fit, ...change }), { state: "pending", reason });
    });
  }
});
