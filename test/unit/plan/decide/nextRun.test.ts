import assert from "node:assert/strict";
import type { ClusterSnapshot, ManagedObject } from "../../../../cluster/read/snapshot.ts";
import { stackLabel, unseenAnnotation } from "../../../../config/names/labels.ts";
import type { Configuration } from "../../../../config/settings.ts";
import type { PlanAndState as Look } from "../../../../plan/decide/differing.ts";
import { type NextRun, nextRun } from "../../../../plan/decide/nextRun.ts";
import { planFrom } from "../../../../plan/decide/run.ts";
import { writingOf } from "../../../../plan/decide/work.ts";
import { mostTargets } from "../../../../plan/decisions/target.ts";
import { ca } from "../../certificates.ts";
import { cluster, owned } from "../../cluster/leaving.ts";
import { liveService } from "../../cluster/liveService.ts";
import { configuration, storage, withBuckets } from "../../samples.ts";
import { clusterAfter, known, lookAfter, type Resource, replanned, stateAfter } from "./afterRun.ts";

const list = (...entries: readonly object[]) => configuration({ members: entries });
const user = (member: string, more: object = {}) => ({ member, type: "user", ...more });
const three = list(user("ana"), user("ben"), user("cleo"));
const served = cluster({ services: new Map([["ana/ana-svc", liveService()]]) });

const asks = { members: [], all: false, refresh: false };
const plan = (look: Look) => nextRun(look, asks);
const runFor = (look: Look, members: readonly string[]) => nextRun(look, { ...asks, members });
const fullRun = (look: Look) => nextRun(look, { ...asks, all: true });
const only = (...members: string[]): NextRun => ({ kind: "members", members, removedMembers: [], refresh: false });
const leaving = (...removedMembers: string[]): NextRun => ({
  kind: "members",
  members: [],
  removedMembers,
  refresh: false,
});
const refreshed = (...members: string[]): NextRun => ({ kind: "members", members, removedMembers: [], refresh: true });
const all = (why: string, refresh = false): NextRun => ({ kind: "all", refresh, why });
const nothing: NextRun = { kind: "nothing" };

/** A look after a full run of one configuration, when another is declared. */
const edited = (before: Configuration, now: Configuration, snapshot = served): Look =>
  replanned(lookAfter(before, snapshot), {}, { settings: now.settings, list: now.members });

type Content = ReturnType<typeof stateAfter>["deployment"];

/** A look after a full run, with something else in the state. */
function withState(change: (content: Content) => void, snapshot = served): Look {
  const state = stateAfter(three, snapshot);
  change(state.deployment);
  return { ...lookAfter(three, snapshot), state: known(state) };
}
const resourceOf = ({ resources }: Content, end: string): Resource =>
  resources.find(({ urn }) => urn.endsWith(end)) ?? assert.fail(end);
const without = (end: string) => (content: Content) => {
  content.resources = content.resources.filter(({ urn }) => !urn.endsWith(end));
};

/** A look after a full run, with something else on the cluster. */
function withCluster(
  change: (managedObjects: Map<string, ManagedObject>, snapshot: ClusterSnapshot) => Partial<ClusterSnapshot>,
) {
  const look = lookAfter(three, served);
  const managedObjects = new Map(look.snapshot.managedObjects);
  const more = change(managedObjects, look.snapshot);
  return replanned(look, { managedObjects, ...more });
}
function gone(managedObjects: Map<string, ManagedObject>, key: string) {
  assert.ok(managedObjects.delete(key), key);
  return {};
}
function changed(managedObjects: Map<string, ManagedObject>, key: string, content: object) {
  const managedObject = managedObjects.get(key);
  assert.ok(managedObject, key);
  managedObjects.set(key, {
    ...managedObject,
    resourceVersion: "9",
    content: { ...managedObject.content, ...content },
  });
  return {};
}

