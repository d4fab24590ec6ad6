import assert from "node:assert/strict";
import type { V1Pod } from "@kubernetes/client-node";
import { connects, type End, type NetworkPolicy, type Port } from "./evaluator.ts";

type Spec = NonNullable<NetworkPolicy["spec"]>;

const namespaces = ["a", "b"].map((name) => ({
  metadata: { name, labels: { "kubernetes.io/metadata.name": name, team: name } },
}));
const pod = (path: string, ip: string, labels: Record<string, string>, spec: object = {}): V1Pod => {
  const [namespace = "", name = ""] = path.split("/");
  const containers = [{ name: "c", ports: [{ name: "web", containerPort: 8080 }] }];
  return { metadata: { namespace, name, labels }, spec: { containers, ...spec }, status: { podIPs: [{ ip }] } };
};
const pods = [
  pod("a/one", "10.0.0.1", { app: "one" }),
  pod("a/two", "10.0.0.2", { app: "two" }),
  pod("b/one", "10.0.1.1", { app: "one" }),
  pod("b/two", "10.0.1.2", { app: "two", tier: "db" }),
  pod("b/node", "192.168.0.1", { app: "one" }, { hostNetwork: true }),
];
const policy = (namespace: string, spec: Spec): NetworkPolicy => ({ metadata: { namespace, name: "p" }, spec });
const tcp = (port: number): Port => ({ port, protocol: "TCP" });
const end = (text: string): End => (text.includes("/") ? { pod: text } : { address: text });

/** Whether the policies let a connection through. */
const reaches = (policies: readonly NetworkPolicy[], from: string, to: string, port: Port = tcp(8080)) =>
  connects({ policies, namespaces, pods }, end(from), end(to), port);
/** All that a pod reaches. */
const reached = (policies: readonly NetworkPolicy[], from: string, ...ends: string[]) =>
  ends.filter((to) => reaches(policies, from, to));
const all = ["a/one", "a/two", "b/one", "b/two", "192.0.2.1"];
/** Destinations that `a/one` reaches with this egress rule. */
const out = (...egress: NonNullable<Spec["egress"]>) =>
  reached([policy("a", { podSelector: {}, policyTypes: ["Egress"], egress })], "a/one", ...all);

