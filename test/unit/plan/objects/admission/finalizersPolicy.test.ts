import assert from "node:assert/strict";
import { finalizersPolicy } from "../../../../../plan/objects/admission/finalizersPolicy.ts";
import { role } from "../../../../../plan/objects/rbac/role.ts";
import { refusalsOf } from "../../../cel.ts";
import { carol, settings } from "../../../samples.ts";

// The suites in test/e2e/isolation/hostile try it on the API server.
describe("the policy on finalizers", () => {
  const { spec } = finalizersPolicy(settings);

  it("judges every kind that a member can make, and no other, and what ends pods", () => {
    const created = role(carol, settings).rules.filter(
      ({ verbs, resources }) => verbs.includes("create") && resources.every((each) => !each.includes("/")),
    );
    assert.notEqual(created.length, 0);
    assert.deepEqual(
      spec.matchConstraints.resourceRules.map(({ apiGroups, resources }) => ({ apiGroups, resources })),
      [
        ...created.map(({ apiGroups, resources }) => ({ apiGroups, resources })),
        { apiGroups: [""], resources: ["pods"] },
        { apiGroups: [""], resources: ["pods/eviction"] },
      ],
    );
  });

  const request = { namespace: "bob", resource: { resource: "pods" } };
  const member = { username: "oidc:bob", groups: [] };
  const controller = { username: "system:kube-controller-manager", groups: [] };
  const ask = "; ask your cluster's admin if it has to be";

  it("lets a Job alone take a pod that one tracks, and a controller alone give it", () => {
    const finalizers = ["batch.kubernetes.io/job-tracking"];
    const owner = (kind: string, apiVersion: string, uid = "u-1") => ({ kind, apiVersion, uid, controller: true });
    const pod = (...ownerReferences: readonly object[]) => ({
      kind: "Pod",
      metadata: { name: "web", finalizers, ownerReferences },
    });
    const job = owner("Job", "batch/v1");
    const refusals = (userInfo: object, before: object | null, ...owners: readonly object[]) =>
      refusalsOf(finalizersPolicy(settings), {
        request: { ...request, operation: before === null ? "CREATE" : "UPDATE", userInfo },
        object: pod(...owners),
        oldObject: before,
      });
    const refused = [
      `Pod 'web' would have another controller than the Job that tracks it, and then never be gone: delete the Job, or leave its ownerReferences as they are${ask}`,
    ];
    for (const taker of [
      owner("ReplicaSet", "apps/v1"),
      owner("StatefulSet", "apps/v1"),
      owner("Job", "example.org/v1"),
    ]) {
      for (const before of [null, pod(), pod(job)]) {
        assert.deepEqual(refusals(controller, before, taker), refused);
      }
      assert.deepEqual(refusals(controller, pod(taker), taker), []);
      assert.deepEqual(refusals(controller, pod(job), job, { ...taker, controller: false }), []);
    }
    assert.deepEqual([refusals(controller, null, job), refusals(controller, pod(), job)], [[], []]);
    assert.deepEqual(refusals(member, pod(job), owner("Job", "batch/v1", "u-2")), refused);
  });
});
