import assert from "node:assert/strict";
import { declaredIn, previewNeeds, watchNeeds } from "../../../../../watch/manifests/rights/needs.ts";
import { textOf } from "../../../../../watch/manifests/rights/rights.ts";
import { configurationOf, type Sample, sampleOf } from "../../../../../watch/manifests/rights/samples.ts";

const withBucket = {
  more: {
    storage: {
      endpoint: "https://s3.example.org",
      users: "versitygw",
      accessKeyId: "admin",
      secretAccessKey: "secret",
    },
  },
  each: (member: string) => ({ buckets: [{ name: `of-${member}` }] }),
};
const withStarter = { each: () => ({ starter: "kept" }) };

/** The rights to one resource. */
const needed = (needs: typeof watchNeeds, sample: Sample, resource: string) =>
  [
    ...new Set(
      needs(configurationOf(sample))
        .filter((right) => right.resource === resource)
        .map(textOf),
    ),
  ].sort();

describe("the rights that a stack needs", () => {
  it("tell what every member keeps from what comes and goes, and whose name is the member's from all others", () => {
    const told = (kind: string, sample: Sample = {}) => [
      ...new Set(
        declaredIn(configurationOf(sample))
          .filter((object) => object.kind === kind)
          .map(({ name, isStaying }) => `${name} ${isStaying ? "stays" : "leaves"}`),
      ),
    ];
    assert.deepEqual(told("LimitRange"), ["default-limits stays"]);
    assert.deepEqual(told("ResourceQuota"), ["quota leaves"]);
    assert.deepEqual(told("Role"), ["kubecamp-edit leaves", "kubecamp-view leaves"]);
    assert.deepEqual(told("Namespace"), ["undefined leaves"]);
    assert.deepEqual(told("ClusterRole"), ["kubecamp:prod:view stays", "kubecamp:prod:view-guest stays"]);
    assert.deepEqual(told("Deployment", withStarter), ["starter leaves"]);
    assert.deepEqual(told("Secret", withBucket), ["undefined leaves"]);
    assert.deepEqual(told("Secret", sampleOf("traefik")), ["kubecamp-backend-ca-prod stays"]);
  });

  it("let the watch delete what leaves, with the list and watch that the plugin waits by, and nothing that stays", () => {
    assert.deepEqual(needed(watchNeeds, withStarter, "deployments"), [
      "create deployments.apps starter",
      "delete deployments.apps starter",
      "get deployments.apps",
      "get deployments.apps starter",
      "list deployments.apps",
      "list deployments.apps starter",
      "patch deployments.apps starter",
      "watch deployments.apps",
      "watch deployments.apps starter",
    ]);
    assert.deepEqual(needed(watchNeeds, {}, "networkpolicies"), [
      "create networkpolicies.networking.k8s.io isolation",
      "get networkpolicies.networking.k8s.io isolation",
      "list networkpolicies.networking.k8s.io",
      "patch networkpolicies.networking.k8s.io isolation",
      "watch networkpolicies.networking.k8s.io",
    ]);
  });

  it("let the watch grant what roles hold and it does not, and leave admission policies to an admin", () => {
    const roles = needed(watchNeeds, {}, "roles");
    for (const verb of ["bind", "escalate"]) {
      assert.ok(roles.includes(`${verb} roles.rbac.authorization.k8s.io kubecamp-edit`), roles.join());
    }
    const policies = needed(watchNeeds, {}, "validatingadmissionpolicies");
    assert.deepEqual([...new Set(policies.map((text) => text.split(" ")[0]))], ["get", "list", "watch"]);
  });

  it("let the watch archive only where there is an archive, and volumes be kept as it says", () => {
    const s3 = withBucket.more;
    const archiving = (archive: object): Sample => ({
      more: { ...s3, offboarding: { graceDays: 30, archive: { bucket: "kept", ...archive } } },
    });
    const of = (resource: string, sample: Sample) => needed(watchNeeds, sample, resource);
    assert.deepEqual(of("podtemplates", { more: s3 }), []);
    assert.deepEqual(of("podtemplates", archiving({})), ["list podtemplates"]);
    assert.deepEqual(of("persistentvolumes", archiving({})), ["get persistentvolumes", "patch persistentvolumes"]);
    const snapshots = archiving({ volumes: "snapshot" });
    assert.deepEqual(of("persistentvolumes", snapshots), []);
    assert.deepEqual(
      of("volumesnapshotcontents", snapshots),
      ["get", "patch"].map((verb) => `${verb} volumesnapshotcontents.snapshot.storage.k8s.io`),
    );
    assert.deepEqual(of("persistentvolumes", archiving({ volumes: "none" })), []);
    assert.deepEqual(
      [of("secrets", archiving({})), of("secrets", archiving({ secrets: true }))],
      [[], ["list secrets"]],
    );
    // Archives leave out short-lived objects.
    assert.deepEqual(of("leases", archiving({})), []);
  });

  it("let a preview get by its name only what it does not list whole", () => {
    assert.deepEqual(needed(previewNeeds, withStarter, "deployments"), [
      "get deployments.apps starter",
      "list deployments.apps starter",
    ]);
    assert.deepEqual(needed(previewNeeds, {}, "limitranges"), ["get limitranges", "list limitranges"]);
  });
});
