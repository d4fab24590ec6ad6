import assert from "node:assert/strict";
import { sharedCertificate } from "../../../../config/route/hosts.ts";
import { configuration } from "../../samples.ts";

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

  it("warns of no certificate on a host for each, for one member alone, or by a Secret", () => {
    const tls = { clusterIssuer: "x" };
    assert.equal(reported({ host: "{member}.example.org", tls }, bob, carol), undefined);
    assert.equal(reported({ host, tls }, own, carol), undefined);
    assert.equal(reported({ host, tls }, { ...bob, route: false }, carol), undefined);
    assert.equal(reported({ host, tls: { secretName: "x" } }, bob, carol), undefined);
    assert.equal(reported({ host }, bob, carol), undefined);
  });
});
