import assert from "node:assert/strict";
import { type InvariantName, invariants } from "../../../../components/gate/invariants.ts";
import { Judgement } from "../../../../components/gate/judgement.ts";
import { later } from "../../../../components/gate/registration.ts";
import { admissionPolicies, policyNamesOf } from "../../../../naming/names.ts";
import { ca } from "../../certificates.ts";
import { given } from "../../deploy/stacks.ts";
import { findingsIn, findingsWith, type Recorded, recorded, withValue } from "./registrations.ts";

const members = [
  { member: "ada", type: "admin", route: { readiness: { mode: "managed" } } },
  {
    member: "bob",
    type: "user",
    groups: ["lab"],
    network: { egress: [{ cidr: "10.20.0.0/16", ports: [5432] }], ingress: [{ namespace: "monitoring" }] },
  },
  { member: "cai", type: "guest-user", suspended: true },
];
/** With starter apps, for those invariants that are about them. */
const starters = [
  { member: "dan", type: "user", starter: "kept" },
  { member: "eve", type: "admin", starter: "once" },
];
const gateway = { kind: "gateway", namespace: "gateways", gateway: { name: "public" } };

/** A field of one resource, another value, and what that breaks. */
type Change = readonly [name: string, path: string, value: unknown, ...broken: InvariantName[]];

const admin = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" };
const group = (name: string) => ({ kind: "Group", name, apiGroup: "rbac.authorization.k8s.io" });
const anyone = { ipBlock: { cidr: "0.0.0.0/0" } };
const rule = (more: object) => ({ apiGroups: [""], resources: ["pods"], verbs: ["get"], ...more });
const enforce = "metadata.labels.pod-security~kubernetes~io/enforce";

