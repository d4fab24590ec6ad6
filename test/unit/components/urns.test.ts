import assert from "node:assert/strict";
import { cosiKinds } from "../../../cluster/kinds/bucketKinds.ts";
import { stackKindsWhere } from "../../../cluster/kinds/stackKinds.ts";
import { stackStorage } from "../../../components/storage.ts";
import type { Member } from "../../../config/member/member.ts";
import type { Settings } from "../../../config/settings.ts";
import type { ManagedService } from "../../../plan/decisions/managedService.ts";
import { starterPlan } from "../../../plan/decisions/starterPlan.ts";
import { ca } from "../certificates.ts";
import { cluster } from "../cluster/leaving.ts";
import { given } from "../deploy/stacks.ts";
import { bob, configuration, gatewaySettings, member, settings, traefikSettings, withBuckets } from "../samples.ts";
import { makeEnvironment } from "./environment.ts";
import { urnsOf } from "./recorded.ts";

/**
 * Released names. A URN that changes is a resource that Pulumi deletes and makes anew, for a namespace with all that is
 * in it: so a difference here needs an alias in the code, not another line in this list.
 * @see https://www.pulumi.com/docs/iac/concepts/options/aliases/
 */
const released = [
  ...policies("amounts", "finalizers", "images", "pods", "reserved", "routes", "services", "storage"),
  "urn:pulumi:dev::kubecamp::kubecamp:index:ClusterAccess$kubernetes:rbac.authorization.k8s.io/v1:ClusterRole::access/view",
  "urn:pulumi:dev::kubecamp::kubecamp:index:ClusterAccess$kubernetes:rbac.authorization.k8s.io/v1:ClusterRole::access/view-guest",
  "urn:pulumi:dev::kubecamp::kubecamp:index:ClusterAccess::access",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:LimitRange::bob/limits",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:Namespace::bob/namespace",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:ResourceQuota::bob/quota",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:Service::bob/route/service",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:ServiceAccount::bob/service-account",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:networking.k8s.io/v1:Ingress::bob/route/ingress",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:networking.k8s.io/v1:NetworkPolicy::bob/isolation",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding::bob/others/view",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:rbac.authorization.k8s.io/v1:Role::bob/role/edit",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:rbac.authorization.k8s.io/v1:RoleBinding::bob/binding/edit",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment::bob",
  "urn:pulumi:dev::kubecamp::pulumi:providers:kubernetes::cluster",
].sort();

/** A policy and its binding each. */
function policies(...names: readonly string[]): string[] {
  const admission =
    "urn:pulumi:dev::kubecamp::kubecamp:index:ClusterAccess$kubernetes:admissionregistration.k8s.io/v1:";
  return names.flatMap((name) => [
    `${admission}ValidatingAdmissionPolicy::access/admission/${name}`,
    `${admission}ValidatingAdmissionPolicyBinding::access/admission/${name}/binding`,
  ]);
}

/** Objects in place of the Service and the Ingress where a Gateway routes with TLS to members' Services. */
const releasedGatewayRoute = [
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:ConfigMap::bob/route/backend-ca",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:gateway.networking.k8s.io/v1:BackendTLSPolicy::bob/route/backend-tls",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:gateway.networking.k8s.io/v1:HTTPRoute::bob/route/http",
];

/** Objects added where the Gateway has a certificate for each host, and asks for a login. */
const releasedGatewayParts = [
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:gateway.envoyproxy.io/v1alpha1:SecurityPolicy::bob/route/http-login",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:gateway.networking.k8s.io/v1:ListenerSet::bob/route/listeners",
];

/** Objects added where Traefik strips paths, and verifies members' certificates by a CA. */
const releasedTraefikRoute = [
  "urn:pulumi:dev::kubecamp::kubecamp:index:ClusterAccess$kubernetes:core/v1:Secret::access/backend-ca",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:traefik.io/v1alpha1:Middleware::bob/route/middleware",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:traefik.io/v1alpha1:ServersTransport::bob/route/transport",
];

/** The object added where Traefik limits requests. */
const releasedBodyLimit =
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:traefik.io/v1alpha1:Middleware::bob/route/body-limit";

/** Objects added where Traefik asks for a login, and for whom it lets in. */
const releasedLogin = ["login", "allow"].map(
  (part) =>
    `urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:traefik.io/v1alpha1:Middleware::bob/route/${part}`,
);

/** Objects added where kubecamp makes a member's Service. */
const releasedService =
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:Service::bob/service";

/** Objects added with a starter app. */
const releasedStarter = [
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:apps/v1:Deployment::bob/starter/deployment",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:ConfigMap::bob/starter/pages",
];

/** Objects added with a bucket. */
const releasedBuckets = [
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubecamp-buckets:index:Bucket::bob/bucket/data",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubecamp-buckets:index:BucketUser::bob/bucket-user",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:ConfigMap::bob/bucket/data/config",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:Secret::bob/bucket/data/secret",
  "urn:pulumi:dev::kubecamp::pulumi:providers:kubecamp-buckets::storage",
];

