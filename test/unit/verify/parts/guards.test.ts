import assert from "node:assert/strict";
import { keyOf } from "../../../../cluster/kinds/objectName.ts";
import type { ClusterSnapshot, ManagedObject } from "../../../../cluster/read/snapshot.ts";
import { appliedAnnotation } from "../../../../config/names/labels.ts";
import { isRead, memberObjects, sharedObjects } from "../../../../plan/rows/manifest.ts";
import type { ReadObject } from "../../../../plan/rows/row.ts";
import { guardTrials } from "../../../../verify/parts/guards.ts";
import { applied, planOf } from "../../plan/planned.ts";
import { alice, bob, settings } from "../../samples.ts";

const shared = sharedObjects(settings).filter(isRead);
const ofBob = memberObjects({ member: bob, settings }).base.filter(isRead);
const objects = [...shared, ...ofBob];

type Change = (live: ManagedObject, object: ReadObject) => ManagedObject | undefined;

/** The cluster after a run, but for what somebody has changed in one object. */
function live(key?: string, change: Change = () => undefined): Partial<ClusterSnapshot> {
  assert.ok(key === undefined || objects.some((object) => keyOf(object) === key), key);
  const managedObjects = new Map(
    objects.flatMap((object) => {
      const as = applied(object.kind, object.args);
      const found = keyOf(object) === key ? change(as, object) : as;
      return found === undefined ? [] : [[keyOf(object), found] as const];
    }),
  );
  return { managedObjects, namespaces: new Map([["bob", { labels: {}, terminating: false }]]) };
}

/** What is not held: by whom, and what is said. */
const troubles = (snapshot: Partial<ClusterSnapshot>, list = [bob]) =>
  guardTrials(planOf(list, settings, snapshot)).flatMap(({ by, outcome }) => {
    if (outcome.is === "held") {
      return [];
    }
    return [`${by} ${outcome.is}: ${outcome.is === "broken" ? `${outcome.tried}: ${outcome.came}` : outcome.why}`];
  });

const content =
  (change: object): Change =>
  (as) => ({ ...as, content: { ...as.content, ...change } });

