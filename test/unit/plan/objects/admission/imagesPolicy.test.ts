import assert from "node:assert/strict";
import { imagesPolicy } from "../../../../../plan/objects/admission/imagesPolicy.ts";
import { settings } from "../../../samples.ts";

describe("the policy on images", () => {
  const { metadata, spec } = imagesPolicy(settings);

  it("judges images of pods, of what is added to them, and of every kind that makes them", () => {
    assert.equal(metadata.name, "kubecamp-images-dev");
    assert.deepEqual(
      spec.matchConstraints.resourceRules.flatMap(({ apiGroups, resources }) =>
        resources.map((resource) => `${apiGroups.join()} ${resource}`.trim()),
      ),
      [
        "pods",
        "pods/ephemeralcontainers",
        "podtemplates",
        "replicationcontrollers",
        "apps daemonsets",
        "apps deployments",
        "apps replicasets",
        "apps statefulsets",
        "batch cronjobs",
        "batch jobs",
      ],
    );
  });
});