/** Objects added with a bucket that a driver of the cluster makes. */
const releasedClaims = (version: string) => [
  `urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:objectstorage.k8s.io/${version}:BucketAccess::bob/bucket/data/access`,
  `urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:objectstorage.k8s.io/${version}:BucketClaim::bob/bucket/data/claim`,
];

/** A read-only guest's objects, in place of a user's Role, RoleBinding and ClusterRoleBinding. */
const releasedGuest = [
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding::bob/others/view-guest",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:rbac.authorization.k8s.io/v1:Role::bob/role/view",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:rbac.authorization.k8s.io/v1:RoleBinding::bob/binding/view",
];

/** Objects that members are given. */
const releasedObjects = [
  "core/v1:ConfigMap::bob/object/configmap/tutor-bob",
  "batch/v1:CronJob::bob/object/cronjob/tutor-bob",
  "apps/v1:DaemonSet::bob/object/daemonset/tutor-bob",
  "apps/v1:Deployment::bob/object/deployment/tutor-bob",
  "core/v1:Service::bob/object/service/tutor-bob",
  "apps/v1:StatefulSet::bob/object/statefulset/tutor-bob",
].map((end) => `urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:${end}`);

/** Objects added where types hold devices and places. */
const releasedConfinement = policies("devices", "runtimes", "pools", "users");

/** Objects added for a member whom staff look after, in each role. */
const releasedStaff = [
  ...policies("restarts"),
  ...["view", "assist", "spawn"].map(
    (role) =>
      `urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:rbac.authorization.k8s.io/v1:Role::bob/staff-role/${role}`,
  ),
  ...["view", "assist", "spawn", "edit"].map(
    (role) =>
      `urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:rbac.authorization.k8s.io/v1:RoleBinding::bob/staff/${role}`,
  ),
];

/** Objects added for a member with CI jobs, of an issuer and with a token. */
const releasedCi = [
  ...policies("tokens"),
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:ServiceAccount::bob/ci-account",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:rbac.authorization.k8s.io/v1:Role::bob/ci-token-role",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:rbac.authorization.k8s.io/v1:RoleBinding::bob/ci",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:rbac.authorization.k8s.io/v1:RoleBinding::bob/ci-token",
];

/** Objects added where the API server fills in what pods leave out. */
const releasedFillIn = [
  "urn:pulumi:dev::kubecamp::kubecamp:index:ClusterAccess$kubernetes:admissionregistration.k8s.io/v1:MutatingAdmissionPolicy::access/admission/mutating/fill-in",
  "urn:pulumi:dev::kubecamp::kubecamp:index:ClusterAccess$kubernetes:admissionregistration.k8s.io/v1:MutatingAdmissionPolicyBinding::access/admission/mutating/fill-in/binding",
];

