import assert from "node:assert/strict";
import { policyOf } from "../../../../objects/admission/policies.ts";
import { role } from "../../../../objects/rbac/role.ts";
import { refusalsOf } from "../../cel.ts";
import { carol, settings } from "../../samples.ts";

// The suites in test/e2e/isolation/hostile try it on the API server.
describe("the policy on finalizers", () => {
  const { spec } = policyOf("finalizers", settings);

  it("judges finalizers of every kind that a member can make, and no other, and what ends pods", () => {
    const created = role(carol, settings).rules.filter(
      ({ verbs, resources }) => verbs.includes("create") && resources.every((each) => !each.includes("/")),
    );
    assert.notEqual(created.length, 0);
    type Rule = { readonly apiGroups: readonly string[]; readonly resources: readonly string[] };
    const kindsOf = (rules: readonly Rule[]) => rules.map(({ apiGroups, resources }) => ({ apiGroups, resources }));
    const ofPods = ["pods", "pods/eviction"].map((resource) => ({ apiGroups: [""], resources: [resource] }));
    assert.deepEqual(kindsOf(spec.matchConstraints.resourceRules), [...kindsOf(created), ...ofPods]);
  });

  const request = { namespace: "bob", resource: { resource: "pods" } };
  const member = { username: "oidc:bob", groups: [] };
  const controller = { username: "system:kube-controller-manager", groups: [] };
  const ask = "; ask your cluster's admin if it has to be";

  it("lets only a Job take a pod that one tracks, and only a controller hand the pod over", () => {
    const finalizers = ["batch.kubernetes.io/job-tracking"];
    const owner = (kind: string, apiVersion: string, uid = "u-1") => ({ kind, apiVersion, uid, controller: true });
    const pod = (...ownerReferences: readonly object[]) => ({
      kind: "Pod",
      metadata: { name: "web", finalizers, ownerReferences },
    });
    const job = owner("Job", "batch/v1");
    const refusals = (userInfo: object, before: object | null, ...owners: readonly object[]) =>
      refusalsOf(policyOf("finalizers", settings), {
        request: { ...request, operation: before === null ? "CREATE" : "UPDATE", userInfo },
        object: pod(...owners),
        oldObject: before,
      });
    const refused = [
      `Pod 'web' would have another controller than the Job that tracks it, and then never be gone: delete the Job, or leave its ownerReferences as they are${ask}`,
    ];
    const controllers = ["ReplicaSet", "StatefulSet"].map((kind) => owner(kind, "apps/v1"));
    for (const taker of [...controllers, owner("Job", "example.org/v1")]) {
      for (const before of [null, pod(), pod(job)]) {
        assert.deepEqual(refusals(controller, before, taker), refused);
      }
      assert.deepEqual(refusals(controller, pod(taker), taker), []);
      assert.deepEqual(refusals(controller, pod(job), job, { ...taker, controller: false }), []);
    }
    assert.deepEqual([refusals(controller, null, job), refusals(controller, pod(), job)], [[], []]);
    assert.deepEqual(refusals(member, pod(job), owner("Job", "batch/v1", "u-2")), refused);
  });

  it("lets a running pod be gone at once if nothing of it would run on, or Kubernetes says so", () => {
    const pod = (spec: object, phase = "Running") => ({
      metadata: { name: "web" },
      spec: { terminationGracePeriodSeconds: 30, nodeName: "node-1", ...spec },
      status: { phase },
    });
    const deletion = (oldObject: object, options: object, userInfo: object = member) =>
      refusalsOf(policyOf("finalizers", settings), {
        request: { ...request, operation: "DELETE", options, userInfo },
        object: {},
        oldObject,
      });
    const now = { gracePeriodSeconds: 0 };
    const refused = [
      `Pod 'web' would be gone, and its share of the quota free, while its containers may run on: leave --force and --grace-period out, and let it end${ask}`,
    ];
    assert.deepEqual(deletion(pod({}), now), refused);
    const ending = { ...pod({}), metadata: { name: "web", deletionGracePeriodSeconds: 300 } };
    for (const gracePeriodSeconds of [-1, 1, 299]) {
      assert.deepEqual(deletion(ending, { gracePeriodSeconds }), refused);
    }
    const gone = [pod({}, "Succeeded"), pod({}, "Failed"), pod({ terminationGracePeriodSeconds: 0 })];
    const may = [
      ...[deletion(pod({}), {}), deletion(ending, {}), deletion(ending, { gracePeriodSeconds: 300 })],
      ...[deletion(pod({}), { gracePeriodSeconds: 1 }), deletion(pod({ nodeName: undefined }, "Pending"), now)],
      ...gone.map((each) => deletion(each, now)),
      ...[{ username: "system:node:node-1", groups: [] }, controller].map((who) => deletion(pod({}), now, who)),
    ];
    assert.deepEqual(may, Array(may.length).fill([]));
    const eviction = (deleteOptions: object) =>
      refusalsOf(policyOf("finalizers", settings), {
        request: { ...request, operation: "CREATE", userInfo: member },
        object: { kind: "Eviction", metadata: { name: "web" }, deleteOptions },
      });
    assert.deepEqual([eviction(now), eviction({}), eviction({ gracePeriodSeconds: 1 })], [refused, [], refused]);
  });
});
