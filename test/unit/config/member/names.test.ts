import assert from "node:assert/strict";
import { mistakes, mistakesOfMembers } from "../../samples.ts";

const named = (...names: readonly string[]) => names.map((member) => ({ member, type: "user" }));

describe("a member's name", () => {
  for (const [name, why] of [
    ["default", "is one of Kubernetes' own namespaces"],
    ["kube-public", "is one of Kubernetes' own namespaces"],
    ["ingress-nginx", "is the ingress controller's namespace (route.namespace)"],
    ["kubecamp", "is a name of kubecamp's own namespaces"],
    ["openshift", "is one of OpenShift's own namespaces"],
    ["cert-manager", "is a usual namespace of the cluster's software"],
  ] as const) {
    it(`refuses the name ${name}: it ${why}`, () => {
      assert.deepEqual(mistakesOfMembers(...named(name)), [`members[0].member: "${name}" ${why}; choose another name`]);
    });
  }

  it("refuses members the names that the settings use, though another setting is wrong", () => {
    const route = { host: "a b", namespace: "traefik" };
    const members = named("traefik", "dns", "entrances");
    assert.deepEqual(mistakes({ route, network: { dnsNamespace: "dns" }, members }), [
      `route.host: "a b" must be a host name in lower case, without scheme, port or path; {member} in it stands for the member's name`,
      'members[0].member: "traefik" is the ingress controller\'s namespace (route.namespace); choose another name',
      'members[1].member: "dns" is the namespace of the cluster\'s DNS (network.dnsNamespace); choose another name',
    ]);
  });

  it("refuses members the names of the namespaces of the Gateway and of its pods", () => {
    const gateway = { name: "public", namespace: "edge" };
    const route = { host: "camp.example.org", kind: "gateway", namespace: "proxies", gateway };
    assert.deepEqual(mistakes({ route, members: named("proxies", "edge", "entrances") }), [
      'members[0].member: "proxies" is the namespace of the Gateway\'s pods (route.namespace); choose another name',
      'members[1].member: "edge" is the Gateway\'s namespace (route.gateway.namespace); choose another name',
    ]);
  });

  // A pod looks for `github.com` as `github.com.svc.cluster.local` first.
  const ofDomain = "is a top-level domain, so that pods would take the member's Services for hosts such as example";
  for (const [name, why] of [
    ["svc", "ends or begins the names of other members' Services, such as web.bob.svc.cluster.local"],
    ["com", `${ofDomain}.com`],
    ["internal", `${ofDomain}.internal`],
    ["xn--p1ai", `${ofDomain}.xn--p1ai`],
    ["zz", "has two letters, as countries' top-level domains have"],
  ] as const) {
    it(`refuses the name ${name}, which would be in the way of names in DNS`, () => {
      assert.deepEqual(mistakesOfMembers(...named(name)), [
        `members[0].member: "${name}" ${why}; choose another name, such as m-${name}, with subject: ${name}`,
      ]);
    });
  }

  it("refuses a member's name that is a part of the cluster's own domain", () => {
    const members = [...named("acme"), { member: "k8s", type: "user", subject: "kay" }, ...named("local2")];
    assert.deepEqual(mistakes({ cluster: { domain: "k8s.acme.corp" }, members }), [
      `members[0].member: "acme" ends or begins the names of other members' Services, such as web.bob.svc.k8s.acme.corp; choose another name, such as m-acme, with subject: acme`,
      `members[1].member: "k8s" ends or begins the names of other members' Services, such as web.bob.svc.k8s.acme.corp; choose another name, such as m-k8s`,
    ]);
  });

  it("takes a member's name with a digit or a domain within, and what a refusal suggests", () => {
    assert.deepEqual(mistakesOfMembers(...named("m2", "com-1", "m-kim", "kimberly", "system", "kubecamper")), []);
  });
});