describe("URNs", () => {
  const planOf = (who: Member) => starterPlan(who, settings, { managedObjects: new Map(), services: new Map() });
  const sampleOf = (stack: Settings, service?: ManagedService, who: Member = bob, mutates = false) =>
    urnsOf(() => {
      const storage = stackStorage(stack, cluster());
      makeEnvironment({ member: who, settings: stack, mutates, storage, service, starter: planOf(who) });
    });

  it("keeps the released URNs of a sample stack", async () => {
    assert.deepEqual(await sampleOf(settings), released);
  });

  it("keeps the released URNs of a stack with Traefik", async () => {
    const route = { rewrite: "strip", backendProtocol: "HTTPS", backendTls: { ca } };
    const login = { kind: "oauth2-proxy", url: "http://proxy.login.svc.cluster.local", allow: ["staff"] };
    for (const [more, added] of [
      [{}, []],
      [{ limits: { bodyMiB: 10, timeoutSeconds: 60 } }, [releasedBodyLimit]],
      [{ login }, releasedLogin],
    ] as const) {
      const urns = [...released, ...releasedTraefikRoute, ...added].sort();
      assert.deepEqual(await sampleOf(traefikSettings({ ...route, ...more })), urns);
    }
  });

  it("keeps the released URNs of a member whose Service kubecamp makes", async () => {
    const port = { port: 80, protocol: "TCP", targetPort: 8080 } as const;
    const service = {
      labels: {},
      selector: { app: "bob" },
      ports: [port],
      annotations: {},
      mends: [],
      isTakenOver: false,
    };
    assert.deepEqual(await sampleOf(settings, service), [...released, releasedService].sort());
  });

  it("keeps the released URNs of a stack with a Gateway", async () => {
    const urns = await sampleOf(gatewaySettings({ backendProtocol: "HTTPS", backendTls: { ca } }));
    const others = released.filter((urn) => !urn.includes("::bob/route/"));
    assert.deepEqual(urns, [...others, ...releasedGatewayRoute].sort());
    const login = { kind: "oauth2-proxy", url: "http://proxy.login.svc.cluster.local:4180" };
    const asking = gatewaySettings({ host: "{member}.camp.example.org", tls: { issuer: "camp" }, login });
    const withParts = [...others, ...releasedGatewayRoute.slice(-1), ...releasedGatewayParts];
    assert.deepEqual(await sampleOf(asking), withParts.sort());
  });

  it("keeps the released URNs of a guest who may only look", async () => {
    const looks = member({ member: "bob", type: "guest-user", home: "view" });
    const others = released.filter((urn) => !/::bob\/(role|binding|others)\//.test(urn));
    assert.deepEqual(await sampleOf(settings, undefined, looks), [...others, ...releasedGuest].sort());
  });

  it("keeps the released URNs of a member with a starter app, in either mode", async () => {
    for (const starter of ["once", "kept"]) {
      const urns = await sampleOf(settings, undefined, member({ member: "bob", type: "user", starter }));
      assert.deepEqual(urns, [...released, ...releasedStarter].sort());
    }
  });

  /** What a stack adds in which bob has an entry with these fields. */
  const adds = async (added: readonly string[], more: object, entry: object = {}, files?: typeof given.files) => {
    const members = [{ member: "bob", type: "user", ...entry }];
    const stack = configuration({ ...more, members }, { objects: files });
    assert.deepEqual(await sampleOf(stack.settings, undefined, stack.members[0]), [...released, ...added].sort());
  };

  it("keeps the URNs of a member who is given objects, without a version", async () => {
    const objects = [{ file: "objects/tutor.yaml" }];
    await adds(releasedObjects, { objects }, {}, given.files);
    for (const version of ["v1", "v1beta1"]) {
      const kind = { apiVersion: `example.org/${version}`, kind: "Widget" };
      const value = { ...kind, metadata: { name: "tutor" } };
      const files = new Map([["objects/tutor.yaml", { documents: [{ value, line: 1 }], mistakes: [] }]]);
      const urn = `urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:example.org/${version}:Widget::bob/object/widget.example.org:tutor`;
      await adds([urn], { objectKinds: [kind], objects }, {}, files);
    }
  });

  it("keeps the URNs of a member with a bucket, on a server or from a driver", async () => {
    const buckets = [{ name: "data" }];
    const stack = withBuckets({ member: "bob", type: "user", buckets });
    const urns = await sampleOf(stack.settings, undefined, stack.members[0]);
    assert.deepEqual(urns, [...released, ...releasedBuckets].sort());
    for (const version of ["v1alpha1", "v1alpha2"]) {
      const storage = { kind: "cosi", version, bucketClassName: "standard", bucketAccessClassName: "keys" };
      await adds(releasedClaims(version), { storage }, { buckets });
    }
  });

  it("keeps the released URNs of a member whom staff look after", async () => {
    const staff = ["view", "assist", "edit"].map((role) => ({ group: `of-${role}`, role }));
    await adds(releasedStaff, { staff: [...staff, { serviceAccount: "hub/hub", role: "spawn" }] });
  });

  it("keeps the released URNs of a member with CI jobs", async () => {
    const job = { issuer: "github", repository: "bob/site", ref: "refs/heads/main" };
    const ci = { audience: "https://k8s.example.org" };
    const binding = releasedCi.filter((urn) => urn.endsWith("::bob/ci") || urn.includes("::access/"));
    await adds(binding, { ci }, { ci: [job] });
    await adds(releasedCi, { ci }, { ci: [job, { token: true }] });
  });

  it("keeps the released URNs of a member whose type holds devices and storage", async () => {
    const gpu = {
      ...{ devices: { "nvidia.com/gpu": 1 }, storage: { fast: "20Gi" } },
      runtimeClasses: { allowed: ["gvisor"], default: "gvisor" },
      pool: { nodeSelector: { pool: "gpu" }, tolerations: [{ key: "dedicated" }] },
      userNamespaces: "required",
    };
    const { settings: stack, members } = configuration({
      memberTypes: { gpu },
      members: [{ member: "bob", type: "gpu" }],
    });
    const all = [...released, ...releasedConfinement];
    assert.deepEqual(await sampleOf(stack, undefined, members[0]), all.toSorted());
    assert.deepEqual(await sampleOf(stack, undefined, members[0], true), [...all, ...releasedFillIn].sort());
    // No API server fills in what nobody asks it to.
    assert.deepEqual(await sampleOf(settings, undefined, bob, true), released);
  });

  it("lists a released URN of every kind that a stack can make", () => {
    const all = [
      ...released,
      ...releasedGatewayRoute,
      ...releasedGatewayParts,
      ...releasedTraefikRoute,
      ...releasedGuest,
      ...releasedStarter,
      ...releasedBuckets,
      ...releasedClaims("v1alpha1"),
      ...releasedFillIn,
      ...releasedObjects,
      releasedService,
    ];
    const kinds = all.flatMap((urn) => /\$kubernetes:[^:]+:(\w+)::/.exec(urn)?.[1] ?? []);
    assert.deepEqual([...new Set(kinds)].sort(), [...Object.keys(cosiKinds), ...stackKindsWhere()].sort());
  });
});
