import assert from "node:assert/strict";
import type { ClusterSnapshot, LiveObject, ManagedObject } from "../../../../cluster/read/snapshot/snapshot.ts";
import type { Member } from "../../../../config/model/members/member.ts";
import { stackLabels } from "../../../../naming/labels.ts";
import { lostRoutes, obstacles } from "../../../../plan/membership/ownership.ts";
import { refusalTexts } from "../../../../plan/messages/catalogue.ts";
import { ca } from "../../certificates.ts";
import { liveService, otherService } from "../../cluster/liveService.ts";
import { service as serviceOf } from "../../cluster/operators.ts";
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
const managedObject = (labels: Record<string, string>, content: Record<string, unknown> = {}): ManagedObject => ({
  labels,
  annotations: {},
  resourceVersion: "7",
  applied: undefined,
  content,
});
const snapshot = (change: Partial<ClusterSnapshot> = {}): ClusterSnapshot => ({
  id: "1234",
  services: new Map(),
  managedObjects: new Map(),
  owned: new Map(),
  namespaceContents: new Map(),
  ...change,
  namespaces: new Map([["ingress-nginx", live()], ...(change.namespaces ?? [])]),
});

const ways =
  "exists already and is not kubecamp's; choose another name, delete it if nobody needs it, or set adopt: true on the member to take it over";
const stopped = (members: readonly Member[], found: Partial<ClusterSnapshot> = {}, stack = settings) =>
  refusalTexts(obstacles(planOf(members, stack, snapshot(found))));