describe("the run that a stack needs", () => {
  it("plans no run where nothing differs", () => {
    assert.deepEqual(plan(lookAfter(three, served)), nothing);
    assert.deepEqual(plan(lookAfter(three, cluster())), nothing);
    const https = {
      host: "camp.example.org",
      controller: "traefik",
      place: "controller",
      backendProtocol: "HTTPS",
      backendTls: { ca },
    };
    const tls = configuration({
      route: https,
      members: [user("ana", { protect: true }), user("ben", { suspended: true })],
    });
    assert.deepEqual(plan(lookAfter(tls, served)), nothing);
  });

  it("plans only to close the route of a member whose namespace is being deleted", () => {
    const look = lookAfter(three, served);
    const managedObjects = new Map(look.snapshot.managedObjects);
    const home = managedObjects.get("Namespace ana");
    assert.ok(home);
    managedObjects.set("Namespace ana", { ...home, terminating: true });
    for (const key of ["ResourceQuota ana/quota", "RoleBinding ana/kubecamp-edit", "NetworkPolicy ana/isolation"]) {
      gone(managedObjects, key);
    }
    const ending = replanned(look, { managedObjects });
    assert.deepEqual(plan(ending), only("ana"));
    const closed = lookAfter(three, { ...look.snapshot, managedObjects });
    gone(managedObjects, "Ingress ingress-nginx/ana");
    const services = new Map(look.snapshot.services);
    services.delete("ingress-nginx/ana-svc");
    assert.deepEqual(plan(replanned(closed, { managedObjects, services })), nothing);
  });

  it("plans nothing for who left while the namespace is not gone, and only tells of who is back", () => {
    const two = lookAfter(list(user("ana"), user("cleo")), served);
    const home = lookAfter(three, served).snapshot.managedObjects.get("Namespace ben");
    assert.ok(home);
    const managedObjects = new Map([...two.snapshot.managedObjects, ["Namespace ben", { ...home, terminating: true }]]);
    const namespaces = new Map([...two.snapshot.namespaces, ["ben", { ...owned("ben"), terminating: true }]]);
    const left = replanned(two, { managedObjects, namespaces });
    assert.deepEqual(plan(left), nothing);
    const back = replanned(left, {}, { settings: two.settings, list: three.members });
    assert.deepEqual(plan(back), only("ben"));
    assert.deepEqual(back.members[1]?.readiness, { state: "pending", reason: "namespace 'ben' is being deleted" });
  });

  it("plans a run for kept starter apps that were changed or are gone, and for no other", () => {
    const apps = list(user("ana", { starter: "kept" }), user("ben", { starter: "once" }), user("cleo"));
    const look = lookAfter(apps, cluster());
    const [kept, once] = ["Deployment ana/starter", "Deployment ben/starter"];
    const { selector } = Object(look.snapshot.managedObjects.get(kept)?.content.spec);
    const changes: readonly (readonly [NextRun, (managedObjects: Map<string, ManagedObject>) => unknown])[] = [
      [nothing, (live) => changed(live, kept, { status: { availableReplicas: 1 } })],
      [only("ana"), (live) => changed(live, kept, { spec: { selector, replicas: 9 } })],
      [nothing, (live) => changed(live, "ConfigMap ben/starter-pages", { data: { "index.md": "mine" } })],
      // Pulumi's state has it still.
      [only("ben"), (live) => gone(live, once)],
      [refreshed("ana"), (live) => gone(live, kept)],
    ];
    for (const [run, change] of changes) {
      const managedObjects = new Map(look.snapshot.managedObjects);
      change(managedObjects);
      assert.deepEqual(plan(replanned(look, { managedObjects })), run);
    }
  });

  it("plans a run for members whose bucket is new, changed or gone, or who get new keys", () => {
    const data = { name: "data" };
    const buckets = (...names: readonly object[]) => ({ buckets: names });
    const [ana, ben, cleo] = [user("ana", buckets(data)), user("ben", buckets({ name: "files" })), user("cleo")];
    const before = withBuckets(ana, ben, cleo);
    const planned = (...members: readonly object[]) => plan(edited(before, withBuckets(...members)));
    assert.deepEqual(planned(ana, ben, cleo), nothing);
    assert.deepEqual(planned(ana, ben, user("cleo", buckets(data))), only("cleo"));
    assert.deepEqual(planned(user("ana", buckets({ ...data, versioning: true })), ben, cleo), only("ana"));
    assert.deepEqual(planned(user("ana"), ben, cleo), only("ana"));
    assert.deepEqual(planned(user("ana", { ...buckets(data), bucketKeyGeneration: 2 }), ben, cleo), only("ana"));
    assert.deepEqual(planned(ben, cleo), leaving("ana"));
  });

  it("plans a run for changed entries, joiners, and members whose path opens or closes", () => {
    for (const [now, run] of [
      [[user("ana"), user("ben", { maxCPUm: 900 }), user("cleo")], only("ben")],
      [[user("ana"), user("ben"), user("cleo"), user("dan")], only("dan")],
      [[user("ana"), user("ben"), { member: "cleo", type: "admin" }], only("cleo")],
      [[user("ana", { suspended: true }), user("ben"), user("cleo")], only("ana")],
    ] as const) {
      assert.deepEqual(plan(edited(three, list(...now))), run);
    }
    const look = lookAfter(three, served);
    const services = new Map(look.snapshot.services);
    services.delete("ana/ana-svc");
    services.set("cleo/cleo-svc", liveService());
    assert.deepEqual(plan(replanned(look, { services })), only("ana", "cleo"));
  });

  it("plans a run for members whose Service leads to a port that the settings have changed", () => {
    const to = (targetPort: number) =>
      configuration({
        members: [user("ana", { route: { readiness: { mode: "managed" } } }), user("ben")],
        route: { host: "camp.example.org", readiness: { targetPort } },
      });
    const runs = [8080, 3000].map((port) => plan(edited(to(8080), to(port), clusterAfter(to(8080), cluster()))));
    assert.deepEqual(runs, [nothing, only("ana")]);
  });

  it("plans a run for who leaves, as long as anything of theirs is in the state", () => {
    const less = edited(three, list(user("ana"), user("cleo")));
    assert.deepEqual(plan(less), leaving("ben"));
    assert.deepEqual(plan(edited(three, list(user("ana", { maxCPUm: 900 }), user("cleo")))), {
      ...only("ana"),
      removedMembers: ["ben"],
    });
    // A run that was killed has deleted the rest of it.
    const { state } = withState((content) => {
      content.resources = content.resources.filter(({ urn }) => !/::ben\/(?!namespace)/.test(String(urn)));
    });
    const managedObjects = new Map([...less.snapshot.managedObjects].filter(([key]) => !key.includes("ben")));
    const namespaces = new Map([...less.snapshot.namespaces].filter(([name]) => name !== "ben"));
    assert.deepEqual(plan(replanned({ ...less, state }, { namespaces, managedObjects })), leaving("ben"));
  });

  it("plans no run for a leaver who is somebody else's by now, and would be deleted", () => {
    const less = edited(three, list(user("ana"), user("cleo")));
    const labelled = (labels: Record<string, string>) => {
      const namespaces = new Map([...less.snapshot.namespaces, ["ben", { labels, terminating: false }]]);
      return replanned(less, { namespaces });
    };
    const others = labelled({ ...owned("ben").labels, [stackLabel]: "other" });
    for (const refused of [plan(others), fullRun(others)]) {
      assert.match(
        "why" in refused ? refused.why : "",
        /'ben' is no longer .*has the label kubecamp.dev\/stack: other\./,
      );
    }
    // The guard rails around it say still whose it is, unless it is another one.
    assert.deepEqual(plan(labelled({})), leaving("ben"));
    const { state } = withState((content) => {
      resourceOf(content, "::ben/namespace").outputs = { metadata: { uid: "old" } };
    });
    const namespaces = new Map([...less.snapshot.namespaces, ["ben", { labels: {}, terminating: false, uid: "new" }]]);
    const another = plan(replanned({ ...less, state }, { namespaces }));
    assert.match("why" in another ? another.why : "", /'ben' is no longer .* has made it anew/);
  });

  it("plans a full run where the last one had other things that no object shows", () => {
    const unlike = withCluster((managedObjects) => {
      const view = managedObjects.get("ClusterRole kubecamp:dev:view") ?? assert.fail();
      const annotations = { ...view.annotations, [unseenAnnotation]: "of another version" };
      managedObjects.set("ClusterRole kubecamp:dev:view", { ...view, annotations });
      return {};
    });
    const settings = all("no full run has ended with these settings and this version of kubecamp");
    assert.deepEqual(plan(unlike), settings);
    const context = configuration({ members: [user("ana"), user("ben"), user("cleo")], cluster: { context: "other" } });
    assert.deepEqual(plan(edited(three, context)), settings);
    const moved = { ...storage, endpoint: "https://s3.example.com" };
    const [one, other] = [storage, moved].map((server) => configuration({ storage: server, members: [user("ana")] }));
    assert.deepEqual(plan(edited(one ?? three, other ?? three)), settings);
  });

  it("plans to put back changes by hand of what was adopted, and has lost its labels", () => {
    const look = lookAfter(list(user("ana", { adopt: true })), served);
    const key = "NetworkPolicy ana/isolation";
    const there = look.snapshot.managedObjects.get(key) ?? assert.fail();
    const edit = {
      ...there,
      resourceVersion: "9",
      labels: {},
      content: { ...there.content, spec: {} },
    } as ManagedObject;
    assert.deepEqual(plan(look), nothing);
    const managedObjects = new Map([...look.snapshot.managedObjects, [key, edit]]);
    assert.deepEqual(plan(replanned(look, { managedObjects })), only("ana"));
  });

  it("plans a run where objects of a custom kind get another API version", () => {
    const of = (version: string): Configuration => {
      const kind = { apiVersion: `example.org/${version}`, kind: "Widget" };
      const value = { ...kind, metadata: { name: "tutor" }, spec: { size: 1 } };
      const objects = new Map([["tutor.yaml", { documents: [{ value, line: 1 }], mistakes: [] }]]);
      const settings = { objectKinds: [kind], objects: [{ file: "tutor.yaml" }], members: [user("ana")] };
      return configuration(settings, { objects } as never);
    };
    const look = lookAfter(of("v1"), served);
    assert.deepEqual(plan(look), nothing);
    const moved = [...look.snapshot.managedObjects].map(
      ([key, one]) => [key.replace(".v1.", ".v1beta1."), one] as const,
    );
    const { settings, members } = of("v1beta1");
    const next = replanned(look, { managedObjects: new Map(moved) }, { settings, list: members });
    assert.deepEqual(plan(next), only("ana"));
  });

  it("plans a full run for a project with a program of its own, which writes its state as it goes", () => {
    const look = { ...lookAfter(three, served), hasProgram: true };
    assert.deepEqual(plan(look), all("the project has a program of its own"));
    const limit = {
      ...edited(three, list(user("ana", { maxCPUm: 900 }), user("ben"), user("cleo"))),
      hasProgram: true,
    };
    assert.deepEqual(
      [writingOf(limit, undefined, false).isOnce, writingOf(limit, ["ana"], false).isOnce],
      [false, true],
    );
  });

  it("plans a refresh for a deleted namespace that the state still has, without the objects in it", () => {
    const state = stateAfter(three, cluster());
    state.deployment.resources = state.deployment.resources.filter(({ urn }) => !/::ana\/(?!namespace)/.test(urn));
    const last = known(state);
    const { snapshot, digest } = lookAfter(three, cluster());
    const left = <T>(all: ReadonlyMap<string, T>) => new Map([...all].filter(([key]) => !/(^| )ana(\/|$)/.test(key)));
    const there = {
      ...snapshot,
      namespaces: left(snapshot.namespaces),
      managedObjects: left(snapshot.managedObjects),
    };
    const planned = planFrom(three, there, last, new Date());
    assert.deepEqual(planned.snapshot.forgotten, new Set(["ana"]));
    assert.deepEqual(plan({ ...planned, state: last, digest, hasProgram: false }), refreshed("ana"));
  });

  it("plans a run for what a killed run has left", () => {
    assert.deepEqual(plan(withState(without("::ben/quota"))), only("ben"));
    for (const change of [{ initErrors: ["not yet"] }, { taint: true }, { delete: true }]) {
      const left = withState((content) => void Object.assign(resourceOf(content, "::ben/quota"), change));
      assert.deepEqual(plan(left), only("ben"));
    }
    const begun =
      (type: string, end: string, gone = false) =>
      (content: Content) => {
        const { urn } = resourceOf(content, end);
        content.pending_operations = [{ type, resource: { urn } }];
        if (gone) {
          without(end)(content);
        }
      };
    assert.deepEqual(plan(withState(begun("updating", "::ben/quota"))), refreshed("ben"));
    assert.deepEqual(plan(withState(begun("creating", "::ben/quota", true))), refreshed("ben"));
    // Pulumi remembers it for ever; the state has it by now.
    assert.deepEqual(plan(withState(begun("creating", "::ben/quota"))), nothing);
    // Nor does any run do anything about what is no longer declared, such as a route that has closed.
    const forgotten = withState((content) => {
      const urn = String(resourceOf(content, "::ben/quota").urn).replace("ben/quota", "ben/ingress");
      content.pending_operations = [{ type: "creating", resource: { urn } }];
    });
    assert.deepEqual(plan(forgotten), nothing);
    const shared = all("a run was interrupted in the shared objects", true);
    assert.deepEqual(plan(withState(begun("deleting", "::access/view"))), shared);
  });

  it("plans a refresh of members with a deleted object, or a binding to another role", () => {
    const lost = (key: string) => withCluster((managedObjects) => gone(managedObjects, key));
    assert.deepEqual(plan(lost("NetworkPolicy ben/isolation")), refreshed("ben"));
    const key = "RoleBinding cleo/kubecamp-edit";
    const other = { roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" } };
    assert.deepEqual(plan(withCluster((managedObjects) => changed(managedObjects, key, other))), refreshed("cleo"));
    assert.deepEqual(plan(lost("ClusterRole kubecamp:dev:view")), all("shared objects were deleted by hand", true));
  });

  it("plans to put back changes by hand, and to take off what is beside the declared", () => {
    const byHand = (key: string, content: object) =>
      plan(withCluster((managedObjects) => changed(managedObjects, key, content)));
    assert.deepEqual(byHand("Role ben/kubecamp-edit", { rules: [] }), only("ben"));
    const shared = all("shared objects were changed by hand");
    assert.deepEqual(byHand("ClusterRole kubecamp:dev:view", { rules: [] }), shared);
    const door = withCluster((managedObjects) => {
      const live = managedObjects.get("Ingress ingress-nginx/ana") ?? assert.fail();
      const annotations = { ...live.annotations, "nginx.ingress.kubernetes.io/service-upstream": "true" };
      managedObjects.set("Ingress ingress-nginx/ana", { ...live, annotations });
      return {};
    });
    assert.deepEqual(plan(door), only("ana"));
    const [kind, name, namespace] = ["ResourceQuota", "quota", "ben"] as const;
    const quota = { kind, name, namespace, uid: "1", owners: [{ apiVersion: "v1", kind: "Pod", name: "x", uid: "2" }] };
    assert.deepEqual(plan(withCluster(() => ({ owned: new Map([["ResourceQuota ben/quota", quota]]) }))), only("ben"));
  });

  it("plans a run for all where only a full one puts things right", () => {
    const fresh = { ...lookAfter(three, served), state: known({ deployment: { resources: [] } }) };
    assert.deepEqual(plan(fresh), all("it has had no up yet"));
    const view = {
      ...Object(fresh.snapshot.managedObjects.get("ClusterRole kubecamp:dev:view")),
      applied: "0".repeat(16),
    };
    const shared = withCluster((live) => {
      live.set("ClusterRole kubecamp:dev:view", view);
      return {};
    });
    assert.deepEqual(plan(shared), all("shared objects differ (access/view)"));
  });

  it("plans a run for all where the cluster has a member whom neither list nor state knows", () => {
    const stranger = withCluster((_, { namespaces }) => ({
      namespaces: new Map([...namespaces, ["zoe", owned("zoe")]]),
    }));
    assert.deepEqual(plan(stranger), all("zoe leaves, and Pulumi's state does not know it"));
    const others = withCluster((_, { namespaces }) => ({
      namespaces: new Map([...namespaces, ["ben", owned("ben", { [stackLabel]: "other" })]]),
    }));
    assert.deepEqual(plan(others), all("an object with the same name is in the way"));
  });

  it("plans a run for suspended members with running pods, and for an awaited Service", () => {
    const suspended = list(user("ana"), user("ben", { suspended: true }), user("cleo"));
    const look = lookAfter(suspended, served);
    const namespaceContents = new Map([["ben", { pods: 2, claims: [] }]]);
    assert.deepEqual(plan(replanned(look, { namespaceContents })), only("ben"));
    const wait = list(user("ana"), user("ben", { route: { readiness: { mode: "wait" } } }));
    assert.deepEqual(plan(lookAfter(wait, served)), only("ben"));
  });

  it("plans a run for who has woken, until their controllers have been told to make pods", () => {
    const look = lookAfter(three, served);
    const home = look.snapshot.managedObjects.get("Namespace ben") ?? assert.fail();
    const slept = { ...home, annotations: { ...home.annotations, "kubecamp.dev/slept": "2026-11-26T19:00:00Z" } };
    const managedObjects = new Map([...look.snapshot.managedObjects, ["Namespace ben", slept]]);
    assert.deepEqual(plan(replanned(look, { managedObjects })), only("ben"));
  });

  it("plans a run for all where more differ than a run may target, leavers included", () => {
    const many = (count: number) => list(...Array.from({ length: count }, (_, index) => user(`kim-${index}`)));
    const without = (count: number) => plan(edited(many(mostTargets + 2), many(count), cluster()));
    assert.equal(without(2).kind, "members");
    assert.deepEqual(without(1), all(`${mostTargets + 1} members differ`));
  });
});

describe("the run that is asked for", () => {
  const look = edited(three, list(user("ana", { maxCPUm: 900 }), user("cleo")));

  it("plans an asked-for run of those members alone, and leaves a full run's work for later", () => {
    assert.deepEqual(runFor(look, ["cleo", "ana"]), only("ana", "cleo"));
    const lacking = withCluster((managedObjects) => gone(managedObjects, "NetworkPolicy ben/isolation"));
    assert.deepEqual([runFor(lacking, ["ana"]), runFor(lacking, ["ben"])], [only("ana"), refreshed("ben")]);
  });

  it("refuses a run of some members where a full one has to come first", () => {
    const refused = (of: Look) => runFor(of, ["ana"]);
    const because = (why: string) => ({
      kind: "refused",
      why: `its members can't be updated alone: ${why}. Run a full up first: kubecamp up --stack dev`,
    });
    assert.deepEqual(refused({ ...look, state: known({}) }), because("it has had no up yet"));
    const byHand = (key: string, content: object) =>
      refused(withCluster((managedObjects) => changed(managedObjects, key, content)));
    assert.deepEqual(byHand("ClusterRole kubecamp:dev:view", { rules: [] }), only("ana"));
    const deleted = withCluster((managedObjects) => gone(managedObjects, "ClusterRole kubecamp:dev:view"));
    assert.deepEqual(refused(deleted), because("shared objects were deleted by hand"));
    assert.deepEqual(
      byHand("ValidatingAdmissionPolicyBinding kubecamp-pods-dev", { spec: { validationActions: ["Audit"] } }),
      because("the policies that guard members were changed by hand"),
    );
    const begun = withState((content) => {
      const { urn } = resourceOf(content, "::ben/quota");
      content.pending_operations = [{ type: "updating", resource: { urn } }];
    });
    assert.deepEqual(refused(begun), because("a run was interrupted in objects of ben"));
    assert.deepEqual(runFor(begun, ["ben"]), refreshed("ben"));
    assert.equal(refused(withState(without("::access/admission/pods/binding"))).kind, "refused");
  });

  it("plans a full run on demand, which refreshes where that is needed", () => {
    assert.deepEqual(fullRun(look), all("that was asked for"));
    const lacking = withCluster((managedObjects) => gone(managedObjects, "NetworkPolicy ben/isolation"));
    assert.deepEqual(fullRun(lacking), all("that was asked for", true));
  });

  it("plans a run that looks at the cluster first where that is asked for, and says so", () => {
    const asked = { members: [], all: false, refresh: true };
    const same = lookAfter(three, served);
    for (const [of, request, run] of [
      [look, { ...asked, members: ["ana"] }, refreshed("ana")],
      [look, { ...asked, all: true }, all("that was asked for", true)],
      [look, asked, { ...refreshed("ana"), removedMembers: ["ben"] }],
      [same, asked, all("--refresh asks for it", true)],
      [same, { ...asked, refresh: false }, nothing],
      [same, { ...asked, members: ["zoe"] }, nothing],
    ] as const) {
      assert.deepEqual(nextRun(of, request), run);
    }
  });
});

describe("a run that needs checkpoints, since a killed one would leave what no later one finds", () => {
  const isOnce = (look: Look, names?: readonly string[], refreshes = false) => writingOf(look, names, refreshes).isOnce;
  const same = lookAfter(three, served);
  const big = Array.from({ length: 30 }, (_, index) => user(`kim-${index}`));

  it("gives a run checkpoints that removes a member", () => {
    const look = edited(three, list(user("ana", { maxCPUm: 900 }), user("cleo", { maxCPUm: 900 })));
    assert.deepEqual(
      [["ana"], ["cleo"], undefined].map((names) => isOnce(look, names)),
      [true, true, false],
    );
  });

  it("gives no checkpoints to a run that deletes much of members who stay, and no bucket", () => {
    const all = list(...big);
    const suspended = list(...big.map((entry) => ({ ...entry, suspended: true })));
    const note = "writing the state at the end alone";
    assert.deepEqual(writingOf(edited(all, suspended), undefined, false), { isOnce: true, note });
    const [bucket, none] = [{ buckets: [{ name: "data" }] }, {}].map((more) =>
      configuration({ members: big.map((entry) => ({ ...entry, ...more })), storage }),
    );
    assert.equal(isOnce(edited(bucket ?? three, none ?? three)), false);
  });

  it("gives a run checkpoints that deletes little, since they cost little then", () => {
    assert.equal(isOnce(edited(three, list(user("ana", { suspended: true }), user("ben"), user("cleo")))), false);
  });

  it("gives no checkpoints to a run that only makes and changes other objects", () => {
    const joins = edited(three, list(...big, user("ana", { maxCPUm: 900 }), user("ben"), user("cleo")));
    assert.deepEqual(writingOf(joins, undefined, false), { isOnce: true, note: "writing the state at the end alone" });
    assert.deepEqual(writingOf(same, undefined, false), { isOnce: false });
  });

  it("gives checkpoints to a run after one that was interrupted, and says that it takes longer", () => {
    const look = edited(three, list(...big, user("ana"), user("ben"), user("cleo")));
    const begun = withState((content) => {
      content.pending_operations = [{ type: "updating", resource: { urn: resourceOf(content, "::ben/quota").urn } }];
    });
    const { isOnce, note = "" } = writingOf({ ...look, state: begun.state }, undefined, true);
    assert.equal(isOnce, false);
    assert.match(note, /takes longer, since an earlier run was interrupted/);
  });

  it("gives checkpoints to a run that changes a ConfigMap or Service, never compared as a whole", () => {
    const [before, after] = ["# One", "# Two"].map((page) =>
      configuration({ members: [user("ana")], starter: { mode: "kept", pages: { "index.md": page } } }),
    );
    assert.equal(isOnce(edited(before ?? three, after ?? three, cluster())), false);
  });

  const cosi = { kind: "cosi", version: "v1alpha1", bucketClassName: "standard", bucketAccessClassName: "keys" };
  for (const [name, server] of Object.entries({ "an S3 server": storage, COSI: cosi })) {
    it(`gives checkpoints to a run that makes buckets of ${name}`, () => {
      const with1 = (...members: readonly object[]) => configuration({ members, storage: server });
      const buckets = { buckets: [{ name: "data" }] };
      assert.equal(isOnce(edited(with1(user("ana")), with1(user("ana", buckets), ...big))), false);
      assert.equal(isOnce(edited(with1(user("ana")), with1(user("ana"), ...big))), true);
    });
  }
});
