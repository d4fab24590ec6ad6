import assert from "node:assert/strict";
import { networkPolicy } from "../../../../../objects/networkPolicy.ts";
import { type Openness, openness, type Peer } from "../../../../../verify/parts/network/policy.ts";
import { bob, configuration, settings } from "../../../samples.ts";

const pod = (namespace: string, labels = {}, address = "10.0.0.7"): Peer => ({ address, pod: { namespace, labels } });
const outside = (address: string): Peer => ({ address, isOutside: true });

/** What bob's isolation says of a connection to a peer. */
function out(peer: Peer, port: number, network = {}): Openness {
  const { members } = configuration({ members: [{ member: "bob", type: "user", network }] });
  return openness(networkPolicy(members[0] ?? bob, settings).spec.egress, "bob", peer, port);
}

describe("what a NetworkPolicy says of a connection", () => {
  it("the own namespace is open, and another member's is not", () => {
    assert.equal(out(pod("bob"), 8080), "open");
    assert.equal(out(pod("eve"), 8080), "closed");
  });

  it("DNS is open on its port, for pods with the labels", () => {
    const labels = { "k8s-app": "kube-dns" };
    assert.equal(out(pod("kube-system", labels), 53), "open");
    assert.equal(out(pod("kube-system", labels), 9153), "closed");
    assert.equal(out(pod("kube-system"), 53), "closed");
    assert.equal(out(pod("eve", labels), 53), "closed");
  });

  it("public addresses are open with internet, and private ones, metadata and documentation closed", () => {
    assert.equal(out(outside("1.1.1.1"), 443), "open");
    assert.equal(out(outside("2606:4700:4700::1111"), 443), "open");
    assert.equal(out(outside("1.1.1.1"), 443, { internet: false }), "closed");
    for (const address of ["10.1.2.3", "169.254.169.254", "100.100.100.200", "fd00:ec2::254", "2001:db8::1"]) {
      assert.equal(out(outside(address), 443), "closed", address);
    }
  });

  it("an exception opens its addresses on its ports", () => {
    const network = { egress: [{ cidr: "169.254.169.254/32", ports: [80] }] };
    assert.equal(out(outside("169.254.169.254"), 80, network), "open");
    assert.equal(out(outside("169.254.169.254"), 443, network), "closed");
    assert.equal(out(outside("169.254.169.253"), 80, network), "closed");
  });

  it("UDP ports open no TCP port", () => {
    assert.equal(out(outside("10.9.9.9"), 53, { egress: [{ cidr: "10.9.9.9/32", ports: ["53/UDP"] }] }), "closed");
  });

  it("an exception opens a namespace's pods with its labels", () => {
    const network = { egress: [{ namespace: "databases", podLabels: { app: "postgres" } }] };
    assert.equal(out(pod("databases", { app: "postgres" }), 5432, network), "open");
    assert.equal(out(pod("databases", { app: "mysql" }), 5432, network), "closed");
  });

  it("it depends on the plugin whether addresses are also pods' and nodes'", () => {
    const network = { egress: [{ cidr: "10.0.0.0/16" }] };
    assert.equal(out(pod("eve"), 8080, network), "either");
    assert.equal(out({ address: "10.0.0.8" }, 10_250, network), "either");
    assert.equal(out(pod("bob"), 8080, network), "open");
  });
});
