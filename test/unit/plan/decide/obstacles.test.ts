import assert from "node:assert/strict";
import type { ClusterSnapshot, LiveObject, LiveService, ManagedObject } from "../../../../cluster/read/snapshot.ts";
import type { Member } from "../../../../config/member/member.ts";
import { stackLabels } from "../../../../config/names/labels.ts";
import { lostRoutes, obstacles } from "../../../../plan/decide/obstacles.ts";
import { refusalTexts } from "../../../../plan/words/catalogue.ts";
import { ca } from "../../certificates.ts";
import { cluster } from "../../cluster/leaving.ts";
import { liveService, otherService } from "../../cluster/liveService.ts";
import { managedObject, service as serviceOf } from "../../cluster/operators.ts";
import {
  alice,
  bob,
  configuration,
  gatewaySettings,
  labelsOf,
  member,
  settings,
  traefikSettings,
} from "../../samples.ts";
import { planOf } from "../planned.ts";

const live = (labels: Record<string, string> = {}, terminating = false): LiveObject => ({ labels, terminating });
const service = (labels: Record<string, string>) => otherService("ExternalName", { labels });
const snapshot = (change: Partial<ClusterSnapshot> = {}): ClusterSnapshot =>
  cluster({ ...change, namespaces: new Map([["ingress-nginx", live()], ...(change.namespaces ?? [])]) });

const ways =
  "exists already and is not kubecamp's; choose another name, delete it if nobody needs it, or set adopt: true on the member to take it over";
/** What is said of an object that all members share. */
const shared = (object: string) => `${object} exists already and is not kubecamp's; delete it if nobody needs it`;
const adopted: Member = { ...bob, adopt: true };
const stopped = (members: readonly Member[], found: Partial<ClusterSnapshot> = {}, stack = settings) =>
  refusalTexts(obstacles(planOf(members, stack, snapshot(found))));
/** Bob's own refusals at his live objects by their keys. */
const stoppedAt = (objects: Record<string, ManagedObject>, who = bob, more: Partial<ClusterSnapshot> = {}) =>
  stopped([who], { ...more, managedObjects: new Map(Object.entries(objects)) });

