import assert from "node:assert/strict";
import { unread } from "../../../../config/values/maps.ts";
import { ca } from "../../certificates.ts";
import { mistakes, mistakesOfMembers } from "../../samples.ts";

const host = "camp.example.org";

/** The lines that a stack with such a route is refused with. */
const reported = (route: object) => mistakes({ route: { host, ...route }, members: [] });

/** Asks for what some controllers can't do. */
const much = {
  rewrite: "strip",
  limits: { bodyMiB: 10 },
  login: { kind: "oauth2-proxy", url: "http://proxy.login.svc:4180" },
};

const gateway = { kind: "gateway", namespace: "edge", gateway: { name: "public" } };

describe("a stack's route", () => {
  for (const [what, route, ...lines] of [
    [
      "no controller, once, with all choices",
      { controller: undefined, ...much },
      "route.controller: is missing: set what your cluster has: kind: gateway (for a cluster with a Gateway: a login " +
        "by Envoy Gateway alone, no limit on bodies), or controller: traefik (for all that routes can have, also a login), haproxy (for " +
        "routes with no login and no limit on bodies), contour (for routes with no login, no limit on bodies and no " +
        "rewrite), ingress-nginx (for clusters that have it already: no security fixes since March 2026)",
    ],
    [
      "no kind that there is",
      { kind: "httproute", ...much },
      'route.kind: "httproute" must be one of ingress, gateway',
    ],
    [
      "a Gateway that is not named",
      { kind: "gateway" },
      "route.gateway: is missing: kind: gateway needs the Gateway that routes are attached to; set it, or leave kind out",
      "route.namespace: is missing: kind: gateway needs the namespace of the Gateway's pods; set it, or leave kind out",
    ],
    [
      "an ingress controller's settings beside a Gateway",
      { ...gateway, controller: "traefik", className: "edge" },
      'route.controller: "traefik" is for kind: ingress; leave it out: a Gateway has its own',
      'route.className: "edge" is for kind: ingress; leave it out: a Gateway has its own',
    ],
    [
      "one of the Gateway's listeners, and one for each host",
      {
        ...{ ...gateway, host: "{member}.example.org", tls: { issuer: "camp" } },
        gateway: { name: "public", sectionName: "https" },
      },
      'route.gateway.sectionName: "https" is one of the Gateway\'s own listeners, and tls gives each host one of its own; leave one of the two out',
    ],
    [
      "a certificate from nowhere",
      { tls: {} },
      "route.tls: {} names no certificate; set one of secretName, clusterIssuer and issuer",
    ],
    [
      "a server name that nothing verifies",
      { backendProtocol: "HTTPS", backendTls: { serverName: "{member}.internal" } },
      'route.backendTls.serverName: "{member}.internal" is verified only with a CA; set backendTls.ca, or leave serverName out',
    ],
    [
      "what Contour does for no Ingress",
      {
        controller: "contour",
        place: "controller",
        rewrite: "strip",
        backendProtocol: "HTTPS",
        backendTls: { ca, serverName: "x.y" },
      },
      'route.rewrite: "strip" is not supported by contour for an Ingress; leave it out, or choose kind: gateway',
      'route.backendTls.ca: "-----BEGIN CERTIFICATE-----..." is not verified by contour for an Ingress; leave it out, or choose kind: gateway',
      'route.backendTls.serverName: "x.y" is not verified by contour for an Ingress; leave it out, or choose kind: gateway',
    ],
    [
      "limits that HAProxy has no annotation for, and WebSockets to keep out",
      { controller: "haproxy", limits: { bodyMiB: 10, timeoutSeconds: 300, websockets: false } },
      "route.limits.bodyMiB: 10 can't be set for one Ingress with haproxy; leave it out, and set it in the controller's configuration",
      "route.limits.websockets: false can't be off with haproxy, which passes WebSockets on for every Ingress; leave it out",
    ],
    [
      "limits that an HTTPRoute has no field for",
      { ...gateway, limits: { bodyMiB: 10, timeoutSeconds: 300, websockets: true } },
      "route.limits.bodyMiB: 10 can't be set in an HTTPRoute; leave it out, and limit requests at the Gateway",
      "route.limits.websockets: true can't be set in an HTTPRoute; leave it out: the Gateway decides, by the Service's appProtocol",
    ],
    [
      "HAProxy beside its controller",
      { controller: "haproxy", place: "controller" },
      "route.place: \"controller\" is not for haproxy: it asks for an ExternalName's address only when it reloads, so that a path is dead, or another member's, once its Service has been made anew; leave it out",
    ],
    [
      "ingress-nginx in members' namespaces",
      { controller: "ingress-nginx", place: "member" },
      'route.place: "member" is not for ingress-nginx: its webhook lets no two Ingresses have a path, so that none could move there without a gap, and it gets no fixes; leave it out, or choose another controller',
    ],
    [
      "what Traefik reads of the Service, and what is beside it, in members' namespaces",
      {
        ...{ controller: "traefik", backendProtocol: "HTTPS" },
        limits: { timeoutSeconds: 9 },
        tls: { secretName: "a" },
      },
      'route.backendProtocol: "HTTPS" takes an annotation of the Service, which is the member\'s own with place: member; set place: controller, or leave it out',
      "route.limits.timeoutSeconds: 9 takes an annotation of the Service, which is the member's own with place: member; set place: controller, or leave it out",
      "route.tls.secretName: \"a\" is beside the controller, and an Ingress with place: member can't name it; make it traefik's default certificate, and leave tls out",
    ],
    [
      "a certificate of a shared host in each member's namespace",
      { controller: "haproxy", tls: { clusterIssuer: "a" } },
      "route.tls.clusterIssuer: \"a\" would make a certificate for camp.example.org in each member's namespace; have {member} in route.host, or make it haproxy's default certificate, and leave tls out",
    ],
    [
      "an Issuer of another namespace",
      { host: "{member}.example.org", controller: "haproxy", tls: { issuer: "a" } },
      'route.tls.issuer: "a" issues in its own namespace alone, and place is member; set clusterIssuer',
    ],
    [
      "a second server that is the first",
      { controller: "traefik", also: { controller: "traefik" } },
      'route.also.controller: "traefik" is what route has already; name another, or leave also out',
    ],
    [
      "a second Gateway",
      { ...gateway, also: { kind: "gateway", namespace: "edge", gateway: { name: "other" } } },
      'route.also.kind: "gateway" is what route has already; name another, or leave also out',
    ],
    [
      "a second server without a name, or with what it can't do",
      {
        controller: "ingress-nginx",
        rewrite: "strip",
        also: { controller: "contour", gateway: {} },
      },
      'route.rewrite: "strip" is not supported by contour for an Ingress; leave it out, or choose kind: gateway',
      "route.also.gateway: {} is for kind: gateway; leave it out, or set kind: gateway",
      "route.also.gateway.name: is missing: must be a text",
    ],
    [
      "two controllers of one class, of which one would serve the other's Ingresses, without a login",
      { controller: "ingress-nginx", also: { controller: "traefik", className: "nginx" } },
      'route.also.className: "nginx" is that of route, whose controller would serve both; name the class of traefik',
    ],
    [
      "the second controller's usual class for the first one",
      { controller: "ingress-nginx", className: "haproxy", also: { controller: "haproxy" } },
      'route.className: "haproxy" is that of route.also, whose controller would serve both; name the class of ingress-nginx',
    ],
    [
      "two servers with Ingresses beside them",
      { controller: "ingress-nginx", also: { controller: "contour", place: "controller" } },
      'route.also.controller: "contour" has its Ingresses beside it, as route has: only one can; set place: member for one of them',
    ],
    [
      "one path for everybody on one host",
      { path: "/" },
      `route.path: "/" would be everybody's path on camp.example.org; let it end in /{member}, or have {member} in host`,
    ],
    [
      "a misspelt controller, once, whatever it can do",
      { controller: "treafik", rewrite: "strip" },
      "route.controller: \"treafik\" must be one of traefik, haproxy, contour, ingress-nginx; did you mean 'traefik'?",
    ],
    [
      "a CA with its key",
      { backendProtocol: "HTTPS", backendTls: { ca: `${ca}-----BEGIN PRIVATE KEY-----` } },
      'route.backendTls.ca: "-----BEGIN CERTIFICATE-----..." must be the certificate of a CA, as PEM text, and nothing else',
    ],
    [
      "an Ingress's settings beside a Gateway, wrong ones among them",
      { ...gateway, controller: "nginx", className: 5, tls: { secretName: "A" } },
      "route.controller: \"nginx\" must be one of traefik, haproxy, contour, ingress-nginx; did you mean 'ingress-nginx'?",
      'route.controller: "nginx" is for kind: ingress; leave it out: a Gateway has its own',
      "route.className: 5 must be a text",
      "route.className: 5 is for kind: ingress; leave it out: a Gateway has its own",
      'route.tls.secretName: "A" must be a name in lower case',
    ],
  ] as const) {
    it(`refuses a route with ${what}`, () => {
      assert.deepEqual(reported(route), lines);
    });
  }

  it("takes a route with all that its kind and controller can do", () => {
    const https = { backendProtocol: "HTTPS", backendTls: { ca, serverName: "{member}.internal" } };
    for (const route of [
      { controller: "ingress-nginx", rewrite: "strip", tls: { secretName: "a" }, ...https },
      { controller: "traefik", place: "controller", rewrite: "strip", tls: { issuer: "a" }, ...https },
      { host: "{member}.example.org", controller: "traefik", rewrite: "strip", tls: { clusterIssuer: "a" } },
      { controller: "contour", tls: { secretName: "a" } },
      { controller: "haproxy", rewrite: "strip", backendProtocol: "HTTPS", backendTls: { ca: ca + ca } },
      { controller: "contour", place: "controller", backendProtocol: "HTTPS" },
      { ...gateway, rewrite: "strip", ...https },
      { ...gateway, backendProtocol: "HTTPS", backendTls: { serverName: "{member}.internal" } },
      { controller: "ingress-nginx", limits: { bodyMiB: 10, timeoutSeconds: 300, websockets: true } },
      { controller: "haproxy", limits: { timeoutSeconds: 300, websockets: true } },
      { ...gateway, limits: { timeoutSeconds: 300 } },
      ...[{ secretName: "a" }, { issuer: "a" }, { clusterIssuer: "a" }].map((tls) => {
        return { ...gateway, host: "{member}.example.org", tls };
      }),
      { host: "{member}.example.org", path: "/" },
    ]) {
      assert.deepEqual(reported(route), [], JSON.stringify(route));
    }
  });

  it("judges no route by what nobody can read", () => {
    for (const route of [
      { kind: unread, ...much },
      { controller: unread, ...much },
      { kind: unread, gateway: { name: "public" }, controller: "contour", rewrite: "strip" },
      { kind: "gateway", gateway: unread, namespace: unread },
      { kind: "gateway", gateway: { name: "public", namespace: unread } },
      { tls: unread, controller: unread, rewrite: "strip" },
      { controller: unread, limits: { bodyMiB: 10, websockets: false } },
      { backendProtocol: unread, backendTls: { ca } },
      { backendProtocol: "HTTPS", backendTls: { ca: unread, serverName: "x.y" } },
    ]) {
      assert.deepEqual(reported(route), [], JSON.stringify(route));
    }
  });
});

