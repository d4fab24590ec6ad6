import assert from "node:assert/strict";
import { obstacles } from "../../../cluster/ownership.ts";
import type { ClusterSnapshot, LiveObject } from "../../../cluster/snapshot.ts";
import { stackLabels } from "../../../naming/labels.ts";
import { bob, configuration, labelsOf, settings } from "../samples.ts";

const live = (labels: Record<string, string> = {}, terminating = false): LiveObject => ({ labels, terminating });
const service = (labels: Record<string, string>) => ({
  ...live(labels),
  type: "ExternalName",
  clusterIP: "",
  hasSelector: false,
  ports: [80],
});
const snapshot = (change: Partial<ClusterSnapshot> = {}): ClusterSnapshot => ({
  id: "1234",
  services: new Map(),
  ingresses: new Map(),
  clusterRoles: new Map(),
  clusterRoleBindings: new Map(),
  guards: new Map(),
  owned: new Map(),
  belongings: new Map(),
  ...change,
  namespaces: new Map([["ingress-nginx", live()], ...(change.namespaces ?? [])]),
});

describe("ownership", () => {
  it("lets a run go on where nothing exists yet, and where all that exists is the member's own", () => {
    const mine = labelsOf("bob");
    assert.deepEqual(obstacles([bob], settings, snapshot()), []);
    assert.deepEqual(
      obstacles(
        [bob],
        settings,
        snapshot({
          namespaces: new Map([["bob", live(mine)]]),
          services: new Map([["ingress-nginx/bob-svc", service(mine)]]),
          ingresses: new Map([["bob", live(mine)]]),
          clusterRoleBindings: new Map([["kubecamp:dev:bob:view", live(mine)]]),
          clusterRoles: new Map([["kubecamp:dev:view", live(stackLabels(settings))]]),
        }),
      ),
      [],
    );
  });

  it("stops at every object of somebody else, by name", () => {
    assert.deepEqual(
      obstacles(
        [bob],
        settings,
        snapshot({
          namespaces: new Map([["bob", live({ team: "data" })]]),
          services: new Map([["ingress-nginx/bob-svc", service({})]]),
          ingresses: new Map([["bob", live({ "app.kubernetes.io/managed-by": "Helm" })]]),
          clusterRoleBindings: new Map([["kubecamp:dev:bob:view", live()]]),
          clusterRoles: new Map([["kubecamp:dev:view", live()]]),
        }),
      ),
      [
        "ClusterRole 'kubecamp:dev:view' exists already and is not kubecamp's; delete it if nobody needs it",
        "member 'bob': namespace 'bob' exists already and is not kubecamp's; choose another name, or delete it if nobody needs it",
        "member 'bob': ClusterRoleBinding 'kubecamp:dev:bob:view' exists already and is not kubecamp's; choose another name, or delete it if nobody needs it",
        "member 'bob': Service 'ingress-nginx/bob-svc' exists already and is not kubecamp's; choose another name, or delete it if nobody needs it",
        "member 'bob': Ingress 'ingress-nginx/bob' exists already and is not kubecamp's; choose another name, or delete it if nobody needs it",
      ],
    );
  });

  it("stops at a member of another stack", () => {
    const namespaces = new Map([["bob", live({ ...labelsOf("bob"), "kubecamp.dev/stack": "prod" })]]);
    assert.deepEqual(obstacles([bob], settings, snapshot({ namespaces })), [
      "member 'bob': namespace 'bob' belongs to stack 'prod'; a member can be in one stack only",
    ]);
  });

  it("stops at another member's object", () => {
    const ingresses = new Map([["bob", live(labelsOf("robert"))]]);
    assert.deepEqual(obstacles([bob], settings, snapshot({ ingresses })), [
      "member 'bob': Ingress 'ingress-nginx/bob' belongs to member 'robert'; choose another name",
    ]);
  });

  it("waits for a namespace of the same name that is still being deleted", () => {
    const namespaces = new Map([["bob", live(labelsOf("bob"), true)]]);
    assert.deepEqual(obstacles([bob], settings, snapshot({ namespaces })), [
      "member 'bob': namespace 'bob' is still being deleted; wait until it is gone, then run again",
    ]);
  });

  it("stops without the ingress controller's namespace, which is not ours to make", () => {
    const elsewhere = configuration({ members: [], route: { host: "h", namespace: "traefik" } }).settings;
    assert.deepEqual(obstacles([], elsewhere, snapshot()), [
      "namespace 'traefik' (route.namespace) does not exist; install the ingress controller, or name the namespace where it is",
    ]);
  });

  it("stops on another cluster than the stack's own, whatever else is wrong there", () => {
    const { settings: own } = configuration({ members: [], cluster: { id: "5678" } });
    const clusterRoles = new Map([["kubecamp:dev:view", live()]]);
    const stopped = obstacles([], own, snapshot({ clusterRoles }));
    assert.deepEqual(stopped, [
      "this is another cluster: its id is 1234, and the stack's (cluster.id) is 5678; switch to the right context, or change cluster.id if the cluster was rebuilt",
    ]);
    assert.deepEqual(obstacles([], own, snapshot({ id: "5678" })), []);
  });
});
