import assert from "node:assert/strict";
import { policyOf } from "../../../../objects/admission/policies.ts";
import { variableOf } from "../../cel.ts";
import { settings } from "../../samples.ts";

describe("the policy on images", () => {
  const policy = policyOf("images", settings);
  const { metadata, spec } = policy;

  it("judges images of pods, of what is added to them, and of every kind that makes them", () => {
    assert.equal(metadata.name, "kubecamp-images-dev");
    assert.deepEqual(
      spec.matchConstraints.resourceRules.flatMap(({ apiGroups, resources }) =>
        resources.map((resource) => `${apiGroups.join()} ${resource}`.trim()),
      ),
      [
        "pods",
        "pods/ephemeralcontainers",
        "pods/resize",
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

  it("judges images of containers of all three sorts, and of volumes", () => {
    const one = (name: string) => [{ name, image: `example.org/${name}` }];
    const podSpec = {
      containers: one("a"),
      initContainers: one("b"),
      ephemeralContainers: one("c"),
      volumes: [{ name: "d", image: { reference: "example.org/d" } }],
    };
    const request = { resource: { resource: "pods" }, operation: "CREATE" };
    const added = variableOf(policy, "added", { request, object: { kind: "Pod", spec: podSpec } });
    assert.deepEqual(added, [
      { of: "container 'a'", image: "example.org/a" },
      { of: "initContainer 'b'", image: "example.org/b" },
      { of: "ephemeralContainer 'c'", image: "example.org/c" },
      { of: "volume 'd'", image: "example.org/d" },
    ]);
  });
});
