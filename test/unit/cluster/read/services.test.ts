import assert from "node:assert/strict";
import type { V1EndpointSlice } from "@kubernetes/client-node";
import { endpointsMatter, liveServices } from "../../../../cluster/read/services.ts";
import { bob, member } from "../../samples.ts";
import { liveService } from "../liveService.ts";

const slice = (
  service: string,
  conditions: readonly object[],
  ports: V1EndpointSlice["ports"] = [{ name: "web", port: 8080, protocol: "TCP" }],
): V1EndpointSlice => ({
  addressType: "IPv4",
  metadata: { name: "x", namespace: "bob", labels: { "kubernetes.io/service-name": service } },
  endpoints: conditions.map((each) => ({ addresses: ["10.1.0.1"], conditions: each })),
  ports: ports ?? [],
});
const readyPorts = (...slices: V1EndpointSlice[]) =>
  liveServices([{ metadata: { name: "bob-svc", namespace: "bob" } }], slices).get("bob/bob-svc")?.readyPorts;
const web = { name: "web", port: 8080 };

describe("what is behind a Service", () => {
  it("takes a Service for ready as soon as one endpoint is, in any of its slices", () => {
    assert.deepEqual(
      readyPorts(slice("bob-svc", [{ ready: false }]), slice("bob-svc", [{ ready: false }, { ready: true }])),
      [web],
    );
    assert.deepEqual(readyPorts(slice("bob-svc", [{ ready: false, serving: true, terminating: true }])), []);
    assert.deepEqual(readyPorts(slice("bob-svc", [])), []);
    assert.deepEqual(readyPorts(), []);
  });

  it("takes a Service for ready whose endpoint does not say whether that is ready", () => {
    assert.deepEqual(readyPorts(slice("bob-svc", [{}])), [web]);
  });

  it("counts behind a Service no other Service's endpoints, and no port but TCP", () => {
    assert.deepEqual(readyPorts(slice("other", [{ ready: true }])), []);
    const ports = [{ port: 53, protocol: "UDP" }, { port: 9000 }, { name: "all", protocol: "TCP" }];
    assert.deepEqual(readyPorts(slice("bob-svc", [{ ready: true }], ports)), [{ name: "", port: 9000 }]);
  });

  it("looks behind a Service only where a route requires endpoints, or the Service is headless", () => {
    const services = (change: object) => new Map([["bob/bob-svc", liveService(change)]]);
    const requiring = member({ member: "bob", type: "user", route: { readiness: { requires: "endpoints" } } });
    assert.equal(endpointsMatter([bob], services({})), false);
    assert.equal(endpointsMatter([bob], services({ clusterIP: "None" })), true);
    assert.equal(endpointsMatter([requiring], services({})), true);
    assert.equal(endpointsMatter([requiring], new Map()), true);
    assert.equal(endpointsMatter([{ ...requiring, standing: "suspended" }], services({ clusterIP: "None" })), false);
    const unrouted = member({ member: "bob", type: "user", route: false });
    assert.equal(endpointsMatter([unrouted], services({ clusterIP: "None" })), false);
  });
});
