import assert from "node:assert/strict";
import { networkPolicy } from "../../../../components/objects/networkPolicy.ts";
import { bob, configuration, labelsOf, settings } from "../../samples.ts";

const dns = {
  to: [
    {
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } },
      podSelector: { matchLabels: { "k8s-app": "kube-dns" } },
    },
  ],
  ports: [
    { port: 53, protocol: "UDP" },
    { port: 53, protocol: "TCP" },
  ],
};
const ownNamespace = { podSelector: {} };
const controller = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ingress-nginx" } } };

describe("networkPolicy", () => {
  it("lets in the namespace itself and the ingress controller; out to itself, DNS and public addresses", () => {
    assert.deepEqual(networkPolicy(bob, settings), {
      metadata: { name: "isolation", namespace: "bob", labels: labelsOf("bob") },
      spec: {
        podSelector: {},
        policyTypes: ["Ingress", "Egress"],
        ingress: [{ from: [ownNamespace, controller] }],
        egress: [
          { to: [ownNamespace] },
          dns,
          {
            to: [
              {
                ipBlock: {
                  cidr: "0.0.0.0/0",
                  except: [
                    "0.0.0.0/8",
                    "10.0.0.0/8",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    "169.254.0.0/16",
                    "172.16.0.0/12",
                    "192.168.0.0/16",
                    "224.0.0.0/4",
                    "240.0.0.0/4",
                  ],
                },
              },
              {
                ipBlock: {
                  cidr: "::/0",
                  except: ["::1/128", "64:ff9b::/96", "fc00::/7", "fe80::/10", "ff00::/8"],
                },
              },
            ],
          },
        ],
      },
    });
  });

  it("keeps public addresses closed when the stack says so, and takes just the controller's pods when it names them", () => {
    const network = { internet: false, ingressPodLabels: { app: "ingress" } };
    const { settings: ofStack, members } = configuration({ members: [{ member: "bob", type: "user" }], network });
    const { ingress, egress } = networkPolicy(members[0] ?? bob, ofStack).spec;
    assert.deepEqual(egress, [{ to: [ownNamespace] }, dns]);
    assert.deepEqual(ingress, [
      { from: [ownNamespace, { ...controller, podSelector: { matchLabels: { app: "ingress" } } }] },
    ]);
  });
});
