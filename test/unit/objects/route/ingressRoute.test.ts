import assert from "node:assert/strict";
import { parseConfiguration } from "../../../../config/configuration.ts";
import { backendCaSecret } from "../../../../objects/route/drivers/drivers.ts";
import { ca } from "../../certificates.ts";
import { routeObjects } from "../../routeObjects.ts";
import { atOnce, bob, configuration, labelsOf, route, routeAt, today } from "../../samples.ts";

const settingsWith = (route: object) =>
  configuration({ members: [], route: { host: "apps.example.org", ...route } }).settings;

/** Objects of bob's route, in their order. */
const made = (route: object, path = "/bob") =>
  routeObjects(bob, routeAt("apps.example.org", path), settingsWith(route));

const traefik = (part: string, kind: string, spec: object, name = "bob") => ({
  ...{ part, kind, apiVersion: "traefik.io/v1alpha1", spec },
  metadata: { name, namespace: "traefik", labels: labelsOf("bob"), annotations: atOnce },
});

const parts = (route: object, path?: string) => made(route, path).map(({ part, kind }) => `${part}: ${kind}`);

describe("route by an Ingress", () => {
  it("makes resources of Traefik's own before what refers to them", () => {
    const route = { controller: "traefik", place: "controller", rewrite: "strip", backendProtocol: "HTTPS" };
    const plain = ["service: Service", "ingress: Ingress"];
    assert.deepEqual(parts(route), ["middleware: Middleware", "transport: ServersTransport", ...plain]);
    assert.deepEqual(parts({ controller: "traefik", place: "controller" }), plain);
    assert.deepEqual(parts(route, "/").includes("middleware: Middleware"), false);
  });

  it("makes Traefik strip the member's path", () => {
    const [middleware] = made(
      { controller: "traefik", place: "controller", rewrite: "strip", namespace: "edge" },
      "/lab/a.b",
    );
    const expected = traefik("middleware", "Middleware", { stripPrefix: { prefixes: ["/lab/a.b"] } });
    assert.deepEqual(middleware, { ...expected, metadata: { ...expected.metadata, namespace: "edge" } });
  });

  it("makes Traefik verify members' certificates by the stack's CA, or not at all", () => {
    const transport = (backendTls?: object) =>
      made({
        controller: "traefik",
        place: "controller",
        backendProtocol: "HTTPS",
        ...(backendTls && { backendTls }),
      })[0];
    const expected = (spec: object) => traefik("transport", "ServersTransport", spec);
    assert.deepEqual(transport(), expected({ serverName: "bob-svc.bob.svc", insecureSkipVerify: true }));
    const verified = { serverName: "bob.internal", rootCAs: [{ secret: "kubecamp-backend-ca-dev" }] };
    assert.deepEqual(transport({ ca, serverName: "{member}.internal" }), expected(verified));
  });

  it("makes Traefik limit the body of requests and the time to answer", () => {
    const limits = { bodyMiB: 100, timeoutSeconds: 300 };
    assert.deepEqual(parts({ controller: "traefik", place: "controller", limits: { bodyMiB: 1 } }), [
      "body-limit: Middleware",
      "service: Service",
      "ingress: Ingress",
    ]);
    const [body, transport, service] = made({ controller: "traefik", place: "controller", limits });
    const buffering = { maxRequestBodyBytes: 104_857_600 };
    assert.deepEqual(body, traefik("body-limit", "Middleware", { buffering }, "413-bob"));
    const forwardingTimeouts = { responseHeaderTimeout: "300s" };
    assert.deepEqual(transport, traefik("transport", "ServersTransport", { forwardingTimeouts }));
    assert.deepEqual(service?.metadata.annotations, {
      ...atOnce,
      "pulumi.com/skipAwait": "true",
      "traefik.ingress.kubernetes.io/service.serverstransport": "traefik-bob@kubernetescrd",
    });
  });
});

describe("CA of members' Services", () => {
  const https = { backendProtocol: "HTTPS", backendTls: { ca } };

  it("puts the CA of members' Services into a Secret beside the controller, under its key", () => {
    assert.deepEqual(backendCaSecret(settingsWith({ namespace: "edge", ...https })), {
      metadata: {
        name: "kubecamp-backend-ca-dev",
        namespace: "edge",
        labels: {
          "app.kubernetes.io/managed-by": "kubecamp",
          "app.kubernetes.io/part-of": "kubecamp",
          "kubecamp.dev/stack": "dev",
        },
        annotations: atOnce,
      },
      type: "Opaque",
      data: { "ca.crt": Buffer.from(ca).toString("base64") },
    });
    const keys = (controller: string, more: object = {}) =>
      Object.keys(backendCaSecret(settingsWith({ controller, ...https, ...more }))?.data ?? {});
    assert.deepEqual(keys("traefik", { place: "controller" }), ["ca.crt"]);
    assert.deepEqual(keys("haproxy"), ["tls.crt"]);
    assert.deepEqual(keys("ingress-nginx", { also: { controller: "haproxy" } }), ["ca.crt", "tls.crt"]);
  });

  it("has HAProxy look for the CA where it is, also as the second server", () => {
    const gateway = { kind: "gateway", gateway: { name: "public", namespace: "edge" } };
    for (const [first, namespace] of [
      [{ controller: "ingress-nginx" }, "ingress-nginx"],
      [{ controller: "traefik", place: "controller" }, "traefik"],
      [gateway, "haproxy-controller"],
    ] as const) {
      const route = { ...first, ...https, also: { controller: "haproxy" } };
      assert.equal(backendCaSecret(settingsWith(route))?.metadata.namespace, namespace);
      const door = made(route).find(({ part }) => part === "haproxy");
      assert.equal(
        door?.metadata.annotations?.["haproxy.org/server-ca"],
        `${namespace}/kubecamp-backend-ca-dev`,
        JSON.stringify(first),
      );
    }
  });

  it("makes no CA of members' Services where no Ingress needs one", () => {
    const gateway = { kind: "gateway", gateway: { name: "public", namespace: "edge" } };
    for (const route of [{}, { backendProtocol: "HTTPS" }, { ...gateway, ...https }]) {
      assert.equal(backendCaSecret(settingsWith(route)), undefined);
    }
  });

  it("names the CA of members' Services as a Secret can be, whatever the stack, and no other's", () => {
    const stacks = ["dev", "eu-1", "Dev", "eu-1.Prod_2", "a.b", "a_b", "dev.eu", "s".repeat(63), "S".repeat(63)];
    const names = stacks.map((stack) => {
      const parsed = parseConfiguration(stack, { members: [], route: { ...route, ...https } }, today);
      return "configuration" in parsed ? backendCaSecret(parsed.configuration.settings)?.metadata.name : undefined;
    });
    assert.equal(new Set(names).size, stacks.length);
    for (const name of names) {
      assert.match(name ?? "none", /^kubecamp-backend-ca[-.][-a-z0-9]*[a-z0-9]$/);
    }
  });
});
