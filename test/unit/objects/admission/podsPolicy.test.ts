import assert from "node:assert/strict";
import { policyOf } from "../../../../objects/admission/policies.ts";
import { refusalsOf } from "../../cel.ts";
import { settings } from "../../samples.ts";

const policy = policyOf("pods", settings);
const pod = (...sources: readonly object[]) => ({
  kind: "Pod",
  metadata: { name: "web" },
  spec: { containers: [{ name: "web" }], volumes: [{ name: "keys", projected: { sources } }] },
});
const wordsOf = (object: object, oldObject: object | null = null) =>
  refusalsOf(policy, {
    ...{ request: { namespace: "bob" }, object, oldObject },
    ...{ namespaceObject: { metadata: {} }, params: { metadata: { name: "low" } } },
  }).map((words) => String(words).split("; ask")[0]);

// Most of it is tried on the API server, in test/e2e/isolation/hostile. One of before 1.37 drops a podCertificate.
describe("the policy on pods, of sources of projected volumes", () => {
  const certificate = { podCertificate: { signerName: "example.org/mesh", keyType: "ED25519" } };
  const refused =
    "Pod 'web' has a source in the projected volume 'keys' for which its node would ask others in its name, as any signer " +
    "for a podCertificate: use one of clusterTrustBundle, configMap, downwardAPI, secret, serviceAccountToken";

  it("refuses certificates of any signer, and sources that it does not know", () => {
    const secret = { secret: { name: "a" } };
    for (const sources of [[certificate], [secret, certificate], [{ later: {} }], [{}]]) {
      assert.deepEqual(wordsOf(pod(...sources)), [refused]);
    }
  });

  it("takes sources that are the namespace's, or everybody's", () => {
    const sources = [
      { clusterTrustBundle: { name: "ca", path: "ca.pem" } },
      { configMap: { name: "a" } },
      { downwardAPI: { items: [] } },
      { secret: { name: "a" } },
      { serviceAccountToken: { path: "token" } },
    ];
    assert.deepEqual([wordsOf(pod(...sources)), wordsOf(pod())], [[], []]);
  });

  it("leaves alone sources that are there already", () => {
    const old = pod(certificate);
    const other = { podCertificate: { ...certificate.podCertificate, signerName: "example.org/other" } };
    assert.deepEqual(wordsOf({ ...old, spec: { ...old.spec, activeDeadlineSeconds: 1 } }, old), []);
    assert.deepEqual(wordsOf(pod(other), old), [refused]);
  });
});