describe("ownership", () => {
  it("lets a run go on where nothing exists yet, or all that exists is the member's own", () => {
    const mine = labelsOf("bob");
    assert.deepEqual(stopped([bob]), []);
    assert.deepEqual(
      stopped([bob], {
        namespaces: new Map([["bob", live(mine)]]),
        services: new Map([["ingress-nginx/bob-svc", service(mine)]]),
        managedObjects: new Map([
          ["ClusterRole kubecamp:dev:view", managedObject(stackLabels(settings))],
          ["ClusterRoleBinding kubecamp:dev:bob:view", managedObject(mine)],
          ["Ingress ingress-nginx/bob", managedObject(mine)],
        ]),
      }),
      [],
    );
  });

  it("stops a run at every object of somebody else, by name", () => {
    assert.deepEqual(
      stopped([bob], {
        namespaces: new Map([["bob", live({ team: "data" })]]),
        services: new Map([["ingress-nginx/bob-svc", service({})]]),
        managedObjects: new Map([
          ["ClusterRole kubecamp:dev:view", managedObject({})],
          ["ClusterRoleBinding kubecamp:dev:bob:view", managedObject({})],
          ["Ingress ingress-nginx/bob", managedObject({ "app.kubernetes.io/managed-by": "Helm" })],
        ]),
      }),
      [
        "ClusterRole 'kubecamp:dev:view' exists already and is not kubecamp's; delete it if nobody needs it",
        `member 'bob': namespace 'bob' ${ways}`,
        `member 'bob': ClusterRoleBinding 'kubecamp:dev:bob:view' ${ways}`,
        `member 'bob': Service 'ingress-nginx/bob-svc' ${ways}`,
        `member 'bob': Ingress 'ingress-nginx/bob' ${ways}`,
      ],
    );
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
    const [first, second] = lost("grafana/route/ingress");
    assert.match(
      first ?? "",
      /^member 'grafana': Service 'ingress-nginx\/grafana-svc' exists already and is not kubecamp's/,
    );
    assert.match(
      second ?? "",
      /^member 'grafana': Ingress .*'route: false' would delete it: rename it, or have the state/,
    );
    assert.deepEqual(refusalTexts(lostRoutes(planOf([bob, grafana], settings, snapshot()), undefined)), []);
    assert.match(
      refusalTexts(lostRoutes(planOf([grafana], settings, found), undefined)).join(),
      /could not be read, and may have their route/,
    );
  });

  it("stops a run at a policy of the stack's name that no run has applied, and at its binding", () => {
    const name = "kubecamp-pods-dev";
    const binding = managedObject({ team: "data" });
    const managedObjects = (policy: ManagedObject) =>
      new Map([
        [`ValidatingAdmissionPolicy ${name}`, policy],
        [`ValidatingAdmissionPolicyBinding ${name}`, binding],
      ]);
    const line = (kind: string) =>
      `${kind} '${name}' exists already and is not kubecamp's; delete it if nobody needs it`;
    assert.deepEqual(stopped([], { managedObjects: managedObjects(managedObject({})) }), [
      line("ValidatingAdmissionPolicy"),
      line("ValidatingAdmissionPolicyBinding"),
    ]);
    // Its labels were taken off by hand, and are put back.
    assert.deepEqual(stopped([], { managedObjects: managedObjects({ ...managedObject({}), applied: "d" }) }), [
      line("ValidatingAdmissionPolicyBinding"),
    ]);
  });

  it("stops a run at a quota made for a member of a type without one, when they are suspended", () => {
    const found = (quota: ManagedObject) =>
      snapshot({
        namespaces: new Map([["alice", live(labelsOf("alice"))]]),
        managedObjects: new Map([["ResourceQuota alice/quota", quota]]),
      });
    const rests: Member = { ...alice, standing: "suspended" };
    assert.deepEqual(stopped([rests], found(managedObject({}))), [
      `member 'alice': ResourceQuota 'alice/quota' ${ways}`,
    ]);
    assert.deepEqual(stopped([alice], found(managedObject({}))), []);
    assert.deepEqual(stopped([{ ...rests, adopt: true }], found(managedObject({}))), []);
    // Ours, with labels or what a run left: what else differs is put back.
    assert.deepEqual(stopped([rests], found(managedObject(labelsOf("alice")))), []);
    assert.deepEqual(stopped([rests], found({ ...managedObject({}), applied: "abc" })), []);
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
      const adopted = { ...bob, adopt: true };
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
    const found = snapshot({
      namespaces: new Map([["bob", live({ team: "data" })]]),
      services: new Map([["ingress-nginx/bob-svc", service(theirs)]]),
      managedObjects: new Map([
        [
          "ClusterRoleBinding kubecamp:dev:bob:view",
          managedObject({}, { roleRef: { kind: "ClusterRole", name: "kubecamp:dev:view" } }),
        ],
        ["Ingress ingress-nginx/bob", managedObject(theirs)],
      ]),
    });
    assert.equal(stopped([bob], found).length, 4);
    assert.deepEqual(stopped([{ ...bob, adopt: true }], found), []);
  });

  it("takes over nothing of another stack or member, and no ClusterRole, with adopt either", () => {
    const prod = { ...labelsOf("bob"), "kubecamp.dev/stack": "prod" };
    const found = snapshot({
      namespaces: new Map([["bob", live({ "kubecamp.dev/stack": "prod" })]]),
      services: new Map([["ingress-nginx/bob-svc", service(prod)]]),
      managedObjects: new Map([
        ["ClusterRole kubecamp:dev:view", managedObject({})],
        ["Ingress ingress-nginx/bob", managedObject({ "kubecamp.dev/member": "robert" })],
        ["Role bob/kubecamp-edit", managedObject(prod)],
      ]),
    });
    const stays =
      "belongs to stack 'prod', which would delete it one day: adopt can't take it over; " +
      "a member can be in one stack only: choose another name, or remove the member from that stack first";
    assert.deepEqual(stopped([{ ...bob, adopt: true }], found), [
      "ClusterRole 'kubecamp:dev:view' exists already and is not kubecamp's; delete it if nobody needs it",
      `member 'bob': namespace 'bob' ${stays}`,
      `member 'bob': Service 'ingress-nginx/bob-svc' ${stays}`,
      "member 'bob': Ingress 'ingress-nginx/bob' belongs to member 'robert'; choose another name",
      `member 'bob': Role 'bob/kubecamp-edit' ${stays}`,
    ]);
  });

  it("stops a takeover at what can't be made as it is declared, or is on its way out", () => {
    const home = liveService();
    const role = (name: string) => managedObject({}, { roleRef: { kind: "ClusterRole", name } });
    const found = (change: Partial<ClusterSnapshot>) =>
      snapshot({
        ...change,
        namespaces: new Map([["bob", live()]]),
        services: new Map([["bob/bob-svc", home], ...(change.services ?? [])]),
      });
    const adopted = { ...bob, adopt: true };
    const way = (command: string) => `delete it if nobody needs it ('kubectl delete ${command}'), then run again`;
    assert.deepEqual(
      stopped(
        [adopted],
        found({
          services: new Map([["ingress-nginx/bob-svc", { ...home, labels: {} }]]),
          managedObjects: new Map([
            ["RoleBinding bob/kubecamp-edit", role("admin")],
            ["ClusterRoleBinding kubecamp:dev:bob:view", role("cluster-admin")],
            ["ResourceQuota bob/quota", managedObject({}, { spec: { hard: {}, scopes: ["NotTerminating"] } })],
            ["Ingress ingress-nginx/bob", { ...managedObject({}), terminating: true }],
          ]),
        }),
      ),
      [
        `member 'bob': ResourceQuota 'bob/quota' has scopes, which can't be removed; ${way("-n bob resourcequota/quota")}`,
        `member 'bob': RoleBinding 'bob/kubecamp-edit' is to the ClusterRole 'admin', and a binding's role can't be changed; ${way("-n bob rolebinding/kubecamp-edit")}`,
        `member 'bob': ClusterRoleBinding 'kubecamp:dev:bob:view' is to the ClusterRole 'cluster-admin', and a binding's role can't be changed; ${way("clusterrolebinding/kubecamp:dev:bob:view")}`,
        `member 'bob': Service 'ingress-nginx/bob-svc' is of type ClusterIP, and would lose its address; ${way("-n ingress-nginx service/bob-svc")}`,
        `member 'bob': Ingress 'ingress-nginx/bob' is being deleted; wait until it is gone, then run again`,
      ],
    );
    for (const name of ["", "http"]) {
      const ports = { ports: [443], portNames: { "443/TCP": name } };
      const services = new Map([["ingress-nginx/bob-svc", { ...service({}), ...ports }]]);
      assert.deepEqual(stopped([adopted], found({ services })), [
        `member 'bob': Service 'ingress-nginx/bob-svc' has port 443/TCP without a name of its own; give it one ('kubectl edit service bob-svc -n ingress-nginx'), then run again`,
      ]);
    }
    const misled = new Map([["RoleBinding bob/kubecamp-edit", role("kubecamp-edit")]]);
    assert.deepEqual(stopped([adopted], found({ managedObjects: misled })), [
      `member 'bob': RoleBinding 'bob/kubecamp-edit' is to the ClusterRole 'kubecamp-edit', and a binding's role can't be changed; ${way("-n bob rolebinding/kubecamp-edit")}`,
    ]);
    const fit = managedObject({}, { roleRef: { kind: "Role", name: "kubecamp-edit" } });
    const managedObjects = new Map([["RoleBinding bob/kubecamp-edit", fit]]);
    const portNames = { "80/TCP": "", "443/TCP": "https" };
    const services = new Map([["ingress-nginx/bob-svc", { ...service({}), portNames }]]);
    assert.deepEqual(stopped([adopted], found({ managedObjects, services })), []);
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
      "Secret 'traefik/kubecamp-backend-ca-dev' exists already and is not kubecamp's; delete it if nobody needs it",
      `member 'bob': Middleware 'traefik/bob' ${ways}`,
      `member 'bob': ServersTransport 'traefik/bob' ${ways}`,
    ]);
    assert.deepEqual(stopped([bob], found(labelsOf("bob"), stackLabels(stack)), stack), []);
    // They are nobody's business where no Ingress refers to them.
    assert.deepEqual(stopped([bob], found({}, {}), traefikSettings()), []);
  });

  it("stops a run at what another tool manages by now, though the stack's labels are on it", () => {
    const helms = { ...labelsOf("bob"), "app.kubernetes.io/managed-by": "Helm" };
    const managedObjects = new Map([["Ingress ingress-nginx/bob", managedObject(helms)]]);
    assert.equal(stopped([bob], { managedObjects }).length, 1);
  });

  it("waits for a namespace being deleted that it is to take over, and for none of its own", () => {
    const adopted = { ...bob, adopt: true };
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
    assert.deepEqual(stopped([], {}, elsewhere), [
      "namespace 'traefik' (route.namespace) does not exist; install the ingress controller, or name the namespace where it is",
    ]);
    const namespaces = new Map([["traefik", live({}, true)]]);
    assert.deepEqual(stopped([], { namespaces }, elsewhere), [
      "namespace 'traefik' (route.namespace) is being deleted; install the ingress controller, or name the namespace where it is",
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