describe("hosts of members", () => {
  const long = "a".repeat(59);
  const user = (member: string, route?: object) => ({ member, type: "user", ...(route && { route }) });

  it("refuses hosts that a member's name makes longer than DNS takes, of that member", () => {
    const members = [user("bob"), user(long), user(`${long.slice(1)}b`, { host: "b.example.org" })];
    assert.deepEqual(mistakes({ route: { host: "apps-{member}.example.org" }, members }), [
      `members[1].member: "${"a".repeat(56)}... makes "apps-${"a".repeat(51)}... of route.host, but one part has 64 characters, and DNS allows 63; choose a shorter name, or give the member a route.host of their own`,
    ]);
    const rest = `${"b.".repeat(100)}example.org`;
    assert.deepEqual(mistakes({ route: { host: `{member}.${rest}` }, members: [user("bob"), user(long)] }), [
      `members[1].member: "${"a".repeat(56)}... makes "${"a".repeat(56)}... of route.host, which has 271 characters, and may have 253; choose a shorter name, or give the member a route.host of their own`,
    ]);
  });

  it("refuses hosts where the certificate of a member's could have no name", () => {
    const [fits, not] = [249, 250].map((length) => `${"a.".repeat(120)}${"b".repeat(length - 240)}`);
    const issued = { tls: { clusterIssuer: "letsencrypt" } };
    const rule = "must have at most 249 characters, so that '-tls' fits behind it in the name of its certificate";
    const shown = `"${"a.".repeat(28)}...`;
    assert.deepEqual(mistakes({ route: { host: not, tls: { secretName: "a" } }, members: [] }), []);
    const bobs = [user("bob", { host: fits, path: "/" })];
    assert.deepEqual(mistakes({ route: { host: fits, ...issued }, members: bobs }), [
      `members[0].route.path: ${shown} would be everybody's path; choose one such as /bob, or give the member a host of their own as well (member 'bob')`,
    ]);
    assert.deepEqual(mistakes({ route: { host: not, ...issued }, members: [user("bob", { host: not })] }), [
      `route.host: ${shown} ${rule}`,
      `members[0].route.host: ${shown} ${rule} (member 'bob')`,
    ]);
  });

  it("refuses hosts where a certificate could not be for a member's name", () => {
    const route = { host, backendProtocol: "HTTPS", backendTls: { ca, serverName: "x-{member}-svc.internal" } };
    assert.deepEqual(mistakes({ route, members: [user("bob"), user(long)] }), [
      `members[1].member: "${"a".repeat(56)}... makes "x-${"a".repeat(54)}... of route.backendTls.serverName, but one part has 65 characters, and DNS allows 63; choose a shorter name, or a shorter serverName`,
    ]);
  });

  it("takes a member's host all for themselves, but not everybody's", () => {
    const bob = user("bob", { host: "bob.example.org", path: "/" });
    assert.deepEqual(mistakesOfMembers(bob, user("dora")), []);
    const [dora, erin] = [user("dora", { host: "bob.example.org" }), user("erin", { host, path: "/" })];
    assert.deepEqual(mistakesOfMembers(bob, dora, erin), [
      "members[1].route.host: \"bob.example.org/dora\" lies within the path of members[0] (bob); paths must be apart (member 'dora')",
      "members[2].route.path: \"camp.example.org/\" would be everybody's path; choose one such as /bob, or give the member a host of their own as well (member 'erin')",
    ]);
  });
});
