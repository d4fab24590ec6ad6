import assert from "node:assert/strict";
import { policyNamesOf } from "../../../../config/names/names.ts";
import { policyOf } from "../../../../objects/admission/policies.ts";
import { refusalsOf } from "../../cel.ts";
import { configuration, settings } from "../../samples.ts";

const stackOf = (ci: readonly object[], more: object = {}) =>
  configuration({
    ci: { audience: "https://k8s.example.org", ...more },
    members: [{ member: "bob", type: "user", ci }],
  }).settings;
const main = { issuer: "github", repository: "org/app", ref: "refs/heads/main" };

describe("the policy of tokens", () => {
  it("makes a policy of tokens where the stack has ci, lest it come and go, or a member has", () => {
    const has = (ci: readonly object[]) => policyNamesOf(stackOf(ci)).includes("tokens");
    assert.deepEqual([has([]), has([main]), has([{ token: true }])], [true, true, true]);
    const alone = configuration({ members: [{ member: "bob", type: "user", ci: [{ token: true }] }] });
    assert.equal(policyNamesOf(alone.settings).includes("tokens"), true);
    assert.equal(policyNamesOf(settings).includes("tokens"), false);
  });

  const own = "https://kubernetes.default.svc.cluster.local";
  const refusals = (request: object, object: object, more: object = {}) =>
    refusalsOf(policyOf("tokens", stackOf([{ token: true }], more)), { request, object });
  const ofToken = (spec: object, more?: object, name = "kubecamp-ci") =>
    refusals({ resource: { resource: "serviceaccounts" }, name }, { metadata: {}, spec }, more);

  it("takes tokens of an hour at most, of the ServiceAccount for jobs", () => {
    const longer = (seconds: number) => [
      `a token of 'kubecamp-ci' is good for an hour at most, and not for ${seconds} seconds: leave --duration out`,
    ];
    const taken = [{}, { expirationSeconds: 600 }, { expirationSeconds: 3600 }].map((spec) => ofToken(spec));
    assert.deepEqual(taken, [[], [], []]);
    assert.deepEqual(ofToken({ expirationSeconds: 3601 }), longer(3601));
    assert.deepEqual(ofToken({ expirationSeconds: 31_536_000 }), longer(31_536_000));
    assert.deepEqual(ofToken({ expirationSeconds: 31_536_000 }, {}, "default"), []);
  });

  it("takes tokens for the API server's audiences alone, as the settings name them", () => {
    const others = (names: string) => [
      `a token of 'kubecamp-ci' is for the API server alone, and not for ${names}: leave --audience out, or ask ` +
        `${settings.contact} to add the API server's own to ci.apiAudiences`,
    ];
    assert.deepEqual(ofToken({ audiences: [own, "https://kubernetes.default.svc"] }), []);
    assert.deepEqual(ofToken({ audiences: ["vault"] }), others("vault"));
    assert.deepEqual(ofToken({ audiences: Array(1001).fill(own) }), others("1001 audiences"));
    assert.deepEqual(ofToken({ audiences: [own, "vault"] }), others(`${own}, vault`));
    const apiAudiences = ["https://k8s.internal"];
    assert.deepEqual(ofToken({ audiences: apiAudiences }, { apiAudiences }), []);
    assert.deepEqual(ofToken({ audiences: [own] }, { apiAudiences }), others(own));
  });

  it("takes no pods of the ServiceAccount for jobs, and takes others", () => {
    const ofPod = (metadata: object, spec: object) => refusals({ resource: { resource: "pods" } }, { metadata, spec });
    const serviceAccountName = "kubecamp-ci";
    const refused = (name: string) => [
      `Pod '${name}' has the ServiceAccount 'kubecamp-ci', which is for CI jobs: leave serviceAccountName out, or ask ${settings.contact}`,
    ];
    assert.deepEqual(ofPod({ name: "spy" }, { serviceAccountName }), refused("spy"));
    assert.deepEqual(ofPod({ generateName: "spy-" }, { serviceAccountName }), refused("spy-"));
    assert.deepEqual(ofPod({ name: "web" }, { serviceAccountName: "default" }), []);
    assert.deepEqual(ofPod({ name: "web" }, {}), []);
  });
});
