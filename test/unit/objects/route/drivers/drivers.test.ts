import assert from "node:assert/strict";
import { controllers, ingressControllers } from "../../../../../config/route/controllers.ts";
import { driverOf, drivers, routeParts, waysOf } from "../../../../../objects/route/drivers/drivers.ts";
import { ca } from "../../../certificates.ts";
import { bob, configuration, gatewaySettings, routeAt } from "../../../samples.ts";

describe("drivers of routes", () => {
  it("gives each route driver its parts once, after what they refer to", () => {
    const ofTraefik = ["login", "allow", "body-limit", "middleware", "transport"];
    const parts = routeParts.map(({ part }) => part);
    const atHome = [...ofTraefik.filter((part) => part !== "transport").map((part) => `traefik-${part}`), "traefik"];
    const others = ["haproxy", "contour", "backend-ca", "backend-tls", "listeners", "http-login", "http"];
    assert.deepEqual(parts, [...atHome, ...ofTraefik, "service", "ingress", ...others]);
    for (const { parts, door } of drivers) {
      const order = parts.map((own) => routeParts.findIndex(({ part }) => part === own.part));
      const sorted = order.toSorted((a, b) => a - b);
      assert.deepEqual(order, sorted);
      assert.equal(parts.at(-1), door);
    }
  });

  it("lets route drivers do what the settings ask of their controllers, with their resources", () => {
    for (const controller of ingressControllers) {
      const { by } = controllers[controller];
      const {
        stripping,
        tlsOnIngress,
        tlsOnService,
        limiting,
        asking,
        referring,
        treatments = [],
      } = waysOf(controller);
      assert.equal(by.strip === "annotations", stripping !== undefined, controller);
      assert.ok(tlsOnIngress ?? tlsOnService, controller);
      assert.equal(by.timeoutSeconds === "annotations", limiting !== undefined, controller);
      assert.equal(by.login === "annotations", asking !== undefined, controller);
      assert.equal(asking !== undefined, controllers[controller].signsIn !== undefined, controller);
      const own = Object.entries(by).filter(([, way]) => way !== "annotations" && way !== "always");
      assert.equal(treatments.length > 0, referring !== undefined, controller);
      const treated = treatments.flatMap(({ kind, features = [] }) => features.map((feature) => `${feature} ${kind}`));
      assert.deepEqual(treated.toSorted(), own.map((each) => each.join(" ")).toSorted(), controller);
    }
  });

  it("reads from a route what its driver was told, and knows its annotations for the driver's", () => {
    const route = { host: "apps.example.org", rewrite: "strip", backendProtocol: "HTTPS" };
    const at = routeAt("apps.example.org", "/bob");
    const treatments = (settings: ReturnType<typeof gatewaySettings>, { parts }: (typeof drivers)[number]) =>
      parts.map(({ kind, build }) => {
        const { metadata, spec } = JSON.parse(JSON.stringify(build(bob, at, settings)));
        return { kind, annotations: metadata.annotations ?? {}, spec: spec ?? {} };
      });
    for (const controller of ingressControllers) {
      const { by, verifies, byService, places, prefixes } = controllers[controller];
      const place = byService === undefined ? places[0] : "controller";
      const driver = driverOf({ route: { kind: "ingress", controller, place } });
      const backendTls = verifies.includes("CA") ? { backendTls: { ca } } : {};
      const rewrite = by.strip === undefined ? "none" : "strip";
      const limits = {
        timeoutSeconds: 300,
        ...(by.bodyMiB !== undefined && { bodyMiB: 20 }),
        ...(by.websockets === "annotations" && { websockets: true }),
      };
      const signIn = controllers[controller].signsIn ? { signIn: "https://apps.example.org/oauth2/start" } : {};
      const login = { kind: "oauth2-proxy", url: "http://proxy.login.svc:4180", ...signIn, allow: ["staff"] };
      const whole = {
        ...route,
        controller,
        place,
        rewrite,
        ...backendTls,
        limits,
        ...(by.login !== undefined && { login }),
      };
      const { settings } = configuration({ members: [], route: whole });
      const objects = treatments(settings, driver);
      assert.equal(objects.some(driver.strips), by.strip !== undefined, controller);
      const spoken = objects.flatMap((object) => driver.tlsOf(object) ?? []);
      const name = verifies.includes("name") ? "bob-svc.bob.svc" : undefined;
      const isChecked = spoken.some((tls) => tls !== "unchecked" && tls.name === name);
      assert.ok(spoken.length > 0 && isChecked === verifies.length > 0, controller);
      assert.deepEqual(
        objects.flatMap((object) => driver.loginOf(object).allow ?? []).at(0),
        by.login === undefined ? undefined : "http://proxy.login.svc:4180/oauth2/auth?allowed_groups=staff",
        controller,
      );
      const { websockets: _, ...figures } = limits;
      assert.deepEqual(Object.assign({}, ...objects.map(driver.limitsOf)), figures, controller);
      for (const { kind, annotations } of objects) {
        const known: readonly string[] = kind === "Ingress" || kind === "Service" ? driver.annotations[kind] : [];
        const isOurs = (key: string) => prefixes.some((prefix) => key.startsWith(prefix));
        const unknown = Object.keys(annotations).filter((key) => isOurs(key) && !known.includes(key));
        assert.deepEqual(unknown, [], `${controller} ${kind}`);
      }
    }
    const timeout = { limits: { timeoutSeconds: 300 } };
    const [gateway] = drivers.filter(({ door }) => door.kind === "HTTPRoute");
    assert.ok(gateway);
    const login = { kind: "oauth2-proxy", url: "http://proxy.login.svc:4180", allow: ["staff"] };
    const parts = { host: "{member}.example.org", tls: { issuer: "camp" }, login };
    const https = { backendProtocol: "HTTPS", backendTls: { ca } };
    const settings = gatewaySettings({ rewrite: "strip", ...https, ...timeout, ...parts });
    const objects = treatments(settings, gateway);
    const [asked] = objects.flatMap((object) => gateway.loginOf(object).allow ?? []);
    assert.equal(asked, "http://proxy.login.svc:4180/?rd=https://apps.example.org/bob/&allowed_groups=staff");
    assert.ok(objects.some(gateway.strips));
    assert.deepEqual(Object.assign({}, ...objects.map(gateway.limitsOf)), timeout.limits);
    const verified = objects.flatMap((object) => gateway.tlsOf(object) ?? []);
    assert.deepEqual(verified, [{ name: "bob-svc.bob.svc" }]);
  });
});