describe("ownership", () => {
  it("lets a run go on where nothing exists yet, or all that exists is the member's own", () => {
    const mine = labelsOf("bob");
    assert.deepEqual(
      stoppedAt(
        {
          "ClusterRole kubecamp:dev:view": managedObject(stackLabels(settings)),
          "ClusterRoleBinding kubecamp:dev:bob:view": managedObject(mine),
          "Ingress ingress-nginx/bob": managedObject(mine),
        },
        bob,
        { namespaces: new Map([["bob", live(mine)]]), services: new Map([["ingress-nginx/bob-svc", service(mine)]]) },
      ),
      [],
    );
  });

  it("stops a run at every object of somebody else, by name", () => {
    const found = {
      namespaces: new Map([["bob", live({ team: "data" })]]),
      services: new Map([["ingress-nginx/bob-svc", service({})]]),
    };
    const objects = {
      "ClusterRole kubecamp:dev:view": managedObject({}),
      "ClusterRoleBinding kubecamp:dev:bob:view": managedObject({}),
      "Ingress ingress-nginx/bob": managedObject({ "app.kubernetes.io/managed-by": "Helm" }),
    };
    assert.deepEqual(stoppedAt(objects, bob, found), [
      shared("ClusterRole 'kubecamp:dev:view'"),
      `member 'bob': namespace 'bob' ${ways}`,
      `member 'bob': ClusterRoleBinding 'kubecamp:dev:bob:view' ${ways}`,
      `member 'bob': Service 'ingress-nginx/bob-svc' ${ways}`,
      `member 'bob': Ingress 'ingress-nginx/bob' ${ways}`,
    ]);
  });

  it("leaves a member without a route an admin's Ingress, unless Pulumi's state has a route", () => {
    const grafana = member({ member: "grafana", type: "user", route: false });
    const found = snapshot({
      managedObjects: new Map([["Ingress ingress-nginx/grafana", managedObject({ team: "ops" })]]),
      services: new Map([["ingress-nginx/grafana-svc", service({})]]),
    });
    assert.deepEqual(stopped([grafana], found), []);
    assert.equal(stopped([member({ member: "grafana", type: "user" })], found).length, 2);
    const lost = (...last: string[]) => refusalTexts(lostRoutes(planOf([grafana], settings, found), new Set(last)));
    assert.deepEqual(lost("grafana/namespace"), []);
    const [first = "", second = ""] = lost("grafana/route/ingress");
    assert.match(first, /^member 'grafana': Service 'ingress-nginx\/grafana-svc' exists already and is not kubecamp's/);
    assert.match(second, /^member 'grafana': Ingress .*'route: false' would delete it: rename it, or have the state/);
    assert.deepEqual(refusalTexts(lostRoutes(planOf([bob, grafana], settings, snapshot()), undefined)), []);
    assert.match(
      refusalTexts(lostRoutes(planOf([grafana], settings, found), undefined)).join(),
      /could not be read, and may have their route/,
    );
  });

  it("stops a run at a policy of the stack's name that no run has applied, and at its binding", () => {
    const name = "kubecamp-pods-dev";
    const at = (policy: ManagedObject) => {
      const managedObjects = new Map([
        [`ValidatingAdmissionPolicy ${name}`, policy],
        [`ValidatingAdmissionPolicyBinding ${name}`, managedObject({ team: "data" })],
      ]);
      return stopped([], { managedObjects });
    };
    const binding = shared(`ValidatingAdmissionPolicyBinding '${name}'`);
    assert.deepEqual(at(managedObject({})), [shared(`ValidatingAdmissionPolicy '${name}'`), binding]);
    // Its labels were taken off by hand, and are put back.
    assert.deepEqual(at({ ...managedObject({}), applied: "d" }), [binding]);
  });

  it("stops a run at a quota made for a member of a type without one, when they are suspended", () => {
    const rests: Member = { ...alice, standing: "suspended" };
    const namespaces = new Map([["alice", live(labelsOf("alice"))]]);
    const at = (who: Member, quota: ManagedObject) =>
      stoppedAt({ "ResourceQuota alice/quota": quota }, who, { namespaces });
    const bare = managedObject({});
    assert.deepEqual(at(rests, bare), [`member 'alice': ResourceQuota 'alice/quota' ${ways}`]);
    assert.deepEqual([at(alice, bare), at({ ...rests, adopt: true }, bare)], [[], []]);
    // Ours, with labels or what a run left: what else differs is put back.
    assert.deepEqual(at(rests, managedObject(labelsOf("alice"))), []);
    assert.deepEqual(at(rests, { ...bare, applied: "abc" }), []);
  });

  describe("where routes are a Gateway's", () => {
    const stack = gatewaySettings();
    const found = (managedObjects: Record<string, ManagedObject>, more: Partial<ClusterSnapshot> = {}) =>
      snapshot({
        namespaces: new Map([
          ["gateways", live()],
          ["bob", live(labelsOf("bob"))],
        ]),
        services: new Map([["bob/bob-svc", serviceOf("ClusterIP")]]),
        managedObjects: new Map(Object.entries(managedObjects)),
        ...more,
      });

    it("stops a run at an HTTPRoute that somebody made for the member, once theirs is to open", () => {
      const theirs = { "HTTPRoute bob/bob": managedObject({ team: "data" }) };
      assert.deepEqual(stopped([bob], found(theirs), stack), [`member 'bob': HTTPRoute 'bob/bob' ${ways}`]);
      assert.deepEqual(stopped([bob], found(theirs, { services: new Map() }), stack), []);
      assert.deepEqual(stopped([adopted], found(theirs), stack), []);
      const ends = { "HTTPRoute bob/bob": { ...managedObject({ team: "data" }), terminating: true } };
      assert.deepEqual(stopped([adopted], found(ends), stack), [
        "member 'bob': HTTPRoute 'bob/bob' is being deleted; wait until it is gone, then run again",
      ]);
      // Objects in the namespace end with it.
      const limits = { "LimitRange bob/default-limits": { ...managedObject({}), terminating: true } };
      assert.deepEqual(stopped([adopted], found(limits), stack), []);
      assert.deepEqual(stopped([bob], found({ "HTTPRoute bob/bob": managedObject(labelsOf("bob")) }), stack), []);
    });

    it("stops a run without the namespace of the Gateway's pods", () => {
      assert.deepEqual(stopped([], {}, stack), [
        "namespace 'gateways' (route.namespace) does not exist; install what runs the Gateway, or name the namespace where its pods are",
      ]);
    });
  });

  it("takes over whatever has no owner, for a member with adopt", () => {
    const theirs = { "app.kubernetes.io/instance": "bob", "app.kubernetes.io/created-by": "members-operator" };
    const found = {
      namespaces: new Map([["bob", live({ team: "data" })]]),
      services: new Map([["ingress-nginx/bob-svc", service(theirs)]]),
    };
    const roleRef = { kind: "ClusterRole", name: "kubecamp:dev:view" };
    const objects = {
      "ClusterRoleBinding kubecamp:dev:bob:view": managedObject({}, { roleRef }),
      "Ingress ingress-nginx/bob": managedObject(theirs),
    };
    assert.equal(stoppedAt(objects, bob, found).length, 4);
    assert.deepEqual(stoppedAt(objects, adopted, found), []);
  });

  it("takes over nothing of another stack or member, and no ClusterRole, with adopt either", () => {
    const prod = { ...labelsOf("bob"), "kubecamp.dev/stack": "prod" };
    const found = {
      namespaces: new Map([["bob", live({ "kubecamp.dev/stack": "prod" })]]),
      services: new Map([["ingress-nginx/bob-svc", service(prod)]]),
    };
    const objects = {
      "ClusterRole kubecamp:dev:view": managedObject({}),
      "Ingress ingress-nginx/bob": managedObject({ "kubecamp.dev/member": "robert" }),
      "Role bob/kubecamp-edit": managedObject(prod),
    };
    const stays =
      "belongs to stack 'prod', which would delete it one day: adopt can't take it over; " +
      "a member can be in one stack only: choose another name, or remove the member from that stack first";
    assert.deepEqual(stoppedAt(objects, adopted, found), [
      shared("ClusterRole 'kubecamp:dev:view'"),
      `member 'bob': namespace 'bob' ${stays}`,
      `member 'bob': Service 'ingress-nginx/bob-svc' ${stays}`,
      "member 'bob': Ingress 'ingress-nginx/bob' belongs to member 'robert'; choose another name",
      `member 'bob': Role 'bob/kubecamp-edit' ${stays}`,
    ]);
  });

  it("stops a takeover at what can't be made as it is declared, or is on its way out", () => {
    const home = liveService();
    const role = (name: string, kind = "ClusterRole") => managedObject({}, { roleRef: { kind, name } });
    const at = (objects: Record<string, ManagedObject>, twin?: LiveService) =>
      stoppedAt(objects, adopted, {
        namespaces: new Map([["bob", live()]]),
        services: new Map([["bob/bob-svc", home], ...(twin ? [["ingress-nginx/bob-svc", twin] as const] : [])]),
      });
    const way = (command: string) => `delete it if nobody needs it ('kubectl delete ${command}'), then run again`;
    const bound = (what: string, to: string, command: string) =>
      `member 'bob': ${what} is to the ClusterRole '${to}', and a binding's role can't be changed; ${way(command)}`;
    const ofBinding = "-n bob rolebinding/kubecamp-edit";
    const theirs = {
      "RoleBinding bob/kubecamp-edit": role("admin"),
      "ClusterRoleBinding kubecamp:dev:bob:view": role("cluster-admin"),
      "ResourceQuota bob/quota": managedObject({}, { spec: { hard: {}, scopes: ["NotTerminating"] } }),
      "Ingress ingress-nginx/bob": { ...managedObject({}), terminating: true },
    };
    const view = "kubecamp:dev:bob:view";
    assert.deepEqual(at(theirs, home), [
      `member 'bob': ResourceQuota 'bob/quota' has scopes, which can't be removed; ${way("-n bob resourcequota/quota")}`,
      bound("RoleBinding 'bob/kubecamp-edit'", "admin", ofBinding),
      bound(`ClusterRoleBinding '${view}'`, "cluster-admin", `clusterrolebinding/${view}`),
      `member 'bob': Service 'ingress-nginx/bob-svc' is of type ClusterIP, and would lose its address; ${way("-n ingress-nginx service/bob-svc")}`,
      `member 'bob': Ingress 'ingress-nginx/bob' is being deleted; wait until it is gone, then run again`,
    ]);
    for (const name of ["", "http"]) {
      const ports = { ports: [443], portNames: { "443/TCP": name } };
      assert.deepEqual(at({}, { ...service({}), ...ports }), [
        `member 'bob': Service 'ingress-nginx/bob-svc' has port 443/TCP without a name of its own; give it one ('kubectl edit service bob-svc -n ingress-nginx'), then run again`,
      ]);
    }
    assert.deepEqual(at({ "RoleBinding bob/kubecamp-edit": role("kubecamp-edit") }), [
      bound("RoleBinding 'bob/kubecamp-edit'", "kubecamp-edit", ofBinding),
    ]);
    const portNames = { "80/TCP": "", "443/TCP": "https" };
    const fit = { "RoleBinding bob/kubecamp-edit": role("kubecamp-edit", "Role") };
    assert.deepEqual(at(fit, { ...service({}), portNames }), []);
  });

  it("stops a run at what Ingresses would refer to by the controller, if it is somebody else's", () => {
    const stack = traefikSettings({ rewrite: "strip", backendProtocol: "HTTPS", backendTls: { ca } });
    const names = ["Secret traefik/kubecamp-backend-ca-dev", "Middleware traefik/bob", "ServersTransport traefik/bob"];
    const found = (own: Record<string, string>, shared: Record<string, string>) =>
      snapshot({
        namespaces: new Map([["traefik", live()]]),
        managedObjects: new Map(names.map((name) => [name, managedObject(name.startsWith("Secret") ? shared : own)])),
      });
    assert.deepEqual(stopped([bob], found({ team: "web" }, {}), stack), [
      shared("Secret 'traefik/kubecamp-backend-ca-dev'"),
      `member 'bob': Middleware 'traefik/bob' ${ways}`,
      `member 'bob': ServersTransport 'traefik/bob' ${ways}`,
    ]);
    assert.deepEqual(stopped([bob], found(labelsOf("bob"), stackLabels(stack)), stack), []);
    // They are nobody's business where no Ingress refers to them.
    assert.deepEqual(stopped([bob], found({}, {}), traefikSettings()), []);
  });

  it("stops a run at what another tool manages by now, though the stack's labels are on it", () => {
    const helms = { ...labelsOf("bob"), "app.kubernetes.io/managed-by": "Helm" };
    assert.equal(stoppedAt({ "Ingress ingress-nginx/bob": managedObject(helms) }).length, 1);
  });

  it("waits for a namespace being deleted that it is to take over, and for none of its own", () => {
    const namespaces = new Map([["bob", live({ team: "data" }, true)]]);
    assert.deepEqual(stopped([adopted], { namespaces }), [
      "member 'bob': namespace 'bob' is still being deleted; wait until it is gone, then run again",
    ]);
    const own = new Map([["bob", live(labelsOf("bob"), true)]]);
    assert.deepEqual(stopped([bob], { namespaces: own }), []);
    const others = new Map([["bob", live({ ...labelsOf("bob"), "kubecamp.dev/stack": "prod" }, true)]]);
    assert.doesNotMatch(stopped([bob], { namespaces: others }).join(), /wait until it is gone/);
  });

  it("stops a run without the ingress controller's namespace, which is not ours to make", () => {
    const elsewhere = configuration({ members: [], route: { host: "h", namespace: "traefik" } }).settings;
    const wayOut = "install the ingress controller, or name the namespace where it is";
    assert.deepEqual(stopped([], {}, elsewhere), [`namespace 'traefik' (route.namespace) does not exist; ${wayOut}`]);
    const namespaces = new Map([["traefik", live({}, true)]]);
    assert.deepEqual(stopped([], { namespaces }, elsewhere), [
      `namespace 'traefik' (route.namespace) is being deleted; ${wayOut}`,
    ]);
    const second = configuration({
      members: [],
      route: { host: "camp.example.org", controller: "ingress-nginx", also: { controller: "haproxy" } },
    }).settings;
    assert.deepEqual(stopped([], {}, second), [
      `namespace 'haproxy-controller' (route.also.namespace) does not exist; ${wayOut}`,
    ]);
  });

  it("stops a run on another cluster than the stack's own, whatever else is wrong there", () => {
    const id = "0b9c7f0e-6a51-4c6f-9c0e-2f1d3a4b5c6d";
    const { settings: own } = configuration({ members: [], cluster: { id } });
    const managedObjects = new Map([["ClusterRole kubecamp:dev:view", managedObject({})]]);
    const found = stopped([], { managedObjects }, own);
    assert.deepEqual(found, [
      `this is another cluster: its id is 1234, and the stack's (cluster.id) is ${id}; switch to the right context, or change cluster.id if the cluster was rebuilt`,
    ]);
    assert.deepEqual(stopped([], { id }, own), []);
  });
});