describe("the guard rails that verify compares", () => {
  it("stand where nobody has changed them: one trial for the stack and one for each member", () => {
    assert.deepEqual(
      guardTrials(planOf([bob], settings, live())).map(({ by, outcome }) => [by, outcome.is]),
      [
        ["the stack", "held"],
        ["bob", "held"],
      ],
    );
  });

  for (const [what, key, change, trouble] of [
    [
      "a raised quota",
      "ResourceQuota bob/quota",
      (as: ManagedObject) => {
        const { hard } = as.content.spec as { hard: object };
        return { ...as, content: { ...as.content, spec: { hard: { ...hard, pods: "500", "limits.cpu": "20" } } } };
      },
      /^bob broken: ResourceQuota bob\/quota: CPU .+ → 20, pods \d+ → 500$/,
    ],
    [
      "a deleted network policy",
      "NetworkPolicy bob/isolation",
      () => undefined,
      /^bob broken: NetworkPolicy bob\/isolation: it is not there$/,
    ],
    [
      "a binding with one more subject",
      "RoleBinding bob/kubecamp-edit",
      (as: ManagedObject) => {
        const subjects = as.content.subjects as object[];
        return { ...as, content: { ...as.content, subjects: [...subjects, { kind: "User", name: "eve" }] } };
      },
      /^bob broken: RoleBinding bob\/kubecamp-edit: user names: \+ eve$/,
    ],
    [
      "a binding to another role",
      "RoleBinding bob/kubecamp-edit",
      content({ roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "admin" } }),
      /^bob broken: RoleBinding bob\/kubecamp-edit: .*roleRef\.name kubecamp-edit → admin$/,
    ],
    [
      "a namespace without the stack's label, by which its policies judge",
      "Namespace bob",
      (as: ManagedObject) => ({ ...as, labels: { ...as.labels, "kubecamp.dev/stack": "" } }),
      /^bob broken: Namespace bob: stack dev → $/,
    ],
    [
      "a lower Pod Security level",
      "Namespace bob",
      (as: ManagedObject) => ({ ...as, labels: { ...as.labels, "pod-security.kubernetes.io/enforce": "privileged" } }),
      /^bob broken: Namespace bob: .*baseline → privileged/,
    ],
    [
      "an annotation of kubecamp's that nobody declares",
      "ResourceQuota bob/quota",
      (as: ManagedObject) => ({ ...as, annotations: { ...as.annotations, "kubecamp.dev/x": "y" } }),
      /^bob broken: ResourceQuota bob\/quota: annotation kubecamp\.dev\/x is set, which nobody declares$/,
    ],
    [
      "a deleted binding of a policy",
      "ValidatingAdmissionPolicyBinding kubecamp-services-dev",
      () => undefined,
      /^the stack broken: ValidatingAdmissionPolicyBinding kubecamp-services-dev: it is not there$/,
    ],
    [
      "a policy that only warns",
      "ValidatingAdmissionPolicyBinding kubecamp-services-dev",
      (as: ManagedObject) => ({
        ...as,
        content: { ...as.content, spec: { ...(as.content.spec as object), validationActions: ["Warn"] } },
      }),
      /^the stack broken: ValidatingAdmissionPolicyBinding kubecamp-services-dev: spec\.validationActions is not as declared$/,
    ],
    [
      "a policy with a condition more",
      "ValidatingAdmissionPolicy kubecamp-services-dev",
      (as: ManagedObject) => ({
        ...as,
        content: { ...as.content, spec: { ...(as.content.spec as object), matchConditions: [] } },
      }),
      /^the stack broken: ValidatingAdmissionPolicy kubecamp-services-dev: .*not as declared$/,
    ],
    [
      "a wider role",
      "ClusterRole kubecamp:dev:view",
      content({ rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }] }),
      /^the stack broken: ClusterRole kubecamp:dev:view: rights: \+ get secrets, − /,
    ],
    [
      "an object of an earlier declaration",
      "ResourceQuota bob/quota",
      (as: ManagedObject) => ({ ...as, applied: "earlier", content: {} }),
      /^bob unproven: ResourceQuota bob\/quota: the settings have changed since the last up; run 'kubecamp up --stack dev' first$/,
    ],
  ] as const) {
    it(`find ${what}`, () => {
      const found = troubles(live(key, change as Change));
      assert.equal(found.length, 1, found.join("\n"));
      assert.match(found[0] ?? "", trouble);
    });
  }

  it("prove nothing of somebody who is not on the cluster yet, nor of a stack without an up", () => {
    const why = "it is not on the cluster yet; run 'kubecamp up --stack dev' first";
    assert.deepEqual(troubles(live(), [bob, alice]), [`alice unproven: ${why}`]);
    assert.deepEqual(troubles({}), [`the stack unproven: ${why}`, `bob unproven: ${why}`]);
  });

  it("prove nothing of a kind that may not be listed, and still compare the others", () => {
    const { managedObjects = new Map(), ...rest } = live("ResourceQuota bob/quota", content({ spec: { hard: {} } }));
    const kept = [...managedObjects].filter(([key]) => !key.startsWith("NetworkPolicy "));
    const unread = { offline: false, kinds: new Map([["NetworkPolicy" as const, "forbidden"]]) };
    const [quota, policy, ...others] = troubles({ ...rest, managedObjects: new Map(kept), unread }).sort();
    assert.match(quota ?? "", /^bob broken: ResourceQuota/);
    assert.equal(policy, "bob unproven: not checked: this identity may not read NetworkPolicies");
    assert.deepEqual(others, []);
  });

  it("don't take what stands in the way of a member for a change by hand", () => {
    const foreign = live("Namespace bob", (as) => {
      const { [appliedAnnotation]: _, ...annotations } = as.annotations;
      return { ...as, applied: undefined, annotations, labels: { app: "theirs" } };
    });
    assert.deepEqual(troubles(foreign), ["bob unproven: Namespace bob: its labels say that it is not this stack's"]);
  });
});
