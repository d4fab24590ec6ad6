import assert from "node:assert/strict";
import { endingOptions } from "../../../../components/hooks/ignoredChanges.ts";
import { heldText } from "../../../../plan/live/ending.ts";
import { endingOf, halfForgotten } from "../../../../plan/members/ending.ts";
import { waitedFor } from "../../../../plan/members/restless.ts";
import { refusalTexts } from "../../../../plan/words/catalogue.ts";
import { cluster } from "../../cluster/leaving.ts";
import { managedObject, service } from "../../cluster/operators.ts";
import { alice, bob, labelsOf, member, settings } from "../../samples.ts";
import { planned, planOf } from "../planned.ts";

describe("a member whose namespace is being deleted", () => {
  const gone = { ...managedObject(labelsOf("bob")), terminating: true };
  const snapshot = {
    namespaces: new Map([
      ["alice", { labels: labelsOf("alice"), terminating: false }],
      ["bob", { labels: labelsOf("bob"), terminating: true }],
    ]),
    managedObjects: new Map([
      ["Namespace alice", managedObject(labelsOf("alice"))],
      ["Namespace bob", gone],
    ]),
    services: new Map([["bob/bob-svc", service("ClusterIP")]]),
  };

  it("opens no route in a namespace being deleted, and waits for none, whatever the Service", () => {
    const reason = "namespace 'bob' is being deleted";
    assert.deepEqual(planned(bob, settings, snapshot).readiness, { state: "pending", reason });
    const condition = (type: string, status: string, message: string) => ({ type, status, message });
    const [content, finalizers] = ["configmaps. has 1 resource instances", "example.org/held in 1 resource instances"];
    const failure = "NamespaceDeletionDiscoveryFailure";
    const conditions = [
      condition(failure, "False", "All resources discovered"),
      condition("NamespaceContentRemaining", "True", content),
      condition("NamespaceFinalizersRemaining", "True", finalizers),
    ];
    const told = { ...gone, content: { status: { conditions } } };
    const managedObjects = new Map([...snapshot.managedObjects, ["Namespace bob", told]]);
    const { readiness } = planned(bob, settings, { ...snapshot, managedObjects });
    assert.deepEqual(readiness, { state: "pending", reason: `${reason}: ${content}; ${finalizers}` });
    const dead = "stale GroupVersion discovery: metrics.k8s.io/v1beta1";
    const held = heldText({ status: { conditions: [condition(failure, "True", dead)] } });
    assert.equal(held, `: ${dead} (see kubectl get apiservices)`);
    const none = member({ member: "bob", type: "user", route: false });
    assert.deepEqual(planned(none, settings, snapshot).readiness, { state: "pending", reason });
    const waits = member({ member: "bob", type: "user", route: { readiness: { mode: "wait" } } });
    assert.deepEqual(waitedFor(planOf([waits], settings, snapshot)), []);
  });

  const objects = new Map([
    ["limits", "LimitRange bob/default-limits"],
    ["isolation", "NetworkPolicy bob/isolation"],
    ["service-account", "ServiceAccount bob/default"],
    ["quota", "ResourceQuota bob/quota"],
    ["role/edit", "Role bob/kubecamp-edit"],
    ["binding/edit", "RoleBinding bob/kubecamp-edit"],
    ["others/view", "ClusterRoleBinding kubecamp:dev:bob:view"],
    ["starter/pages", "ConfigMap bob/starter-pages"],
  ]);
  const whole = new Set(["bob", "bob/namespace", "bob/service", ...[...objects.keys()].map((part) => `bob/${part}`)]);
  const all = {
    ...snapshot,
    managedObjects: new Map([...snapshot.managedObjects, ...[...objects.values()].map((key) => [key, gone] as const)]),
  };

  it("keeps an ending member as the state has them, or leaves them out, or stops the run", () => {
    const of = (...last: string[]) => {
      const { leftOut, refused } = endingOf([alice, bob], settings, all, new Set(last));
      return { leftOut, refused: refusalTexts(refused) };
    };
    assert.deepEqual(of(...whole), { leftOut: new Set(), refused: [] });
    assert.deepEqual(of("alice", "alice/namespace"), { leftOut: new Set([bob]), refused: [] });
    const refused = ["member 'bob': namespace 'bob' is still being deleted; wait until it is gone, then run again"];
    assert.deepEqual(of("bob/bucket/data"), { leftOut: new Set(), refused });
    const [unread = ""] = refusalTexts(endingOf([alice, bob], settings, all, undefined).refused);
    assert.ok(unread.startsWith(`${refused[0]}; `) && unread.includes("'pulumi stack export --stack dev'"), unread);
  });

  it("makes nothing anew in an ending namespace: what is gone from cluster or state stays out", () => {
    const goneOf = (live: typeof all, last: ReadonlySet<string>) =>
      [...endingOf([alice, bob], settings, live, last).gone].filter((name) => whole.has(name));
    assert.deepEqual(goneOf(all, whole), []);
    assert.deepEqual(goneOf({ ...all, services: new Map() }, whole), ["bob/service"]);
    for (const [part, key] of objects) {
      const without = new Map([...all.managedObjects].filter(([other]) => other !== key));
      assert.deepEqual(goneOf({ ...all, managedObjects: without }, whole), [`bob/${part}`]);
      const last = new Set([...whole].filter((name) => name !== `bob/${part}`));
      const { gone: names, refused } = endingOf([alice, bob], settings, all, last);
      assert.deepEqual([names.has(`bob/${part}`), refused], [true, []], part);
    }
  });

  it("lists a deleted namespace as half forgotten while the state has it without its guards", () => {
    const absent = cluster();
    const known = (...missing: string[]) => new Set([...whole].filter((name) => !missing.includes(name)));
    const of = (last: ReadonlySet<string> | undefined) => [...halfForgotten([bob], settings, absent, last)];
    assert.deepEqual(of(known("bob/limits")), ["bob"]);
    assert.deepEqual(of(known("bob/quota")), ["bob"]);
    for (const last of [known(), known("bob/binding/edit"), known("bob/namespace", "bob/limits"), undefined]) {
      assert.deepEqual(of(last), []);
    }
    assert.deepEqual([...halfForgotten([bob], settings, snapshot, known("bob/limits"))], []);
    const reason = "namespace 'bob' was deleted; 'pulumi up --refresh' makes it again, and the next up its objects";
    const forgotten = { ...absent, forgotten: new Set(["bob"]) };
    assert.deepEqual(planned(bob, settings, forgotten).readiness, { state: "pending", reason });
    const { gone: left } = endingOf([alice, bob], settings, forgotten, known("bob/limits"));
    assert.ok(["bob/limits", "bob/quota", "bob/binding/edit", "bob/others/view"].every((name) => left.has(name)));
  });

  it("registers an ending member's objects as they are, and their buckets as declared", () => {
    const ending = new Set(["bob"]);
    const options = { ignoreChanges: ["*"], replacementTrigger: null };
    assert.deepEqual(endingOptions("kubernetes:core/v1:ResourceQuota", "bob/quota", ending), options);
    assert.equal(endingOptions("kubernetes:core/v1:ResourceQuota", "alice/quota", ending), undefined);
    assert.equal(endingOptions("kubecamp-buckets:index:Bucket", "bob/bucket/data", ending), undefined);
    assert.equal(endingOptions("kubecamp:index:MemberEnvironment", "bob", ending), undefined);
  });
});
