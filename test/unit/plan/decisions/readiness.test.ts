import assert from "node:assert/strict";
import type { LiveService } from "../../../../cluster/read/snapshot.ts";
import type { Member } from "../../../../config/member/member.ts";
import { liveService } from "../../cluster/liveService.ts";
import { bob, member, settings } from "../../samples.ts";
import { planned } from "../planned.ts";

const readinessOf = (who: Member, services: ReadonlyMap<string, LiveService> = new Map()) =>
  planned(who, settings, { managedObjects: new Map(), services }).readiness;
const withService = (change: Partial<LiveService>, who = bob) =>
  readinessOf(who, new Map([["bob/bob-svc", liveService(change)]]));
const bobWith = (readiness: object) => member({ member: "bob", type: "user", route: { readiness } });
const pending = (reason: string) => ({ state: "pending", reason });
const unready = "no pod behind port 80 of Service 'bob-svc' is ready; see 'kubectl get pods -n bob -l";

describe("readiness", () => {
  it("opens the route to a Service with a selector, a cluster IP and the routed port", () => {
    assert.deepEqual(withService({ ports: [443, 80] }), { state: "ready" });
  });

  it("keeps the route pending while there is no Service that fits, whatever others have", () => {
    const services = new Map([
      ["carol/bob-svc", liveService()],
      ["bob/web", liveService()],
    ]);
    for (const mode of ["gate", "wait"]) {
      const found = readinessOf(bobWith({ mode }), services);
      assert.deepEqual(found, pending("no Service 'bob-svc' in namespace 'bob'"));
    }
  });

  for (const [what, change, reason] of [
    ["is being deleted", { terminating: true }, "Service 'bob-svc' is being deleted"],
    ["is ExternalName", { type: "ExternalName" }, "Service 'bob-svc' is of type ExternalName, not ClusterIP"],
    ["has no selector", { selector: {} }, "Service 'bob-svc' has no selector"],
    ["has another port", { ports: [8080] }, "Service 'bob-svc' has no TCP port 80 (it has 8080)"],
    [
      "is headless without a ready pod",
      { clusterIP: "None" },
      `Service 'bob-svc' is headless (clusterIP: None), and ${unready} app=web'`,
    ],
    [
      "is headless, and its pods answer elsewhere",
      { clusterIP: "None", readyPorts: [{ name: "", port: 8080 }] },
      "Service 'bob-svc' is headless (clusterIP: None), and its pods answer on port 8080 instead of 80; have them listen there, or make the Service anew without clusterIP: None",
    ],
  ] as const) {
    it(`keeps the route pending while the Service ${what}`, () => {
      assert.deepEqual(withService(change), pending(reason));
    });
  }

  it("opens the route to a headless Service whose pods answer on the routed port themselves", () => {
    assert.deepEqual(withService({ clusterIP: "None", readyPorts: [{ name: "", port: 80 }] }), { state: "ready" });
  });

  describe("that requires endpoints", () => {
    for (const mode of ["gate", "wait", "managed"]) {
      it(`opens the route once a pod is ready behind the routed port, not behind another (${mode})`, () => {
        const who = bobWith({ mode, requires: "endpoints" });
        const ports = { ports: [80, 9090], portNames: { "80/TCP": "web", "9090/TCP": "metrics" } };
        const ready = (name: string) => withService({ ...ports, readyPorts: [{ name, port: 8080 }] }, who);
        assert.deepEqual(ready("web"), { state: "ready" });
        assert.deepEqual(ready("metrics"), pending(`${unready} app=web'`));
      });
    }

    it("says with which labels pods are waited for, before there is a Service", () => {
      const who = bobWith({ mode: "managed", requires: "endpoints" });
      const found = readinessOf(who);
      assert.deepEqual(found, pending(`${unready} app=bob'`));
    });
  });

  it("opens the route to a Service that the run makes or mends, not to one that can't be mended", () => {
    const who = bobWith({ mode: "managed" });
    assert.deepEqual(readinessOf(who), {
      state: "ready",
    });
    assert.deepEqual(withService({ type: "ExternalName", clusterIP: "", selector: {} }, who), { state: "ready" });
    assert.match(
      Object(withService({ clusterIP: "None", readyPorts: [{ name: "", port: 80 }] }, who)).reason,
      /^Service 'bob-svc' is headless \(clusterIP: None\), which nobody can change; delete it/,
    );
  });

  it("suspends a suspended member's route, whoever makes their Service", () => {
    const who = { ...bobWith({ mode: "managed" }), standing: "suspended" } as const;
    assert.deepEqual(withService({}, who), { state: "suspended", reason: "suspended" });
    assert.deepEqual(withService({}, { ...who, leaves: "2026-07-15" }), {
      state: "suspended",
      reason: "leaving, removed on 2026-07-15",
    });
  });
});
