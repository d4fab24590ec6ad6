import assert from "node:assert/strict";
import { waysOf } from "../../../../objects/route/drivers/drivers.ts";
import { ingress } from "../../../../objects/route/ingress.ts";
import { ca } from "../../certificates.ts";
import { atOnce, bob, configuration, labelsOf } from "../../samples.ts";

/** Bob's Ingress, by default at `apps.example.org/bob`, in a stack with such a route. */
function made(route: object, { host = "apps.example.org", path = "/bob" } = {}) {
  const { settings } = configuration({ members: [], route: { host: "apps.example.org", ...route } });
  return ingress(bob.name, { member: bob, route: { host, path }, settings }, waysOf(settings.route.controller));
}

/** Annotations for a controller, besides those of every Ingress. */
function reported(route: object, path = "/bob"): Record<string, string> {
  const [always, annotations] = [made({}), made(route, { path })].map(({ metadata }) => metadata.annotations);
  const known = ["kubecamp.dev/url", ...Object.keys(always ?? {})];
  return Object.fromEntries(Object.entries(annotations ?? {}).filter(([key]) => !known.includes(key)));
}

/** Its paths, each with its type. */
const paths = (route: object, path = "/bob") =>
  made(route, { path }).spec.rules.flatMap(({ http }) => http.paths.map((each) => `${each.pathType} ${each.path}`));

/** Middlewares of Traefik's that an Ingress refers to. */
const by = (middlewares: string) => ({ "traefik.ingress.kubernetes.io/router.middlewares": middlewares });