const changes: readonly Change[] = [
  ["bob/namespace", `${enforce}`, "privileged", "pod-security"],
  ["bob/namespace", `${enforce}`, "restricted", "pod-security"],
  ["bob/namespace", `${enforce}`, undefined, "pod-security"],
  ["bob/namespace", `${enforce}-version`, "latest", "pod-security"],
  ["bob/namespace", `${enforce}-version`, undefined, "pod-security"],
  ["bob/namespace", "metadata.name", "kube-system", "own-places"],
  ["bob/namespace", "metadata.labels.kubecamp~dev/stack", "prod", "own-places"],
  ["bob/namespace", "metadata.labels.kubecamp~dev/member", "ada", "own-places"],
  ["bob/namespace", "metadata.labels", later, "plain-values"],
  ["bob/quota", "spec.hard.pods", "60", "quota"],
  ["bob/quota", "spec.hard.pods", undefined, "quota"],
  ["bob/quota", "spec.hard.limits~cpu", "501m", "quota"],
  ["bob/quota", "spec.hard.limits~memory", "lots", "quota"],
  ["bob/quota", "spec.hard.requests~cpu", "501m", "quota"],
  ["bob/quota", "spec.hard.requests~memory", undefined, "quota"],
  ["bob/quota", "spec.hard.requests~storage", undefined, "quota"],
  ["bob/quota", "spec.hard.services~nodeports", "1", "quota"],
  ["bob/quota", "spec.hard", {}, "quota"],
  ["bob/quota", "spec.scopes", ["BestEffort"], "quota"],
  ["bob/quota", "metadata.namespace", "kube-system", "own-places"],
  ["cai/quota", "spec.hard.pods", "1", "quota"],
  ["cai/quota", "spec.hard.pods", undefined, "quota"],
  ["cai/quota", "spec.hard.count/jobs~batch", "1", "quota"],
  ["cai/quota", "spec.hard.count/jobs~batch", undefined, "quota"],
  ["bob/isolation", "spec.podSelector", { matchLabels: { app: "web" } }, "isolation"],
  ["bob/isolation", "spec.podSelector", undefined, "isolation"],
  ["bob/isolation", "spec.policyTypes", ["Ingress"], "isolation"],
  ["bob/isolation", "spec.policyTypes", ["Egress"], "isolation"],
  ["bob/isolation", "spec.policyTypes", undefined, "isolation"],
  ["bob/isolation", "spec.ingress.1", {}, "isolation"],
  ["bob/isolation", "spec.egress.1", { to: [] }, "isolation"],
  ["bob/isolation", "spec.ingress.0.from.1", { namespaceSelector: {} }, "isolation"],
  ["bob/isolation", "spec.ingress.0.from.1", anyone, "isolation"],
  ["bob/isolation", "spec.egress.1.ports", undefined, "isolation"],
  ["bob/isolation", "spec.egress.2.to.0", anyone, "isolation"],
  ["bob/isolation", "spec.egress.2.to.0.ipBlock.except", ["10.0.0.0/8"], "isolation"],
  ["bob/isolation", "spec.egress.3.ports.0.port", 22, "isolation"],
  ["bob/isolation", "spec.egress.3.to.0.ipBlock.cidr", "10.0.0.0/8", "isolation"],
  ["bob/isolation", "metadata.namespace", "ada", "own-places"],
  ["bob/role/edit", "rules.0.verbs", ["*"], "no-wildcards"],
  ["bob/role/edit", "rules.0.resources.0", "*", "no-wildcards", "no-powers"],
  ["bob/role/edit", "rules.0.apiGroups.0", "*", "no-wildcards", "no-powers"],
  ["bob/role/edit", "rules.0.resources.0", "*/scale", "no-wildcards", "no-powers"],
  ["bob/role/edit", "rules.20", rule({ nonResourceURLs: ["/metrics/*"] }), "no-wildcards"],
  ["access/view", "aggregationRule", { clusterRoleSelectors: [{}] }, "no-wildcards"],
  ["access/view", "rules.0", { nonResourceURLs: ["*"], verbs: ["get"] }, "no-wildcards", "others-unread"],
  ["bob/role/edit", "rules.20", rule({ verbs: ["escalate"] }), "no-powers"],
  ["bob/role/edit", "rules.20", rule({ verbs: ["bind"] }), "no-powers"],
  ["bob/role/edit", "rules.20", rule({ verbs: ["get", "impersonate"] }), "no-powers"],
  ["bob/role/edit", "rules.20", rule({ resources: ["resourcequotas"], verbs: ["update"] }), "no-powers"],
  ["bob/role/edit", "rules.20", rule({ resources: ["serviceaccounts/token"], verbs: ["create"] }), "no-powers"],
  [
    "bob/role/edit",
    "rules.20",
    rule({ apiGroups: ["rbac.authorization.k8s.io"], resources: ["rolebindings"], verbs: ["create"] }),
    "no-powers",
  ],
  [
    "bob/role/edit",
    "rules.20",
    rule({ apiGroups: ["networking.k8s.io"], resources: ["ingresses"], verbs: ["patch"] }),
    "no-powers",
  ],
  ["access/view", "rules.0.resources.0", "secrets", "others-unread"],
  ["access/view", "rules.0.resources.0", "configmaps", "others-unread"],
  ["access/view-guest", "rules.0.resources.0", "pods/log", "others-unread"],
  ["access/view", "rules.0.verbs.0", "delete", "others-unread", "no-powers"],
  ["access/view", "metadata.name", "admin", "own-places", "guards-first"],
  ["bob/others/view", "roleRef", admin, "own-roles", "guards-first"],
  ["bob/binding/edit", "roleRef", admin, "own-roles", "guards-first"],
  ["bob/binding/edit", "roleRef.name", "admin", "own-roles", "guards-first"],
  ["bob/binding/edit", "roleRef.kind", "ClusterRole", "own-roles", "guards-first"],
  ["bob/others/view", "metadata.name", "cluster-admins", "own-places"],
  ["bob/others/view", "subjects.0", group("system:authenticated"), "own-subjects"],
  ["bob/others/view", "subjects.1", group("system:masters"), "own-subjects"],
  ["bob/binding/edit", "subjects.1", group("oidc:others"), "own-subjects"],
  ["bob/binding/edit", "subjects.0.name", "oidc:ada", "own-subjects"],
  ["bob/binding/edit", "subjects.0", { kind: "ServiceAccount", name: "default", namespace: "bob" }, "own-subjects"],
  ["access/admission/pods", "spec.failurePolicy", "Ignore", "policies-in-force"],
  ["access/admission/pods", "spec.validations", [], "policies-in-force"],
  ["access/admission/pods/binding", "spec.validationActions", ["Audit"], "policies-in-force"],
  ["access/admission/pods/binding", "spec.policyName", "other", "policies-in-force"],
  ["access/admission/pods/binding", "spec.matchResources.namespaceSelector", {}, "policies-in-force"],
  ["access/admission/pods/binding", "spec.matchResources.objectSelector", { matchLabels: {} }, "policies-in-force"],
  ["bob/route/ingress", "spec.rules.0.host", undefined, "paths-apart"],
  ["bob/route/ingress", "spec.rules.0.host", "*.example.org", "paths-apart"],
  ["bob/route/ingress", "spec.rules.0.host", "other.example.org", "paths-apart"],
  ["bob/route/ingress", "spec.rules.0.http.paths", [], "paths-apart"],
  ["bob/route/ingress", "spec.rules.0.http.paths.0.path", "/ada", "paths-apart"],
  ["bob/route/ingress", "spec.rules.0.http.paths.0.path", "/ada/below", "paths-apart"],
  ["bob/route/ingress", "spec.rules.0.http.paths.0.path", "/", "paths-apart"],
  [
    "bob/route/ingress",
    "spec.rules.0.http.paths.0",
    { path: "/b.*", pathType: "ImplementationSpecific" },
    "paths-apart",
    "own-backend",
  ],
  ["bob/route/ingress", "spec.rules.0.http.paths.0.path", later, "plain-values"],
  ["bob/route/ingress", "spec.rules.0.http.paths.0.backend.service.name", "ada-svc", "own-backend"],
  [
    "bob/route/ingress",
    "spec.rules.0.http.paths.0.backend",
    { resource: { kind: "Secret", name: "x" } },
    "own-backend",
  ],
  ["bob/route/ingress", "spec.defaultBackend", { service: { name: "bob-svc" } }, "own-backend"],
  ["bob/route/ingress", "metadata.namespace", "bob", "own-places"],
  ["bob/route/ingress", "metadata.name", "ada", "own-places"],
  ["bob/route/service", "spec.externalName", "ada-svc.ada.svc.cluster.local.", "own-backend"],
  ["bob/route/service", "spec.type", "LoadBalancer", "own-backend"],
  ["bob/route/service", "spec.externalIPs", ["1.2.3.4"], "own-backend"],
  ["bob/route/service", "metadata.namespace", "ada", "own-places", "own-backend"],
  ["ada/service", "spec.type", "NodePort", "own-backend"],
  ["ada/service", "spec.selector", undefined, "own-backend"],
  [
    "ada/route/ingress",
    "metadata.annotations.nginx~ingress~kubernetes~io/server-alias",
    "x.example.org",
    "own-backend",
  ],
  [
    "bob/route/ingress",
    "metadata.annotations.nginx~ingress~kubernetes~io/server-snippet",
    "return 200;",
    "own-backend",
  ],
  ["bob/service-account", "automountServiceAccountToken", true, "no-tokens"],
  ["bob/service-account", "automountServiceAccountToken", undefined, "no-tokens"],
  ["bob/service-account", "metadata.name", "robot", "no-tokens"],
  ["bob/limits", "kind", "Pod", "known-kinds", "guards-first"],
  ["bob/limits", "apiVersion", "v2", "known-kinds", "guards-first"],
];

