import assert from "node:assert/strict";
import { ca as certificate } from "../../certificates.ts";
import { routeObjects } from "../../routeObjects.ts";
import { atOnce, bob, gatewaySettings, labelsOf, routeAt } from "../../samples.ts";

const route = routeAt("camp.example.org", "/bob");
const home = (name: string) => ({ name, namespace: "bob", labels: labelsOf("bob"), annotations: atOnce });
const declared = {
  part: "http",
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "HTTPRoute",
  metadata: {
    ...home("bob"),
    labels: {
      ...labelsOf("bob"),
      "app.kubernetes.io/name": "member-route",
      "app.kubernetes.io/created-by": "kubecamp",
    },
    annotations: { "kubecamp.dev/url": "https://camp.example.org/bob/", ...atOnce },
  },
  spec: {
    parentRefs: [{ group: "gateway.networking.k8s.io", kind: "Gateway", name: "public", namespace: "gateways" }],
    hostnames: ["camp.example.org"],
    rules: [
      {
        matches: [{ path: { type: "PathPrefix", value: "/bob" } }],
        backendRefs: [{ group: "", kind: "Service", name: "bob-svc", port: 80, weight: 1 }],
      },
    ],
  },
};
/** The parts of the spec that a test is about. */
const spec = (...args: Parameters<typeof routeObjects>) =>
  routeObjects(...args).find(({ kind }) => kind === "HTTPRoute") as unknown as typeof declared & {
    spec: { rules: { filters?: unknown }[] };
  };

describe("a route at a Gateway", () => {
  it("makes an HTTPRoute at home that leads to the Service beside it", () => {
    assert.deepEqual(routeObjects(bob, route, gatewaySettings()), [declared]);
  });

  it("asks an HTTPRoute's Gateway for the one listener that the stack names", () => {
    const gateway = { name: "shared", namespace: "edge", sectionName: "https" };
    const { parentRefs } = spec(bob, route, gatewaySettings({ gateway })).spec;
    assert.deepEqual(parentRefs, [{ group: "gateway.networking.k8s.io", kind: "Gateway", ...gateway }]);
  });

  it("takes the prefix off in an HTTPRoute where the stack says so, and there is one", () => {
    const stripping = gatewaySettings({ rewrite: "strip" });
    assert.deepEqual(spec(bob, route, stripping).spec.rules[0]?.filters, [
      { type: "URLRewrite", urlRewrite: { path: { type: "ReplacePrefixMatch", replacePrefixMatch: "/" } } },
    ]);
    const own = spec(bob, routeAt("bob.example.org", "/"), stripping);
    assert.equal(own.spec.rules[0]?.filters, undefined);
    assert.equal(own.metadata.annotations["kubecamp.dev/url"], "https://bob.example.org/");
  });

  it("demands TLS of a Gateway's backend, with a CA that the system knows, before any route", () => {
    const [policy, http, ...others] = routeObjects(bob, route, gatewaySettings({ backendProtocol: "HTTPS" }));
    assert.deepEqual(others, []);
    assert.deepEqual(policy, {
      part: "backend-tls",
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "BackendTLSPolicy",
      metadata: home("bob"),
      spec: {
        targetRefs: [{ group: "", kind: "Service", name: "bob-svc" }],
        validation: { hostname: "bob-svc.bob.svc", wellKnownCACertificates: "System" },
      },
    });
    assert.deepEqual((http as typeof declared).spec.rules[0]?.backendRefs, [
      { group: "", kind: "Service", name: "bob-svc", port: 443, weight: 1 },
    ]);
  });

  it("demands the stack's own CA of a Gateway's backend, in a ConfigMap at home made before", () => {
    const backendTls = { ca: certificate, serverName: "{member}.camp.internal" };
    const [ca, policy, ...others] = routeObjects(bob, route, gatewaySettings({ backendProtocol: "HTTPS", backendTls }));
    const kinds = others.map(({ kind }) => kind);
    assert.deepEqual(kinds, ["HTTPRoute"]);
    assert.deepEqual(ca, {
      part: "backend-ca",
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: home("kubecamp-backend-ca"),
      data: { "ca.crt": certificate },
    });
    assert.deepEqual((policy as unknown as { spec: { validation: unknown } }).spec.validation, {
      hostname: "bob.camp.internal",
      caCertificateRefs: [{ group: "", kind: "ConfigMap", name: "kubecamp-backend-ca" }],
    });
  });
});
