import assert from "node:assert/strict";
import { sharedCertificate } from "../../../../config/route/hosts.ts";
import { configuration, mistakes } from "../../samples.ts";

const [bob, carol] = ["bob", "carol"].map((member) => ({ member, type: "user" }));
const host = "camp.example.org";
const own = { ...bob, route: { host: "bob.example.org" } };

describe("a certificate by cert-manager", () => {
  const reported = (route: object, ...members: unknown[]) => sharedCertificate(configuration({ route, members }));

  for (const key of ["clusterIssuer", "issuer"]) {
    it(`warns of a certificate where members share a host, with ${key}`, () => {
      assert.deepEqual(reported({ host, tls: { [key]: "x" } }, bob, carol), {
        path: `route.tls.${key}`,
        message:
          "on camp.example.org, which members share, the certificate belongs to one member, and is deleted when their route closes; " +
          "make it yourself, and set route.tls.secretName (docs/run/routes.md)",
      });
    });
  }

  it("warns of the second controller's, and of none that each has at home", () => {
    const first = { host, controller: "traefik" };
    const tls = { clusterIssuer: "x" };
    const { path, message } = reported({ ...first, also: { controller: "ingress-nginx", tls } }, bob, carol) ?? {};
    assert.equal(path, "route.also.tls.clusterIssuer");
    assert.match(message ?? "", /; make it yourself, and set route\.also\.tls\.secretName \(/);
    const shared = { host: "lab.example.org" };
    const members = [
      { ...bob, route: { ...shared, path: "/bob" } },
      { ...carol, route: { ...shared, path: "/carol" } },
    ];
    const each = { ...first, host: "{member}.example.org", tls };
    assert.equal(reported(each, ...members), undefined);
    assert.equal(reported({ ...each, place: "controller" }, ...members)?.path, "route.tls.clusterIssuer");
  });

  it("warns of no certificate on a host for each, for one member alone, or by a Secret", () => {
    const tls = { clusterIssuer: "x" };
    assert.equal(reported({ host: "{member}.example.org", tls }, bob, carol), undefined);
    assert.equal(reported({ host, tls }, own, carol), undefined);
    assert.equal(reported({ host, tls }, { ...bob, route: false }, carol), undefined);
    assert.equal(reported({ host, tls: { secretName: "x" } }, bob, carol), undefined);
    assert.equal(reported({ host }, bob, carol), undefined);
  });
});

describe("a certificate at a Gateway", () => {
  const reported = (route: object, ...members: unknown[]) =>
    mistakes({ route: { kind: "gateway", gateway: { name: "public", namespace: "edge" }, ...route }, members });
  const tls = { clusterIssuer: "camp" };
  const refusedOn = (shared: string) => [
    `route.tls: is for members with a host each, and ${shared} is shared: the Gateway's own listener has its certificate; leave tls out, or have {member} in route.host`,
  ];

  it("is refused on a host that members share, even if there is only one of them yet", () => {
    assert.deepEqual(reported({ host, tls }, bob, carol), refusedOn(host));
    assert.deepEqual(reported({ host, tls }, own, carol), refusedOn(host));
    const shared = { host: "lab.example.org" };
    const members = [
      { ...bob, route: { ...shared, path: "/bob" } },
      { ...carol, route: { ...shared, path: "/carol" } },
    ];
    assert.deepEqual(reported({ host: "{member}.example.org", tls }, ...members), refusedOn("lab.example.org"));
    const also = { kind: "gateway", gateway: { name: "public", namespace: "edge" }, tls };
    const traefik = { kind: "ingress", gateway: undefined, controller: "traefik", also };
    const [line] = refusedOn(host);
    assert.deepEqual(reported({ host, ...traefik }, bob), [line?.replace("route.tls", "route.also.tls")]);
    assert.deepEqual(reported({ host: "{member}.example.org", ...traefik }, bob), []);
  });

  it("is taken where each member has a host, and whatever the host of those without a route", () => {
    assert.deepEqual(reported({ host: "{member}.example.org", tls }, bob, carol), []);
    const members = [own, { ...carol, route: { host: "carol.example.org", path: "/x" } }];
    assert.deepEqual(reported({ host, tls }, ...members, { member: "dan", type: "user", route: false }), []);
    assert.deepEqual(reported({ host }, bob, carol), []);
  });
});
