import assert from "node:assert/strict";
import { proxyFor } from "../../../../../cluster/api/kubeconfig/proxy.ts";

const HTTPS_PROXY = "http://proxy:3128";

describe("the proxy for an API server", () => {
  const through = (server: string, env: Record<string, string>) => proxyFor(new URL(server), env);

  it("takes the environment's proxy for the API server's protocol, in capitals first", () => {
    const env = { HTTPS_PROXY, https_proxy: "http://other", http_proxy: "plain:80" };
    assert.equal(through("https://a.example.org", env), "http://proxy:3128");
    assert.equal(through("http://a.example.org", env), "http://plain:80");
    assert.equal(through("https://a.example.org", {}), undefined);
  });

  it("uses no proxy for this machine, whatever the environment says", () => {
    for (const host of ["localhost", "127.0.0.1", "127.8.0.1", "[::1]"]) {
      assert.equal(through(`https://${host}:6443`, { HTTPS_PROXY }), undefined, host);
    }
  });

  const rules: [rule: string, exempt: string[], proxied: string[]][] = [
    ["*", ["https://a.org", "https://10.0.0.1"], []],
    ["a.org", ["https://a.org", "https://k8s.A.org:6443"], ["https://ba.org", "https://a.org.uk"]],
    [".a.org", ["https://k8s.a.org"], ["https://a.org"]],
    ["b.org, a.org:6443", ["https://a.org:6443", "https://b.org"], ["https://a.org"]],
    ["10.0.0.0/8", ["https://10.9.8.7:6443"], ["https://11.0.0.1", "https://10.a.org"]],
    ["10.0.0.1", ["https://10.0.0.1"], ["https://10.0.0.11"]],
    ["fd00::/8", ["https://[fd00::1]:6443"], ["https://[fe80::1]", "https://10.0.0.1"]],
    ["[fd00::1]:6443", ["https://[fd00::1]:6443"], ["https://[fd00::1]"]],
  ];
  for (const [rule, exempt, proxied] of rules) {
    it(`heeds NO_PROXY=${rule}`, () => {
      const env = { HTTPS_PROXY, NO_PROXY: rule };
      const unexempt = exempt.filter((server) => through(server, env) !== undefined);
      assert.deepEqual(unexempt, []);
      const exempted = proxied.filter((server) => through(server, env) === undefined);
      assert.deepEqual(exempted, []);
    });
  }
});
