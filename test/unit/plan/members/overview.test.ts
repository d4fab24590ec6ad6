import assert from "node:assert/strict";
import { noBuckets, type OverviewLists } from "../../../../cluster/read/overviewLists.ts";
import { overviewOf } from "../../../../plan/members/overview.ts";
import { memberOverview } from "../../commands/members/memberOverview.ts";
import { labelsOf, today } from "../../samples.ts";

const none: OverviewLists = {
  namespaces: [],
  quotas: [],
  services: [],
  endpointSlices: [],
  doors: [],
  pods: [],
  starters: [],
  buckets: noBuckets,
  bindings: [],
};
const gone = { deletionTimestamp: new Date("2026-06-15T09:00:00Z") };

const namespace = (name: string, labels: Record<string, string> = {}, metadata: object = {}) => ({
  metadata: {
    name,
    labels: { ...labelsOf(name), "kubecamp.dev/type": "user", "kubecamp.dev/standing": "active", ...labels },
    ...metadata,
  },
});
const ingress = (name: string, metadata: object = {}) => ({
  metadata: { name, namespace: "ingress-nginx", labels: labelsOf(name), ...metadata },
  spec: {
    rules: [
      {
        host: "camp.test",
        http: { paths: [{ path: `/${name}`, pathType: "Prefix", backend: { service: { name: `${name}-svc` } } }] },
      },
    ],
  },
});
const service = (name: string, spec: object = {}) => ({
  metadata: { name: `${name}-svc`, namespace: name },
  spec: { type: "ClusterIP", clusterIP: "10.0.0.7", selector: { app: "web" }, ports: [{ port: 80 }], ...spec },
});
const pod = (name: string, at: string, metadata: object = {}) => ({ metadata: { name, namespace: at, ...metadata } });

const bob = memberOverview("bob", { state: "pending", reason: "no Service 'bob-svc' in namespace 'bob'" });
const ready = { state: "ready", reason: undefined };
const overview = (lists: Partial<OverviewLists>) => overviewOf({ ...none, ...lists }, today);
/** bob's row when the cluster has these objects. */
const state = (lists: Partial<OverviewLists>, labels: Record<string, string> = {}) => {
  const [{ state, reason } = bob] = overview({ namespaces: [namespace("bob", labels)], ...lists });
  return { state, reason };
};

