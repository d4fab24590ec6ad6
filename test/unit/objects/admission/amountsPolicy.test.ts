import assert from "node:assert/strict";
import { podSpecRequests } from "../../../../objects/admission/podSpecs.ts";
import { policyOf } from "../../../../objects/admission/policies.ts";
import { role } from "../../../../objects/rbac/role.ts";
import { carol, settings } from "../../samples.ts";

// The suites in test/e2e/isolation/hostile try it on the API server.
describe("the policy on amounts", () => {
  const { spec } = policyOf("amounts", settings);
  const judged = spec.matchConstraints.resourceRules.flatMap(({ apiGroups, resources }) =>
    resources.map((resource) => `${apiGroups.join()}/${resource}`),
  );

  it("judges amounts in whatever a member can make, and whatever pods are made of", () => {
    const made = role(carol, settings).rules.flatMap(({ apiGroups, resources, verbs }) =>
      verbs.includes("create") ? resources.map((resource) => `${apiGroups.join()}/${resource}`) : [],
    );
    const ofPods = podSpecRequests.flatMap(({ apiGroups, resources }) =>
      resources.map((resource) => `${apiGroups.join()}/${resource}`),
    );
    // Requests to a running pod make nothing, and add no volume.
    const wanted = [...made, ...ofPods].filter((each) => !each.startsWith("/pods/"));
    assert.ok(wanted.includes("/services") && wanted.includes("/podtemplates"));
    const unjudged = wanted.filter((each) => !judged.includes(each));
    assert.deepEqual(unjudged, []);
  });

  it("judges amounts in every way to scale that members have", () => {
    const scales = role(carol, settings).rules.flatMap(({ apiGroups, resources }) =>
      resources.filter((each) => each.endsWith("/scale")).map((resource) => `${apiGroups.join()}/${resource}`),
    );
    assert.equal(scales.length, 3);
    const unjudged = scales.filter((each) => !judged.includes(each));
    assert.deepEqual(unjudged, []);
  });

  it("judges amounts by the namespace's number of pods, and by 1000 where none is said", () => {
    const { expression = "" } = spec.variables.find(({ name }) => name === "maxPods") ?? {};
    assert.equal(expression, "int(namespaceObject.metadata.?annotations[?'kubecamp.dev/max-pods'].orValue('1000'))");
  });
});