describe("Ingress", () => {
  it("makes an Ingress for the member's path, with the labels of the Members operator", () => {
    const operators = { "app.kubernetes.io/name": "member-route", "app.kubernetes.io/created-by": "kubecamp" };
    const url = { "kubecamp.dev/url": "https://apps.example.org/bob/" };
    const backend = { service: { name: "bob-svc", port: { number: 80 } } };
    const http = { paths: [{ path: "/bob", pathType: "Prefix", backend }] };
    assert.deepEqual(made({ namespace: "edge", className: "public" }), {
      metadata: {
        name: "bob",
        namespace: "edge",
        labels: { ...labelsOf("bob"), ...operators, group: "edge" },
        annotations: { ...url, "pulumi.com/skipAwait": "true", ...atOnce },
      },
      spec: { ingressClassName: "public", rules: [{ host: "apps.example.org", http }] },
    });
  });

  it("makes an Ingress in the member's namespace, with a certificate of its host's own there", () => {
    const host = "bob.apps.example.org";
    const route = { host: "{member}.apps.example.org", controller: "traefik", tls: { clusterIssuer: "acme" } };
    const { metadata, spec } = made(route, { host, path: "/" });
    assert.deepEqual([metadata.namespace, metadata.annotations["cert-manager.io/cluster-issuer"]], ["bob", "acme"]);
    assert.deepEqual(spec.tls, [{ hosts: [host], secretName: "kubecamp-route-tls" }]);
    // Contour's can be beside the controller.
    const { metadata: own, spec: with_ } = made({ controller: "contour", tls: { secretName: "wild" } });
    assert.equal(own.annotations["projectcontour.io/tls-cert-namespace"], "projectcontour");
    assert.deepEqual(with_.tls, [{ hosts: ["apps.example.org"], secretName: "wild" }]);
  });

  it("leads an Ingress to port 443 where members speak HTTPS, in each controller's own words", () => {
    const { rules } = made({ backendProtocol: "HTTPS" }).spec;
    assert.deepEqual(rules[0]?.http.paths[0]?.backend, { service: { name: "bob-svc", port: { number: 443 } } });
    const https = (controller: string, place?: string) => reported({ controller, place, backendProtocol: "HTTPS" });
    assert.deepEqual(https("ingress-nginx"), { "nginx.ingress.kubernetes.io/backend-protocol": "HTTPS" });
    assert.deepEqual(https("haproxy"), { "haproxy.org/server-ssl": "true" });
    // They have it said of the Service.
    assert.deepEqual(https("traefik", "controller"), {});
    assert.deepEqual(https("contour", "controller"), {});
  });

  it("makes an Ingress verify members' certificates, as far as the controller can", () => {
    const verified = (controller: string, serverName?: string) =>
      reported({
        controller,
        place: controller === "haproxy" ? "member" : "controller",
        backendProtocol: "HTTPS",
        backendTls: { ca, ...(serverName && { serverName }) },
      });
    assert.deepEqual(verified("ingress-nginx", "{member}.internal"), {
      "nginx.ingress.kubernetes.io/backend-protocol": "HTTPS",
      "nginx.ingress.kubernetes.io/proxy-ssl-secret": "ingress-nginx/kubecamp-backend-ca-dev",
      "nginx.ingress.kubernetes.io/proxy-ssl-verify": "on",
      "nginx.ingress.kubernetes.io/proxy-ssl-name": "bob.internal",
      "nginx.ingress.kubernetes.io/proxy-ssl-server-name": "on",
    });
    assert.equal(verified("ingress-nginx")["nginx.ingress.kubernetes.io/proxy-ssl-name"], "bob-svc.bob.svc");
    assert.deepEqual(verified("haproxy"), {
      "haproxy.org/server-ssl": "true",
      "haproxy.org/server-ca": "haproxy-controller/kubecamp-backend-ca-dev",
    });
    assert.deepEqual(verified("traefik"), {});
  });

  it("makes an Ingress strip the member's path, in the controller's own words", () => {
    const strip = (controller: string, path?: string) => reported({ controller, rewrite: "strip" }, path);
    assert.deepEqual(strip("ingress-nginx"), {
      "nginx.ingress.kubernetes.io/use-regex": "true",
      "nginx.ingress.kubernetes.io/rewrite-target": "/$2",
    });
    assert.deepEqual(strip("traefik"), by("bob-bob@kubernetescrd"));
    assert.deepEqual(strip("haproxy", "/lab/a.b"), { "haproxy.org/path-rewrite": "^/lab/a[.]b(/|$)(.*) /\\2" });
  });

  it("gives an Ingress the limits of requests, in the controller's own words", () => {
    const limited = (controller: string, limits: object) => reported({ controller, limits });
    const both = { bodyMiB: 100, timeoutSeconds: 300 };
    assert.deepEqual(limited("ingress-nginx", { ...both, websockets: true }), {
      "nginx.ingress.kubernetes.io/proxy-body-size": "100m",
      "nginx.ingress.kubernetes.io/proxy-read-timeout": "300",
      "nginx.ingress.kubernetes.io/proxy-send-timeout": "300",
    });
    assert.deepEqual(limited("traefik", { bodyMiB: 100 }), by("bob-413-bob@kubernetescrd"));
    assert.deepEqual(limited("haproxy", { timeoutSeconds: 300 }), { "haproxy.org/timeout-server": "300s" });
    assert.deepEqual(limited("contour", { timeoutSeconds: 300, websockets: true }), {
      "projectcontour.io/response-timeout": "300s",
      "projectcontour.io/websocket-routes": "/bob",
    });
    assert.deepEqual(limited("contour", { websockets: false }), {});
    // Too large a request is refused before anything else happens to it.
    const all = reported({ controller: "traefik", place: "controller", rewrite: "strip", limits: both });
    assert.deepEqual(all, by("traefik-413-bob@kubernetescrd,traefik-bob@kubernetescrd"));
  });

  it("strips nothing in an Ingress on a host of one's own, where the path is all of it", () => {
    for (const controller of ["ingress-nginx", "traefik", "haproxy"]) {
      assert.deepEqual(reported({ controller, rewrite: "strip" }, "/"), {}, controller);
      assert.deepEqual(paths({ controller, rewrite: "strip" }, "/"), ["Prefix /"], controller);
    }
  });

  it("gives an Ingress paths that the controller takes segment by segment", () => {
    assert.deepEqual(paths({}), ["Prefix /bob"]);
    assert.deepEqual(paths({ rewrite: "strip" }, "/lab/a.b"), ["ImplementationSpecific /lab/a[.]b(/|$)(.*)"]);
    assert.deepEqual(paths({ controller: "haproxy", rewrite: "strip" }), ["Prefix /bob"]);
    assert.deepEqual(paths({ controller: "contour" }), ["Prefix /bob"]);
    // Its Prefix is one letter by letter, unless Traefik is told otherwise.
    assert.deepEqual(paths({ controller: "traefik", place: "controller" }), ["Exact /bob", "Prefix /bob/"]);
    assert.deepEqual(paths({ controller: "traefik", place: "controller", rewrite: "strip" }), [
      "Exact /bob",
      "Prefix /bob/",
    ]);
  });

  it("gives an Ingress the certificate of all hosts, or one for each that cert-manager makes", () => {
    const tls = (route: object, host?: string) => {
      const { metadata, spec } = made(route, host === undefined ? {} : { host });
      assert.equal(metadata.name, "bob");
      return ["tls" in spec ? spec.tls : undefined, reported(route)];
    };
    const [bobs, apps] = ["bob.example.org", "apps.example.org"];
    assert.deepEqual(tls({}), [undefined, {}]);
    const wildcard = [{ hosts: [bobs], secretName: "wildcard" }];
    assert.deepEqual(tls({ tls: { secretName: "wildcard" } }, bobs), [wildcard, {}]);
    const shared = [{ hosts: [apps], secretName: "apps.example.org-tls" }];
    const ofCluster = { "cert-manager.io/cluster-issuer": "letsencrypt" };
    assert.deepEqual(tls({ tls: { clusterIssuer: "letsencrypt" } }), [shared, ofCluster]);
    const own = [{ hosts: [bobs], secretName: "bob.example.org-tls" }];
    assert.deepEqual(tls({ tls: { issuer: "camp" } }, bobs), [own, { "cert-manager.io/issuer": "camp" }]);
  });
});
