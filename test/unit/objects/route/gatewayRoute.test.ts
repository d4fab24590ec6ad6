import assert from "node:assert/strict";
import { ca as certificate } from "../../certificates.ts";
import { routeObjects } from "../../routeObjects.ts";
import { atOnce, bob, gatewaySettings, labelsOf, member, routeAt } from "../../samples.ts";

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

  describe("with a certificate for each host", () => {
    const own = routeAt("bob.camp.example.org", "/");
    const at = (tls: object, gateway = { name: "public", namespace: "edge" }) =>
      gatewaySettings({ host: "{member}.camp.example.org", gateway, tls });
    const listenerSet = {
      part: "listeners",
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "ListenerSet",
      metadata: {
        ...home("bob"),
        namespace: "edge",
        annotations: { ...atOnce, "cert-manager.io/cluster-issuer": "camp" },
      },
      spec: {
        parentRef: { group: "gateway.networking.k8s.io", kind: "Gateway", name: "public" },
        listeners: [
          {
            name: "https",
            hostname: "bob.camp.example.org",
            port: 443,
            protocol: "HTTPS",
            tls: {
              mode: "Terminate",
              certificateRefs: [{ group: "", kind: "Secret", name: "bob.camp.example.org-tls" }],
            },
            allowedRoutes: {
              namespaces: {
                from: "Selector",
                selector: { matchLabels: { "kubernetes.io/metadata.name": "bob" } },
              },
            },
          },
        ],
      },
    };

    it("attaches an HTTPRoute to a listener of its own, beside the Gateway, made before", () => {
      const [set, http, ...others] = routeObjects(bob, own, at({ clusterIssuer: "camp" }));
      assert.deepEqual(others, []);
      assert.deepEqual(set, listenerSet);
      const { parentRefs } = (http as typeof declared).spec;
      const parent = { group: "gateway.networking.k8s.io", kind: "ListenerSet", name: "bob", namespace: "edge" };
      assert.deepEqual(parentRefs, [parent]);
    });

    it("takes the certificate of a Secret beside the Gateway, or of an Issuer there", () => {
      const [set] = routeObjects(bob, own, at({ secretName: "wildcard" })) as unknown as (typeof listenerSet)[];
      assert.deepEqual(set?.metadata.annotations, atOnce);
      assert.equal(set?.spec.listeners[0]?.tls.certificateRefs[0]?.name, "wildcard");
      const [issued] = routeObjects(bob, own, at({ issuer: "lab" })) as unknown as (typeof listenerSet)[];
      assert.deepEqual(issued?.metadata.annotations, { ...atOnce, "cert-manager.io/issuer": "lab" });
    });
  });

  describe("with a login", () => {
    const ned = member({ member: "bob", type: "user", subject: "bob+x@example.org" });
    const asking = (more: object = {}) =>
      gatewaySettings({ login: { kind: "oauth2-proxy", url: "http://proxy.login.svc.cluster.local:4180", ...more } });
    const headers = [
      "X-Auth-Request-User",
      "X-Auth-Request-Email",
      "X-Auth-Request-Groups",
      "X-Auth-Request-Preferred-Username",
    ];
    const policy = {
      part: "http-login",
      apiVersion: "gateway.envoyproxy.io/v1alpha1",
      kind: "SecurityPolicy",
      metadata: home("bob"),
      spec: {
        targetRefs: [{ group: "gateway.networking.k8s.io", kind: "HTTPRoute", name: "bob" }],
        extAuth: {
          failOpen: false,
          statusOnError: 503,
          headersToExtAuth: ["Accept", "Cookie"],
          http: {
            backendRefs: [{ group: "", kind: "Service", name: "proxy", namespace: "login", port: 4180, weight: 1 }],
            pathOverride: "/?rd=https://camp.example.org/bob/",
            headersToBackend: headers,
          },
        },
      },
    };

    it("has Envoy Gateway ask the proxy, before there is an HTTPRoute to ask for", () => {
      const [login, http, ...others] = routeObjects(ned, route, asking());
      assert.deepEqual(others, []);
      assert.deepEqual(login, policy);
      assert.equal(http?.kind, "HTTPRoute");
    });

    it("leads requests nowhere that bring a login's headers along", () => {
      const [, refusing, ...more] = spec(ned, route, asking()).spec.rules as object[];
      assert.deepEqual(more, []);
      const path = { type: "PathPrefix", value: "/bob" };
      assert.deepEqual(refusing, {
        matches: headers.map((name) => ({ path, headers: [{ type: "RegularExpression", name, value: ".*" }] })),
      });
    });

    it("lets in whom the settings do, and brings them back to their member", () => {
      for (const [at, more, asked] of [
        [route, { allow: ["my staff", "/lab/a:b"] }, "/bob/&allowed_groups=my%20staff&allowed_groups=/lab/a:b"],
        [route, { allow: "member" }, "/bob/&allowed_emails=bob%2Bx%40example.org"],
        [routeAt("camp.example.org", "/"), {}, "/"],
      ] as const) {
        const [login] = routeObjects(ned, at, asking(more)) as unknown as (typeof policy)[];
        assert.equal(login?.spec.extAuth.http.pathOverride, `/?rd=https://camp.example.org${asked}`);
      }
      const [login] = routeObjects(ned, route, asking({ url: "http://p.l.svc" })) as unknown as (typeof policy)[];
      const [service] = login?.spec.extAuth.http.backendRefs ?? [];
      assert.deepEqual(service, { group: "", kind: "Service", name: "p", namespace: "l", port: 80, weight: 1 });
    });
  });
});