describe("the overview of the members", () => {
  it("shows what the cluster has of a member", () => {
    const lists = {
      namespaces: [namespace("bob", { "kubecamp.dev/expires": "2026-12-31", "kubecamp.dev/protected": "true" })],
      services: [service("bob"), service("carol")],
      doors: [ingress("carol"), ingress("bob")],
      pods: [pod("web", "bob"), pod("job", "bob"), pod("old", "bob", gone), pod("web", "carol")],
      quotas: [
        {
          metadata: { name: "quota", namespace: "bob", labels: labelsOf("bob") },
          spec: { hard: { "limits.cpu": "1", persistentvolumeclaims: "5" } },
          status: { hard: { "limits.cpu": "500m" }, used: { "limits.cpu": "250m" } },
        },
      ],
    };
    assert.deepEqual(overview(lists), [
      {
        ...bob,
        state: "ready",
        reason: undefined,
        route: { host: "camp.test", path: "/bob" },
        expires: "2026-12-31",
        protected: true,
        pods: 2,
        usage: {
          "limits.cpu": { used: "250m", hard: "500m" },
          persistentvolumeclaims: { used: undefined, hard: "5" },
        },
      },
    ]);
  });

  it("shows CI jobs of the binding that kubecamp made for them, the ServiceAccount last", () => {
    const binding = (name: string, subjects: readonly (readonly [string, string])[], metadata: object = {}) => ({
      metadata: { name, namespace: "bob", labels: labelsOf("bob"), ...metadata },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "kubecamp-edit" },
      subjects: subjects.map(([kind, name]) => ({ kind, name })),
    });
    const ofCi = binding("kubecamp:ci", [
      ["ServiceAccount", "kubecamp-ci"],
      ["User", "gitlab:project_path:bob/site:ref_type:branch:ref:main"],
      ["User", "github:repo:bob/site:ref:refs/heads/main"],
    ]);
    const bindings = [ofCi, binding("kubecamp:ci-token", [["User", "oidc:bob"]])];
    const [bob, carol] = overview({ namespaces: [namespace("bob"), namespace("carol")], bindings });
    assert.deepEqual(bob?.ci, [
      { kind: "User", name: "github:repo:bob/site:ref:refs/heads/main" },
      { kind: "User", name: "gitlab:project_path:bob/site:ref_type:branch:ref:main" },
      { kind: "ServiceAccount", name: "kubecamp-ci" },
    ]);
    assert.deepEqual(carol?.ci, []);
    const ended = { ...ofCi, metadata: { ...ofCi.metadata, ...gone } };
    assert.deepEqual(overview({ namespaces: [namespace("bob")], bindings: [ended] })[0]?.ci, []);
  });

  it("tells why a path is not open, or will not stay so", () => {
    const open = { doors: [ingress("bob")] };
    const headless = { services: [service("bob", { clusterIP: "None" })] };
    const reason =
      "Service 'bob-svc' is headless (clusterIP: None), and no pod behind port 80 of Service 'bob-svc' is ready; " +
      "see 'kubectl get pods -n bob -l app=web'";
    assert.deepEqual(state(headless), { state: "pending", reason });
    const endpointSlices = [
      {
        addressType: "IPv4",
        metadata: { namespace: "bob", labels: { "kubernetes.io/service-name": "bob-svc" } },
        endpoints: [{ addresses: ["10.1.0.1"] }],
        ports: [{ port: 80 }],
      },
    ];
    assert.deepEqual(state({ ...headless, ...open, endpointSlices }), { state: "ready", reason: undefined });
    assert.deepEqual(state({ ...headless, ...open }), {
      state: "pending",
      reason: `${reason}: the next 'pulumi up' closes the path`,
    });
    for (const doors of [[], [ingress("bob", gone)]]) {
      assert.deepEqual(state({ services: [service("bob")], doors }), {
        state: "pending",
        reason: "its Service is fit: the next 'pulumi up' opens the path; if it does not, 'pulumi up --refresh'",
      });
    }
  });

  describe("goes by what the last run's settings ask of a Service", () => {
    const needs = (text: string, lists: Partial<OverviewLists>) => state(lists, { "kubecamp.dev/route": text });
    const https = { services: [service("bob", { ports: [{ port: 443 }] })] };
    const slice = (ready: boolean, port = 8080) => ({
      addressType: "IPv4",
      metadata: { namespace: "bob", labels: { "kubernetes.io/service-name": "bob-svc" } },
      endpoints: [{ addresses: ["10.1.0.1"], conditions: { ready } }],
      ports: [{ port }],
    });
    const fit = /^its Service is fit: the next 'pulumi up' opens the path/;
    const unanswered = (port: number) =>
      `no pod behind port ${port} of Service 'bob-svc' is ready; see 'kubectl get pods -n bob -l app=web'`;

    it("another port, whether the path is open or not", () => {
      assert.match(needs("443.service", https).reason ?? "", fit);
      assert.deepEqual(needs("443.service", { ...https, doors: [ingress("bob")] }), ready);
      const reason = "Service 'bob-svc' has no TCP port 443 (it has 80)";
      assert.deepEqual(needs("443.service", { services: [service("bob")] }), { state: "pending", reason });
    });

    it("a ready pod behind the port", () => {
      const bobs = { services: [service("bob")] };
      assert.deepEqual(needs("80.endpoints", bobs), { state: "pending", reason: unanswered(80) });
      assert.equal(needs("80.endpoints", { ...bobs, endpointSlices: [slice(false)] }).reason, unanswered(80));
      assert.match(needs("80.endpoints", { ...bobs, endpointSlices: [slice(true)] }).reason ?? "", fit);
      assert.equal(needs("443.endpoints", https).reason, unanswered(443));
      assert.deepEqual(needs("80.endpoints", { ...bobs, doors: [ingress("bob")] }), {
        state: "pending",
        reason: `${unanswered(80)}: the next 'pulumi up' closes the path`,
      });
    });

    it("by default a fit Service on port 80, also where somebody has broken the label", () => {
      for (const text of ["", "22.service", "80.pods", "443.endpoints.x", "-1"]) {
        assert.match(needs(text, { services: [service("bob")] }).reason ?? "", fit, text);
        assert.match(needs(text, https).reason ?? "", /has no TCP port 80 \(it has 443\)$/, text);
      }
    });
  });

  describe("shows a route at a Gateway", () => {
    const httpRoute = (more: object = {}) => ({
      metadata: { name: "bob", namespace: "bob", labels: labelsOf("bob") },
      spec: {
        hostnames: ["camp.test"],
        rules: [
          { matches: [{ path: { type: "PathPrefix", value: "/bob" } }], backendRefs: [{ name: "bob-svc", port: 80 }] },
        ],
      },
      ...more,
    });
    const bobs = (route: ReturnType<typeof httpRoute>) =>
      overview({ namespaces: [namespace("bob")], services: [service("bob")], doors: [route] })[0];

    it("by its host and path", () => {
      const { state, reason, route } = bobs(httpRoute()) ?? bob;
      assert.deepEqual({ state, reason, route }, { ...ready, route: { host: "camp.test", path: "/bob" } });
    });

    it("as pending while the Gateway says that it does not serve it", () => {
      const conditions = [{ type: "Accepted", status: "False", reason: "NotAllowedByListeners", message: "" }];
      const status = { parents: [{ parentRef: { name: "public" }, conditions }] };
      const { state, reason } = bobs(httpRoute({ status })) ?? bob;
      const why = "the Gateway does not serve its HTTPRoute: NotAllowedByListeners";
      assert.deepEqual({ state, reason }, { state: "pending", reason: why });
    });
  });

  it("shows who is suspended or expired, whatever their Service is", () => {
    const services = [service("bob")];
    assert.deepEqual(state({ services }, { "kubecamp.dev/standing": "suspended" }), {
      state: "suspended",
      reason: "suspended",
    });
    assert.deepEqual(
      state({ services }, { "kubecamp.dev/standing": "expired", "kubecamp.dev/expires": "2026-06-14" }),
      { state: "expired", reason: "expired: the last day was 2026-06-14" },
    );
  });

  it("shows who is leaving, with what keeps the namespace", () => {
    const home = namespace("bob", {}, gone);
    const conditions = [{ status: "True", message: "example.org/cleanup in 1 resource instances" }];
    const reason = "the namespace is being deleted";
    assert.deepEqual(state({ namespaces: [home] }), { state: "leaving", reason });
    assert.deepEqual(state({ namespaces: [{ ...home, ...{ status: { conditions } } }] }), {
      state: "leaving",
      reason: `${reason}: example.org/cleanup in 1 resource instances`,
    });
  });

  it("shows what is open although the last day is over: no run has closed it yet", () => {
    const open = { services: [service("bob")], doors: [ingress("bob")] };
    assert.deepEqual(state(open, { "kubecamp.dev/expires": "2026-06-14" }), {
      state: "ready",
      reason: "the last day was 2026-06-14: the next 'pulumi up' takes access and route",
    });
    assert.deepEqual(state(open, { "kubecamp.dev/expires": today }), { state: "ready", reason: undefined });
  });

  it("shows the buckets from the server's ConfigMaps, or a driver's claims of either version", () => {
    const named = (name: string, more: object = {}) => ({ metadata: { name, namespace: "bob", ...more } });
    const configMaps = [
      {
        ...named("site", { annotations: { "kubecamp.dev/endpoint": "https://s3.example.org" } }),
        data: { BUCKET_NAME: "bob-site" },
      },
      named("data"),
      named("old", gone),
      { metadata: { name: "data", namespace: "elsewhere" } },
    ];
    const claims = [
      { ...named("v1"), status: { bucketReady: true, bucketName: "b-1" } },
      { ...named("v2"), status: { readyToUse: true, boundBucketName: "b-2" } },
      { ...named("v3"), status: { bucketReady: false, bucketName: "" } },
      named("v4"),
    ];
    const [{ buckets } = bob] = overview({ namespaces: [namespace("bob")], buckets: { configMaps, claims } });
    const none = { bucketName: undefined, endpoint: undefined, ready: undefined };
    assert.deepEqual(buckets, [
      { ...none, name: "data" },
      { ...none, name: "site", bucketName: "bob-site", endpoint: "https://s3.example.org" },
      { ...none, name: "v1", bucketName: "b-1", ready: true },
      { ...none, name: "v2", bucketName: "b-2", ready: true },
      { ...none, name: "v3", ready: false },
      { ...none, name: "v4", ready: false },
    ]);
  });
});
