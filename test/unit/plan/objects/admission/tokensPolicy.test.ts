import assert from "node:assert/strict";
import { policyNamesOf } from "../../../../../naming/names.ts";
import { policyOf } from "../../../../../plan/objects/admission/policies.ts";
import { configuration, settings } from "../../../samples.ts";

const stackOf = (ci: readonly object[], more: object = {}) =>
  configuration({
    ci: { audience: "https://k8s.example.org", ...more },
    members: [{ member: "bob", type: "user", ci }],
  }).settings;
const main = { issuer: "github", repository: "org/app", ref: "refs/heads/main" };

describe("the policy of tokens", () => {
  it("is there where the stack has ci, so that it does not come and go with members, or a member has", () => {
    const has = (ci: readonly object[]) => policyNamesOf(stackOf(ci)).includes("tokens");
    assert.deepEqual([has([]), has([main]), has([{ token: true }])], [true, true, true]);
    const alone = configuration({ members: [{ member: "bob", type: "user", ci: [{ token: true }] }] });
    assert.equal(policyNamesOf(alone.settings).includes("tokens"), true);
    assert.equal(policyNamesOf(settings).includes("tokens"), false);
  });

  it("judges requests for tokens and new pods, whoever they are from", () => {
    const { matchConstraints, matchConditions } = policyOf("tokens", stackOf([{ token: true }])).spec;
    assert.deepEqual(
      matchConstraints.resourceRules.map(({ resources, operations }) => [resources, operations]),
      [
        [["serviceaccounts/token"], ["CREATE"]],
        [["pods"], ["CREATE"]],
      ],
    );
    assert.equal(matchConditions, undefined);
  });

  it("takes an hour and the API server's audiences, and no pods", () => {
    const of = (more: object) =>
      policyOf("tokens", stackOf([{ token: true }], more)).spec.validations.map(({ expression }) => expression);
    const own = ["https://kubernetes.default.svc.cluster.local", "https://kubernetes.default.svc"];
    const audiences = (all: readonly string[]) =>
      `variables.audiences.all(audience, audience in [${all.map((each) => JSON.stringify(each)).join(", ")}])`;
    assert.deepEqual(of({}), ["variables.seconds <= 3600", audiences(own), "!variables.isOfPod"]);
    assert.equal(of({ apiAudiences: ["https://k8s.internal"] })[1], audiences(["https://k8s.internal"]));
  });
});
