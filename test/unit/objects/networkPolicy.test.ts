import assert from "node:assert/strict";
import { networkPolicy } from "../../../objects/networkPolicy.ts";
import { atOnce, bob, configuration, labelsOf, settings } from "../samples.ts";

const podsOf = (namespace: string, labels?: Record<string, string>) => ({
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
  ...(labels && { podSelector: { matchLabels: labels } }),
});
const dns = {
  to: [podsOf("kube-system", { "k8s-app": "kube-dns" })],
  ports: [
    { port: 53, protocol: "UDP" },
    { port: 53, protocol: "TCP" },
  ],
};
const ownNamespace = { podSelector: {} };
const privateBlocks = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32", "169.254.0.0/16"],
  ...["172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24"],
  ...["203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
];
const tunnels = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];
const internet = [
  { ipBlock: { cidr: "0.0.0.0/0", except: privateBlocks } },
  { ipBlock: { cidr: "2000::/3", except: tunnels } },
];

describe("networkPolicy", () => {
  it("lets pods in from home and the controller, and out to home, DNS and public addresses", () => {
    assert.deepEqual(networkPolicy(bob, settings), {
      metadata: { name: "isolation", namespace: "bob", labels: labelsOf("bob"), annotations: atOnce },
      spec: {
        podSelector: {},
        policyTypes: ["Ingress", "Egress"],
        ingress: [{ from: [ownNamespace, podsOf("ingress-nginx")] }],
        egress: [{ to: [ownNamespace] }, dns, { to: internet }],
      },
    });
  });

  it("lets in the pods of both that serve a path, each by its own labels", () => {
    const also = {
      kind: "gateway",
      namespace: "edge",
      gateway: { name: "public" },
      ingressPodLabels: { app: "envoy" },
    };
    const { settings: both } = configuration({ members: [], route: { host: "camp.example.org", also } });
    const [first] = networkPolicy(bob, both).spec.ingress;
    assert.deepEqual(first, { from: [ownNamespace, podsOf("ingress-nginx"), podsOf("edge", { app: "envoy" })] });
  });

  it("closes public addresses if the stack says so, and admits the controller's pods if named", () => {
    const network = { internet: false, ingressPodLabels: { app: "ingress" } };
    const { settings: ofStack, members } = configuration({ members: [{ member: "bob", type: "user" }], network });
    const { ingress, egress } = networkPolicy(members[0] ?? bob, ofStack).spec;
    assert.deepEqual(egress, [{ to: [ownNamespace] }, dns]);
    assert.deepEqual(ingress, [{ from: [ownNamespace, podsOf("ingress-nginx", { app: "ingress" })] }]);
  });

  it("a NetworkPolicy lets through what stack, type and member say, each by its own rule", () => {
    const monitoring = { namespace: "monitoring", podLabels: { app: "prometheus" }, ports: [9090] };
    const { ingress, egress } = policyOf(
      {
        egress: [{ namespace: "databases", podLabels: { app: "postgres" }, ports: [5432, "5353/UDP"] }],
        ingress: [{ cidr: "10.30.0.0/16" }],
      },
      {
        network: { internet: false, egress: [{ cidr: "10.20.0.0/16", ports: ["443/TCP"] }] },
        memberTypes: { user: { network: { egress: [{ namespace: "mirror" }], ingress: [monitoring] } } },
      },
    ).spec;
    assert.deepEqual(egress.slice(2), [
      {
        to: [podsOf("databases", { app: "postgres" })],
        ports: [
          { port: 5432, protocol: "TCP" },
          { port: 5353, protocol: "UDP" },
        ],
      },
      { to: [podsOf("mirror")] },
      { to: [{ ipBlock: { cidr: "10.20.0.0/16" } }], ports: [{ port: 443, protocol: "TCP" }] },
    ]);
    assert.deepEqual(ingress.slice(1), [
      { from: [{ ipBlock: { cidr: "10.30.0.0/16" } }] },
      { from: [podsOf("monitoring", { app: "prometheus" })], ports: [{ port: 9090, protocol: "TCP" }] },
    ]);
  });
});

function policyOf(network: object, stack: Record<string, unknown>) {
  const { settings: ofStack, members } = configuration({
    members: [{ member: "bob", type: "user", network }],
    ...stack,
  });
  return networkPolicy(members[0] ?? bob, ofStack);
}