describe("the evaluator of NetworkPolicies", () => {
  it("lets nothing through where one is and has no rules, but for a pod to itself", () => {
    const closed = policy("a", { podSelector: {}, policyTypes: ["Ingress", "Egress"] });
    assert.deepEqual(reached([closed], "a/one", ...all), ["a/one"]);
    assert.equal(reaches([closed], "b/one", "a/one"), false);
    assert.equal(reaches([closed], "b/one", "b/two"), true);
  });

  it("takes a pod selector for the policy's namespace, and one of namespaces for all their pods", () => {
    assert.deepEqual(out({ to: [{ podSelector: {} }] }), ["a/one", "a/two"]);
    assert.deepEqual(out({ to: [{ podSelector: { matchLabels: { app: "two" } } }] }), ["a/one", "a/two"]);
    assert.deepEqual(out({ to: [{ namespaceSelector: {} }] }), ["a/one", "a/two", "b/one", "b/two"]);
    assert.deepEqual(out({ to: [{ namespaceSelector: { matchLabels: { team: "b" } } }] }), ["a/one", "b/one", "b/two"]);
  });

  it("takes both in one peer for both, and in two for either", () => {
    const namespaceSelector = { matchLabels: { team: "b" } };
    const podSelector = { matchLabels: { app: "two" } };
    assert.deepEqual(out({ to: [{ namespaceSelector, podSelector }] }), ["a/one", "b/two"]);
    assert.deepEqual(out({ to: [{ namespaceSelector }, { podSelector }] }), ["a/one", "a/two", "b/one", "b/two"]);
  });

  it("takes a block for its addresses but the exceptions, of its own family alone", () => {
    const ipBlock = { cidr: "10.0.0.0/16", except: ["10.0.1.0/30"] };
    assert.deepEqual(out({ to: [{ ipBlock }] }), ["a/one", "a/two"]);
    const open = policy("a", {
      policyTypes: ["Egress"],
      egress: [{ to: [{ ipBlock: { cidr: "0.0.0.0/0", except: ["169.254.0.0/16"] } }] }],
    });
    const addresses = ["1.1.1.1", "169.254.169.254", "2001:db8::1", "::ffff:1.1.1.1"];
    assert.deepEqual(reached([open], "a/one", ...addresses), ["1.1.1.1"]);
    const six = policy("a", {
      policyTypes: ["Egress"],
      egress: [{ to: [{ ipBlock: { cidr: "::/0", except: ["fc00::/7"] } }] }],
    });
    assert.deepEqual(reached([six], "a/one", ...addresses, "fd00:ec2::254"), ["2001:db8::1", "::ffff:1.1.1.1"]);
  });

  it("takes a port's number, range and protocol, and no ports for all of them", () => {
    const open = (...ports: NonNullable<NonNullable<Spec["egress"]>[number]["ports"]>) => {
      const only = policy("a", { podSelector: {}, policyTypes: ["Egress"], egress: [{ ports }] });
      return [
        tcp(80),
        tcp(8080),
        tcp(8090),
        { port: 80, protocol: "UDP" } as const,
        { port: 80, protocol: "SCTP" } as const,
      ]
        .filter((port) => reaches([only], "a/one", "b/one", port))
        .map(({ port, protocol }) => `${port}/${protocol}`);
    };
    assert.deepEqual(open(), ["80/TCP", "8080/TCP", "8090/TCP", "80/UDP", "80/SCTP"]);
    assert.deepEqual(open({ port: 80 }), ["80/TCP"]);
    assert.deepEqual(open({ port: 80, protocol: "UDP" }), ["80/UDP"]);
    assert.deepEqual(open({ protocol: "UDP" }), ["80/UDP"]);
    assert.deepEqual(open({ port: 8080, endPort: 8090 }), ["8080/TCP", "8090/TCP"]);
    assert.deepEqual(open({ port: 8081, endPort: 8089 }), []);
    assert.deepEqual(open({ port: 80, protocol: "SCTP" }, { port: 8090 }), ["8090/TCP", "80/SCTP"]);
  });

  it("looks for a port's name at the destination, whoever's rule it is", () => {
    const ports = [{ port: "web" }];
    const leaves = policy("a", { podSelector: {}, policyTypes: ["Egress"], egress: [{ ports }] });
    const enters = policy("b", { podSelector: {}, policyTypes: ["Ingress"], ingress: [{ ports }] });
    assert.equal(reaches([leaves, enters], "a/one", "b/one", tcp(8080)), true);
    assert.equal(reaches([leaves], "a/one", "b/one", tcp(80)), false);
    assert.equal(reaches([enters], "a/one", "b/one", { port: 8080, protocol: "UDP" }), false);
    assert.equal(reaches([leaves], "a/one", "192.0.2.1", tcp(8080)), false);
    assert.equal(reaches([enters], "192.0.2.1", "b/one", tcp(8080)), true);
  });

  it("has peers and ports of one rule go together, and of two rules not", () => {
    const toB = { to: [{ namespaceSelector: { matchLabels: { team: "b" } } }] };
    const at80 = { ports: [{ port: 80 }] };
    const one = policy("a", { podSelector: {}, policyTypes: ["Egress"], egress: [{ ...toB, ...at80 }] });
    const two = policy("a", { podSelector: {}, policyTypes: ["Egress"], egress: [toB, at80] });
    assert.equal(reaches([one], "a/one", "b/one", tcp(80)), true);
    assert.equal(reaches([one], "a/one", "b/one", tcp(8080)), false);
    assert.equal(reaches([one], "a/one", "a/two", tcp(80)), false);
    assert.equal(reaches([two], "a/one", "b/one", tcp(8080)), true);
    assert.equal(reaches([two], "a/one", "a/two", tcp(80)), true);
  });

  it("takes pods on a node's network for the node, which no selector finds", () => {
    const open = policy("a", {
      podSelector: {},
      policyTypes: ["Ingress"],
      ingress: [{ from: [{ namespaceSelector: {} }] }],
    });
    assert.equal(reaches([open], "b/one", "a/one"), true);
    assert.equal(reaches([open], "b/node", "a/one"), false);
    const node = { from: [{ ipBlock: { cidr: "192.168.0.0/24" } }] };
    const byAddress = policy("a", { podSelector: {}, policyTypes: ["Ingress"], ingress: [node] });
    assert.equal(reaches([byAddress], "b/node", "a/one"), true);
    const closed = policy("b", { podSelector: {}, policyTypes: ["Ingress", "Egress"] });
    assert.equal(reaches([closed], "b/node", "a/one"), true);
    assert.equal(reaches([closed], "a/one", "b/node"), true);
  });
});
