import assert from "node:assert/strict";
import { domainIn } from "../../../../cluster/api/clusterDomain.ts";
import { waysOf } from "../../../../objects/route/drivers/drivers.ts";
import { externalService } from "../../../../objects/route/externalService.ts";
import { domainObstacle, unlikelyDomain } from "../../../../plan/decisions/clusterDomain.ts";
import { refusalTexts } from "../../../../plan/words/catalogue.ts";
import { textOf } from "../../plan/planned.ts";
import { bob, configuration, gatewaySettings, mistakes, settings } from "../../samples.ts";

const withDomain = (domain: string) => configuration({ members: [], cluster: { domain } }).settings;

describe("the cluster's DNS domain", () => {
  it("reads the cluster's DNS domain from the API server's certificate, beside other names", () => {
    const names =
      "DNS:kubernetes, DNS:kubernetes.default, DNS:kubernetes.default.svc, DNS:kubernetes.default.svc.corp.internal, IP Address:10.96.0.1";
    assert.equal(domainIn(names), "corp.internal");
    const several = `${names}, DNS:kubernetes.default.svc.cluster.local`;
    for (const others of ["DNS:kubernetes.default.svc, DNS:api.example.org", several, "", undefined]) {
      assert.equal(domainIn(others), undefined);
    }
  });

  it("stops a run at another cluster domain than routes lead to if none is set, and else warns", () => {
    const found = { domain: "corp.internal" };
    assert.deepEqual(refusalTexts(domainObstacle(settings, found)), [
      "the cluster's DNS domain is 'corp.internal', as the API server's certificate says, but every path would lead to 'cluster.local' and answer 502; set domain: corp.internal in kubecamp:cluster, or the one that is right",
    ]);
    for (const fine of [{}, { domain: "cluster.local" }]) {
      assert.deepEqual(refusalTexts(domainObstacle(settings, fine)), []);
    }
    assert.deepEqual(refusalTexts(domainObstacle(gatewaySettings(), found)), []);
    assert.deepEqual(refusalTexts(domainObstacle(withDomain("corp.internal"), found)), []);
    assert.equal(textOf(unlikelyDomain(withDomain("corp.internal"), found)), undefined);
    assert.deepEqual(refusalTexts(domainObstacle(withDomain("lab.internal"), found)), []);
    assert.match(
      textOf(unlikelyDomain(withDomain("lab.internal"), found)) ?? "",
      /cluster\.domain is 'lab\.internal', and the API server's certificate has 'corp\.internal'/,
    );
  });

  it("leads routes to the cluster's DNS domain", () => {
    assert.equal(
      externalService(bob, withDomain("corp.internal"), waysOf("ingress-nginx")).spec.externalName,
      "bob-svc.bob.svc.corp.internal.",
    );
  });

  it("takes only a DNS name for the cluster's domain", () => {
    for (const domain of ["cluster.local.", ".local", "Cluster.local", "a b", `${"a".repeat(101)}`]) {
      assert.match(mistakes({ members: [], cluster: { domain } }).join(), /cluster\.domain: .* must /, domain);
    }
  });
});