const pathOf = (path: string) =>
  path.split(".").map((key) => (/^\d+$/.test(key) ? Number(key) : key.replaceAll("~", ".")));
const brokenBy = (stack: Recorded, [name, path, value]: Change) =>
  new Set(
    findingsWith(stack, name, (each) => ({ ...each, args: withValue(each.args, pathOf(path), value) })).map(
      ({ invariant }) => invariant,
    ),
  );

describe("the policy gate's judgement", () => {
  let stack: Recorded;
  let atGateway: Recorded;
  before(async () => {
    stack = await recorded({ members });
    const tls = { backendProtocol: "HTTPS", backendTls: { ca } };
    atGateway = await recorded({ members, route: { host: "camp.example.org", ...gateway, ...tls } });
  });

  it("has nothing to say of what the components register", () => {
    assert.deepEqual(findingsIn(stack), []);
    assert.deepEqual(findingsIn(atGateway), []);
  });

  for (const each of changes) {
    const [name, path, value, ...broken] = each;
    const reported = typeof value === "symbol" ? "another resource's" : JSON.stringify(value);
    it(`finds ${broken.join(" and ")} broken where ${path.replaceAll("~", ".")} of ${name} is ${reported}`, () => {
      assert.deepEqual([...brokenBy(stack, each)].sort(), [...broken].sort());
    });
  }

  const http = "bob/route/http";
  const atGateways: readonly Change[] = [
    [http, "spec.hostnames", [], "paths-apart"],
    [http, "spec.hostnames.0", "*.example.org", "paths-apart"],
    [http, "spec.rules.0.matches", [], "paths-apart"],
    [http, "spec.rules.0.matches.0.path", { type: "RegularExpression", value: "/bob.*" }, "paths-apart"],
    [http, "spec.rules.0.matches.0.path.value", "/ada", "paths-apart"],
    [http, "spec.rules.0.backendRefs.0.name", "ada-svc", "own-backend"],
    [http, "spec.rules.0.backendRefs.0.namespace", "ada", "own-backend"],
    [http, "spec.rules.0.backendRefs.0.filters", [{ type: "RequestMirror" }], "own-backend"],
    [http, "spec.rules.0.filters", [{ type: "RequestMirror" }], "own-backend"],
    [http, "spec.parentRefs.0.name", "internal", "own-backend"],
    [http, "metadata.namespace", "gateways", "own-places"],
    ["bob/role/edit", "rules.0.apiGroups.0", "gateway.networking.k8s.io", "no-powers"],
  ];
  for (const each of atGateways) {
    const [name, path, value, ...broken] = each;
    it(`finds ${broken.join(" and ")} broken where ${path} of ${name} at a Gateway is ${JSON.stringify(value)}`, () => {
      assert.deepEqual([...brokenBy(atGateway, each)].sort(), [...broken].sort());
    });
  }

  const without = (name: string) => findingsWith(stack, name, () => undefined).map(({ invariant }) => invariant);
  for (const [name, ...broken] of [
    ["bob/quota", "quota", "guards-first"],
    ["cai/quota", "quota"],
    ["bob/isolation", "isolation", "guards-first"],
    ["bob/limits", "guards-first"],
    ["bob/role/edit", "guards-first"],
    ["access/view", "guards-first"],
    ["access/admission/images/binding", "guards-first"],
    ["bob/namespace", "guards-first"],
  ] as const) {
    it(`finds ${broken.join(" and ")} broken without ${name}`, () => {
      assert.deepEqual([...new Set(without(name))].sort(), [...broken].sort());
    });
  }

  const app = "dan/starter/deployment";
  const pod = "spec.template.spec";
  const one = `${pod}.containers.0`;
  const ofStarters: readonly Change[] = [
    [app, `${pod}.hostNetwork`, true, "own-pods"],
    [app, `${pod}.serviceAccountName`, "robot", "own-pods"],
    [app, `${pod}.initContainers`, [{ name: "x", image: "evil/miner" }], "own-pods"],
    [app, `${pod}.automountServiceAccountToken`, undefined, "own-pods"],
    [app, `${pod}.securityContext.runAsNonRoot`, false, "own-pods"],
    [app, `${pod}.securityContext.seccompProfile`, undefined, "own-pods"],
    [app, `${pod}.volumes.0`, { name: "pages", hostPath: { path: "/" } }, "own-pods"],
    [app, `${one}.image`, "evil/miner", "own-pods"],
    [app, `${one}.securityContext`, undefined, "own-pods"],
    [app, `${one}.securityContext.privileged`, true, "own-pods"],
    [app, `${one}.securityContext.allowPrivilegeEscalation`, true, "own-pods"],
    [app, `${one}.securityContext.readOnlyRootFilesystem`, false, "own-pods"],
    [app, `${one}.securityContext.capabilities.drop`, [], "own-pods"],
    [app, `${one}.securityContext.capabilities.add.1`, "NET_ADMIN", "own-pods"],
    [app, `${one}.resources.limits.cpu`, "501m", "own-pods"],
    [app, `${one}.resources.limits.memory`, undefined, "own-pods"],
    [app, "spec.replicas", 11, "own-pods"],
    [app, "metadata.namespace", "eve", "own-places"],
    [app, "metadata.labels.kubecamp~dev/member", "eve", "own-places"],
    ["dan/starter/pages", "data", later, "plain-values"],
    ["dan/service", "spec.selector", {}, "own-backend"],
  ];
  for (const each of ofStarters) {
    const [name, path, value, ...broken] = each;
    it(`finds ${broken.join(" and ")} broken where ${path} of ${name} is ${JSON.stringify(value) ?? "not plain"}`, async () => {
      assert.deepEqual([...brokenBy(await recorded({ members: starters }), each)].sort(), [...broken].sort());
    });
  }

  const gpu = { devices: { "nvidia.com/gpu": 1, "gpu.example.com": 2 }, storage: { fast: "20Gi", bulk: 0 } };
  for (const each of [
    ["fay/quota", "spec.hard.requests~nvidia~com/gpu", "2", "quota"],
    ["fay/quota", "spec.hard.gpu~example~com~deviceclass~resource~k8s~io/devices", undefined, "quota"],
    ["fay/quota", "spec.hard.fast~storageclass~storage~k8s~io/requests~storage", "21Gi", "quota"],
    ["fay/quota", "spec.hard.bulk~storageclass~storage~k8s~io/requests~storage", undefined, "quota"],
    ["fay/role/edit", "rules.20", rule({ apiGroups: ["resource.k8s.io"], verbs: ["create"] }), "no-powers"],
  ] as const satisfies readonly Change[]) {
    const [name, path, value, ...broken] = each;
    it(`finds ${broken.join()} broken where ${path} of ${name} is ${JSON.stringify(value)}`, async () => {
      const stack = await recorded({ members: [{ member: "fay", type: "gpu" }], memberTypes: { gpu } });
      assert.deepEqual(findingsIn(stack), []);
      assert.deepEqual([...brokenBy(stack, each)].sort(), broken);
    });
  }

  const safe = {
    runtimeClasses: { allowed: ["gvisor"], default: "gvisor" },
    pool: { nodeSelector: { pool: "safe" }, tolerations: [{ key: "dedicated", value: "safe" }] },
    userNamespaces: "required",
  };
  const filling = "access/admission/mutating/fill-in";
  const runtime = "spec.template.spec.runtimeClassName";
  for (const each of [
    [filling, "spec.failurePolicy", "Ignore", "policies-in-force"],
    [filling, "spec.mutations", [], "policies-in-force"],
    [filling, "metadata.name", "kubecamp-fill-in", "own-places"],
    [`${filling}/binding`, "spec.policyName", "other", "policies-in-force"],
    [`${filling}/binding`, "spec.matchResources.namespaceSelector", {}, "policies-in-force"],
    ["gus/starter/deployment", runtime, undefined, "own-pods"],
    ["gus/starter/deployment", runtime, "runc", "own-pods"],
    ["gus/starter/deployment", "spec.template.spec.nodeSelector", undefined, "own-pods"],
    ["gus/starter/deployment", "spec.template.spec.hostUsers", undefined, "own-pods"],
    ["gus/starter/deployment", "spec.template.spec.hostUsers", true, "own-pods"],
    ["gus/starter/deployment", "spec.template.spec.tolerations.1", { operator: "Exists" }, "own-pods"],
  ] as const satisfies readonly Change[]) {
    const [name, path, value, ...broken] = each;
    it(`finds ${broken.join()} broken where ${path} of ${name} is ${JSON.stringify(value)}`, async () => {
      const stack = await recorded({
        members: [{ member: "gus", type: "safe", starter: "kept" }],
        memberTypes: { safe },
      });
      assert.deepEqual(findingsIn(stack), []);
      assert.deepEqual([...brokenBy(stack, each)].sort(), broken);
    });
  }

  it("finds a key that is made before the policies that a type takes", async () => {
    const stack = await recorded({ members: [{ member: "fay", type: "gpu" }], memberTypes: { gpu } });
    const found = findingsWith(stack, "access/admission/devices/binding", () => undefined);
    assert.deepEqual(new Set(found.map(({ invariant }) => invariant)), new Set(["guards-first"]));
  });

  it("finds a starter app that is made before what guards the member", async () => {
    const found = findingsWith(await recorded({ members: starters }), app, (each) => ({ ...each, after: new Set() }));
    assert.equal(found.length, admissionPolicies.length + 3);
    assert.ok(
      found.every(({ invariant, object }) => invariant === "guards-first" && object === "Deployment dan/starter"),
    );
  });

  it("says nothing of who has a namespace that is being deleted, where less and less is left, and judges all others", async () => {
    const { settings, members: all, batch } = await recorded({ members });
    const gone = batch.filter(({ name }) => !["bob/quota", "bob/isolation", "cai/quota"].includes(name));
    const found = (...ending: string[]) => new Judgement(all, settings, new Set(ending)).brokenInvariants(gone);
    assert.deepEqual(
      found("bob", "cai").map(({ message }) => message),
      [],
    );
    assert.deepEqual(new Set(found("bob").map(({ member }) => member)), new Set(["cai"]));
  });

  it("says nothing of a starter app that is left as it stands, whatever it is, and of nothing else that is", async () => {
    const of = await recorded({ members: starters });
    const left = (name: string, ignored: readonly string[]) =>
      findingsWith(of, name, (each) => ({
        ...each,
        ignored,
        args: withValue(each.args, ["spec", "template"], {}),
      })).map(({ invariant }) => invariant);
    assert.deepEqual(left("eve/starter/deployment", ["metadata", "spec"]), []);
    assert.deepEqual(new Set(left("eve/starter/deployment", ["spec"])), new Set(["plain-values"]));
    assert.deepEqual(new Set(left("eve/isolation", ["metadata", "spec"])), new Set(["plain-values"]));
    const admin = (name: string) => findingsWith(of, name, (each) => ({ ...each, ignored: ["metadata", "spec"] }));
    assert.deepEqual(admin("dan/service"), []);
    assert.deepEqual(
      admin("dan/route/service").map(({ invariant }) => invariant),
      ["plain-values", "plain-values"],
    );
  });

  it("lets a policy stay as it is, and what puts it in force, whole and not in part, and judges what is declared", () => {
    const left = (name: string, ignored: readonly string[], args: object = {}) =>
      findingsWith(stack, name, (each) => ({ ...each, ignored, args: { ...each.args, ...args } })).map(
        ({ invariant }) => invariant,
      );
    for (const name of ["access/admission/images", "access/admission/images/binding"]) {
      assert.deepEqual(left(name, ["metadata", "spec"]), []);
      assert.deepEqual(left(name, ["spec"]), ["plain-values"]);
      assert.ok(left(name, ["metadata", "spec"], { spec: {} }).includes("policies-in-force"));
    }
  });

  it("finds a key that comes before its guards, or that would not be made after them", () => {
    const { batch } = stack;
    const key = batch.find(({ name }) => name === "bob/binding/edit");
    assert.ok(key);
    const early = [...batch.filter((each) => each !== key)];
    early.splice(
      early.findIndex(({ name }) => name === "bob/limits"),
      0,
      key,
    );
    const reported = findingsIn({ ...stack, batch: early }).map(({ invariant, message }) => `${invariant}: ${message}`);
    assert.deepEqual(reported, [
      "guards-first: there is no LimitRange before it",
      "guards-first: there is no NetworkPolicy before it",
      "guards-first: there is no ResourceQuota before it",
      // The Role is what leads to them.
      ...policyNamesOf(stack.settings).map(
        (policy) => `guards-first: does not depend on the ValidatingAdmissionPolicyBinding 'kubecamp-${policy}-dev'`,
      ),
      "guards-first: there is no Role 'kubecamp-edit' before it",
    ]);
    for (const after of [undefined, new Set<string>()]) {
      const loose = findingsWith(stack, "bob/binding/edit", (each) => ({ ...each, after }));
      assert.equal(loose.length, admissionPolicies.length + 4);
      assert.ok(loose.every(({ invariant }) => invariant === "guards-first"));
    }
  });

  it("finds doors of who is suspended", () => {
    const doors = stack.batch.filter(({ name }) => /^bob\/(binding|others|route\/ingress)/.test(name));
    const suspended = stack.members.map((each) =>
      each.name === "bob" ? { ...each, standing: "suspended" as const } : each,
    );
    const found = findingsIn({ ...stack, members: suspended }).filter(({ invariant }) => invariant === "closed-doors");
    assert.deepEqual(found.map(({ object }) => object.split(" ")[0]).sort(), doors.map(({ args }) => args.kind).sort());
  });

  it("finds path and pods of who is asleep, and leaves them their keys", () => {
    const members = stack.members.map((each) =>
      each.name === "bob" ? { ...each, standing: "asleep" as const } : each,
    );
    const found = findingsIn({ ...stack, members });
    assert.deepEqual(found.map(({ invariant, object }) => `${invariant} ${object.split(" ")[0]}`).sort(), [
      "closed-doors Ingress",
      "quota ResourceQuota",
      "quota ResourceQuota",
    ]);
  });

  it("finds paths that meet, of members whom the run registers and of others", () => {
    const moved = stack.members.map((each) =>
      each.route === undefined || each.name === "cai" ? each : { ...each, route: { ...each.route, path: "/bob" } },
    );
    const found = findingsIn({ ...stack, members: moved }).filter(({ invariant }) => invariant === "paths-apart");
    assert.ok(found.some(({ member, message }) => member === "bob" && message.includes("overlaps")));
    const alone = stack.batch.filter(({ name }) => !name.startsWith("ada"));
    const targeted = findingsIn({ ...stack, members: moved, batch: alone });
    assert.deepEqual(
      targeted.map(({ member, message }) => [member, message]),
      [["bob", "'camp.example.org/bob' overlaps 'camp.example.org/bob' of member 'ada'"]],
    );
  });

  it("takes nothing that it can't judge: other kinds, owners, providers, and what is only looked up", () => {
    const reported = (name: string, more: object) =>
      findingsWith(stack, name, (each) => ({ ...each, ...more })).filter(
        ({ invariant }) => invariant === "known-kinds",
      );
    assert.match(
      reported("bob/limits", { type: "kubernetes:core/v1:Pod" })[0]?.message ?? "",
      /no invariants for a kubernetes:core\/v1:Pod/,
    );
    assert.match(reported("bob/limits", { parent: undefined })[0]?.message ?? "", /instead of a member's environment/);
    assert.match(
      reported("bob/limits", { parent: "kubecamp:index:MemberEnvironment zoe" })[0]?.message ?? "",
      /instead of a member's/,
    );
    assert.match(
      reported("bob/limits", { provider: "pulumi:providers:kubernetes other" })[0]?.message ?? "",
      /the stack's provider/,
    );
    assert.match(reported("bob", { provider: undefined })[0]?.message ?? "", /the stack's provider/);
    assert.match(reported("bob/limits", { isRead: true })[0]?.message ?? "", /read instead of created/);
    assert.equal(reported("cluster", { name: "other" }).length, 1);
  });

  it("takes no object that Pulumi is told to leave as it is", () => {
    const ignored = ["spec.hard"];
    const found = findingsWith(stack, "bob/quota", (each) => ({ ...each, ignored }));
    assert.deepEqual(
      found.map(({ invariant, field }) => [invariant, field]),
      [["plain-values", "spec.hard"]],
    );
  });

  it("takes no Middleware that does more than to strip its member's path, to limit requests and to ask for a login", async () => {
    const limits = { bodyMiB: 10, timeoutSeconds: 60 };
    const route = { host: "camp.example.org", controller: "traefik", rewrite: "strip", limits };
    const traefik = await recorded({ members, route });
    assert.deepEqual(findingsIn(traefik), []);
    const prefixes = ["bob/route/middleware", "spec.stripPrefix.prefixes.0", "/", "own-backend"] as const;
    assert.deepEqual([...brokenBy(traefik, prefixes)], ["own-backend"]);
    const redirect = ["bob/route/middleware", "spec.redirectRegex", { regex: ".*" }, "own-backend"] as const;
    assert.deepEqual([...brokenBy(traefik, redirect)], ["own-backend"]);
    const asks = { address: "https://elsewhere.example.org", trustForwardHeader: true };
    const retries = { buffering: { maxRequestBodyBytes: 1, retryExpression: "true" } };
    assert.deepEqual([...brokenBy(traefik, ["bob/route/body-limit", "spec", retries, "own-backend"])], ["own-backend"]);
    const both: InvariantName[] = ["login-first", "own-backend"];
    const asking = brokenBy(traefik, ["bob/route/body-limit", "spec", { forwardAuth: asks }, ...both]);
    assert.deepEqual([...asking].sort(), both);
  });

  describe("where the stack has a login", () => {
    const url = "http://proxy.login.svc.cluster.local:4180";
    const host = "{member}.camp.example.org";
    const atNginx = { kind: "oauth2-proxy", url, signIn: "https://camp.example.org/oauth2/start" };
    const first = ["login-first"] as const;
    const authUrl = "metadata.annotations.nginx~ingress~kubernetes~io/auth-url";

    it("takes no Ingress that asks nobody, somebody else, or for more visitors", async () => {
      const groups = await recorded({ members, route: { host, login: { ...atNginx, allow: ["staff"] } } });
      const everybody = await recorded({ members, route: { host, login: atNginx } });
      const none = await recorded({ members, route: { host } });
      for (const all of [groups, everybody, none]) {
        assert.deepEqual(findingsIn(all), []);
      }
      for (const value of [
        undefined,
        `${url}/oauth2/auth`,
        `${url}/oauth2/auth?allowed_groups=staff&allowed_groups=all`,
        `${url}/oauth2/auth?allowed_groups=`,
        `${url}/`,
        `${url}/ping`,
        "http://elsewhere.example.org/oauth2/auth?allowed_groups=staff",
        "http://proxy.login.svc.cluster.local:4180@elsewhere.example.org/oauth2/auth?allowed_groups=staff",
        "$scheme://$host",
      ]) {
        assert.deepEqual([...brokenBy(groups, ["bob/route/ingress", authUrl, value, ...first])], [...first], value);
      }
      assert.deepEqual([...brokenBy(everybody, ["bob/route/ingress", authUrl, undefined, ...first])], [...first]);
      const asked = `${url}/oauth2/auth`;
      assert.deepEqual([...brokenBy(none, ["bob/route/ingress", authUrl, asked, ...first])], [...first]);
    });

    it("takes no Middleware that asks another way, and no Ingress without each of its Middlewares", async () => {
      const login = { kind: "oauth2-proxy", url, allow: "member" };
      const own = members.map((each) => ({ ...each, subject: `${each.member}@example.org` }));
      const traefik = await recorded({ members: own, route: { host, controller: "traefik", login } });
      assert.deepEqual(findingsIn(traefik), []);
      const address = "spec.forwardAuth.address";
      const ada = `${url}/oauth2/auth?allowed_emails=ada%40example.org`;
      const middlewares = "metadata.annotations.traefik~ingress~kubernetes~io/router~middlewares";
      for (const change of [
        ["bob/route/allow", address, ada, ...first],
        ["bob/route/allow", address, `${url}/oauth2/auth`, ...first],
        ["bob/route/allow", address, `${url}/`, ...first],
        ["bob/route/login", address, `${url}/ping`, ...first],
        ["bob/route/login", address, "https://elsewhere.example.org/", ...first],
        ["bob/route/ingress", middlewares, undefined, ...first],
        ["bob/route/ingress", middlewares, "traefik-401-bob@kubernetescrd", ...first],
        ["bob/route/ingress", middlewares, "traefik-403-bob@kubernetescrd,traefik-401-ada@kubernetescrd", ...first],
      ] satisfies Change[]) {
        assert.deepEqual([...brokenBy(traefik, change)], [...first], JSON.stringify(change));
      }
    });
  });

  const template = "spec.template.spec";
  const container = `${template}.containers.0`;
  const ofObjects: readonly Change[] = [
    ["ann/object/deployment/tutor-ann", `${template}.hostNetwork`, true, "given-objects"],
    ["ann/object/deployment/tutor-ann", `${container}.securityContext`, { privileged: true }, "given-objects"],
    ["ann/object/deployment/tutor-ann", "metadata.labels.kubecamp~dev/object", undefined, "given-objects"],
    ["ann/object/configmap/tutor-ann", "metadata.name", "other", "given-objects"],
    ["ann/object/configmap/tutor-ann", "metadata.namespace", "eve", "given-objects", "own-places"],
    ["ann/object/service/tutor-ann", "spec.type", "LoadBalancer", "given-objects", "own-backend"],
  ];
  for (const kind of ["ConfigMap", "CronJob", "DaemonSet", "Deployment", "Service", "StatefulSet"]) {
    it(`finds given-objects broken by a ${kind} that no setting gives`, async () => {
      const objects = [{ file: "objects/tutor.yaml" }];
      const stack = await recorded({ members: [{ member: "ann", type: "user" }], objects }, given.files);
      const name = `ann/object/${kind.toLowerCase()}/tutor-ann`;
      const found = findingsWith(stack, name, (each) => {
        const unlabelled = withValue(each.args, ["metadata", "labels", "kubecamp.dev/object"], undefined);
        return { ...each, args: withValue(unlabelled, ["metadata", "name"], "evil") };
      });
      const broken = found.filter(({ invariant }) => invariant === "given-objects");
      assert.deepEqual(
        broken.map(({ field, message }) => `${field}: ${message}`),
        [`metadata.name: 'evil' is a ${kind} that no setting gives them`],
      );
    });
  }

  for (const each of ofObjects) {
    const [name, path, value, ...broken] = each;
    it(`finds ${broken.join(" and ")} broken where ${path} of ${name} is ${JSON.stringify(value)}`, async () => {
      const objects = [{ file: "objects/tutor.yaml" }];
      const stack = await recorded({ members: [{ member: "ann", type: "user" }], objects }, given.files);
      assert.deepEqual(findingsIn(stack), []);
      assert.deepEqual([...brokenBy(stack, each)].sort(), [...broken].sort());
    });
  }

  it("finds an object that is the member's own to say so, and the platform's not to", async () => {
    const [label, theirs] = ["metadata.labels.kubecamp~dev/object", "theirs"];
    const name = "ann/object/configmap/tutor-ann";
    for (const [objects, value] of [
      [[{ file: "objects/tutor.yaml" }], theirs],
      [[{ file: "objects/tutor.yaml", theirs: true }], "true"],
    ] as const) {
      const stack = await recorded({ members: [{ member: "ann", type: "user" }], objects }, given.files);
      assert.deepEqual(findingsIn(stack), []);
      assert.deepEqual([...brokenBy(stack, [name, label, value, "given-objects"])], ["given-objects"]);
    }
  });

  it("has an alteration here for every invariant", () => {
    const tried = new Set(
      [...changes, ...atGateways, ...ofStarters, ...ofObjects].flatMap(([, , , ...broken]) => broken),
    );
    const elsewhere = ["guards-first", "closed-doors", "login-first"];
    assert.deepEqual(
      [...tried, ...elsewhere].sort().filter((name, index, all) => all.indexOf(name) === index),
      Object.keys(invariants).sort(),
    );
  });
});
