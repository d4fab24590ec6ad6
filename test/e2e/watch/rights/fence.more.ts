import assert from "node:assert/strict";
import { makeNamespace, until } from "../../program/workloads.ts";
import { dryRunsOf, labels, somebody } from "./dryRuns.ts";
import { apps } from "./optional/apps.ts";
import { kinds } from "./optional/kinds.ts";
import { people } from "./optional/people.ts";
import { identity, memberTypes, ned, rbac, uma, useWatchStack } from "./watchStack.ts";

describe("the rights of kubecamp watch end", () => {
  const watchStack = useWatchStack();
  const { stack, signIn } = watchStack;
  const dryRuns = dryRunsOf(stack);
  const { written, role, clusterRoleWith, binding } = dryRuns;
  /** Expects a request of the watch's to be refused. Nothing would come of a write. */
  const refused = async (words: RegExp, method: string, path: string, body?: object) => {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const headers = { "impersonate-user": identity, "content-type": type };
    const query = method === "GET" ? "" : "?dryRun=All";
    const sent = body === undefined ? { headers } : { headers, body: JSON.stringify(body) };
    const answer = await stack.sandbox.askPatiently(method, `${path}${query}`, sent);
    assert.ok(answer.code >= 400, `${method} ${path}`);
    assert.match(JSON.parse(answer.body).message, words);
  };
  const labelled = (label: string, value: string | null) => ({ metadata: { labels: { [label]: value } } });
  const bindings = `/apis/${rbac}/v1/clusterrolebindings`;
  const clusterBinding = (name: string, roleName: string, marks: object) =>
    written({
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name, labels: marks },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: roleName },
      subjects: [somebody],
    });
  const space = (name: string, marks: object, annotations: object = {}) =>
    written({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels: marks, annotations } });
  const twin = (name: string, spec: object, annotations: object = {}) =>
    written({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, namespace: "ingress-nginx", labels, annotations },
      spec,
    });
  const path = (marks: object, annotations: object, service = "ned-svc") =>
    written({
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "ned", namespace: "ingress-nginx", labels: marks, annotations },
      spec: {
        ingressClassName: "nginx",
        rules: [
          {
            host: "camp.test",
            http: {
              paths: [
                { path: "/ned", pathType: "Prefix", backend: { service: { name: service, port: { number: 80 } } } },
              ],
            },
          },
        ],
      },
    });
  const secrets = { apiGroups: [""], resources: ["secrets"], verbs: ["get"] };

  before(async () => {
    await signIn();
    await stack.configure([ned, uma], { memberTypes });
    await stack.upFine();
    // The API server takes a moment to go by a policy.
    await until(async () => (await role("kubecamp-view", "default", secrets)).includes("kubecamp watch may not"));
  });
  after(() => stack.sandbox.remove("/api/v1/namespaces/monitoring"));

  it("before Secrets, containers, pods and the cluster's own roles", async () => {
    await refused(/cannot list resource "secrets"/, "GET", "/api/v1/secrets");
    await refused(/cannot get resource "secrets"/, "GET", "/api/v1/namespaces/ned/secrets/any");
    const pod = { metadata: { name: "web" }, spec: { containers: [{ name: "web", image: "web" }] } };
    await refused(/cannot create resource "pods"/, "POST", "/api/v1/namespaces/ned/pods", pod);
    const token = "/api/v1/namespaces/kube-system/serviceaccounts/default/token";
    await refused(/cannot create resource "serviceaccounts\/token"/, "POST", token, { spec: {} });
    await refused(/attempting to grant RBAC permissions not currently held/, "POST", bindings, {
      metadata: { name: "kubecamp:prod:x:view" },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "cluster-admin" },
      subjects: [somebody],
    });
    const other = {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRole",
      metadata: { name: "kubecamp:other:view" },
      rules: [],
    };
    assert.match(await written(other), /cannot patch resource "clusterroles"/);
    const view = `/apis/${rbac}/v1/clusterroles/kubecamp:prod:view`;
    await refused(/cannot delete resource "clusterroles"/, "DELETE", view);
    assert.equal(await stack.sandbox.may(identity, "create", "pods/exec", "ned"), false);
  });

  it("before roles of other names, although it may grant more than it has", async () => {
    assert.match(await role("mine", "ned", secrets), /roles.* "mine" is forbidden/);
    assert.equal(await role("kubecamp-view", "ned", secrets), "");
    assert.equal(await binding("ned", somebody), "");
  });

  it("where a namespace is nobody's home, named in a list or not", async () => {
    await makeNamespace(stack, "monitoring");
    const apart = ["kube-system", "default", "ingress-nginx", "kubecamp-system", "monitoring"];
    for (const namespace of apart) {
      const there = new RegExp(`kubecamp watch may not touch role\\w+ kubecamp-view in namespace ${namespace}, `);
      assert.match(await role("kubecamp-view", namespace, secrets), there);
      assert.match(await binding(namespace, somebody), there);
      const itself = new RegExp(`kubecamp watch may not touch namespaces ${namespace}, `);
      const path = `/api/v1/namespaces/${namespace}`;
      await refused(itself, "PATCH", path, labelled("kubecamp.dev/stack", "prod"));
      // Some the API server itself lets nobody delete.
      const immortal = new RegExp(`${itself.source}|this namespace may not be deleted`);
      await refused(immortal, "DELETE", path);
    }
    // Each pod of a collection is judged by itself.
    const spec = { containers: [{ name: "idle", image: "idle" }] };
    await stack.sandbox.create({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "idle", namespace: "default" },
      spec,
    });
    await refused(/may not touch pods .*default/, "DELETE", "/api/v1/namespaces/default/pods");
    await stack.delete("pod", "idle", "default");
  });

  it("where a namespace would be nobody's any more, or let pods have the node", async () => {
    const level = "pod-security.kubernetes.io/enforce";
    assert.equal(await space("ned", { ...labels, [level]: "restricted" }), "");
    const privileged = /may let nobody's pods be privileged/;
    assert.match(await space("ned", { ...labels, [level]: "privileged" }), privileged);
    await refused(privileged, "PATCH", "/api/v1/namespaces/ned", labelled(level, null));
    const older = /may give nobody's pods an older Pod Security, or the PriorityClasses of Kubernetes' own/;
    assert.match(await space("ned", { ...labels, [level]: "baseline", [`${level}-version`]: "v1.0" }), older);
    const classes = (names: string) => ({ "kubecamp.dev/priority-classes": names });
    assert.match(await space("ned", { ...labels, [level]: "baseline" }, classes("batch,system-node-critical")), older);
    assert.equal(await space("ned", { ...labels, [level]: "baseline" }, classes("batch")), "");
    const disowned = /may not touch namespaces ned, /;
    await refused(disowned, "PATCH", "/api/v1/namespaces/ned", labelled("kubecamp.dev/stack", null));
    assert.match(await space("zoe", { [level]: "baseline" }), /may not touch namespaces zoe, /);
  });

  it("before ServiceAccounts that give their token to every pod", async () => {
    const account = (rest: object, name = "default") =>
      written({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace: "ned", labels }, ...rest });
    assert.equal(await account({ automountServiceAccountToken: false }), "");
    const tokens = /may have no ServiceAccount give its token to every pod/;
    assert.match(await account({ automountServiceAccountToken: true }), tokens);
    assert.match(await account({ automountServiceAccountToken: false }, "mine"), /cannot patch/);
  });

  it("where it would be about itself, or Kubernetes' own", async () => {
    const [, , , name = ""] = identity.split(":");
    const self = /may bind people and their groups, ServiceAccounts to staff-spawn alone/;
    assert.match(await binding("ned", { kind: "ServiceAccount", name, namespace: "kubecamp-system" }), self);
    assert.match(await binding("ned", { kind: "User", name: identity, apiGroup: rbac }), self);
    assert.match(await binding("ned", { kind: "Group", name: "system:authenticated", apiGroup: rbac }), self);
  });

  it("before its own rights, which it may hand to nobody: no fence is about them", async () => {
    const mine = /may bind to its stack's roles alone/;
    const name = "kubecamp:prod:ned:view";
    assert.match(await clusterBinding("kubecamp:prod:ned:x", "kubecamp-watch", labels), mine);
    assert.match(await binding("uma", somebody, { kind: "ClusterRole", name: "kubecamp-watch" }), mine);
    assert.equal(await clusterBinding("kubecamp:prod:ned:x", "kubecamp:prod:view", labels), "");
    const others = /may not touch clusterrolebindings/;
    assert.match(await clusterBinding("kubecamp:prod:ned:x", "kubecamp:prod:view", {}), others);
    await refused(others, "DELETE", `${bindings}/cluster-admin`);
    await refused(others, "PATCH", `${bindings}/${name}`, labelled("kubecamp.dev/stack", null));
    const managedObject = /but nothing that guards them/;
    const escalate = {
      apiGroups: [rbac],
      resources: ["roles"],
      resourceNames: ["kubecamp-view"],
      verbs: ["escalate"],
    };
    assert.match(await clusterRoleWith([escalate]), managedObject);
    assert.match(
      await clusterRoleWith([{ apiGroups: [""], resources: ["pods"], verbs: ["deletecollection"] }]),
      managedObject,
    );
    assert.equal(await clusterRoleWith([{ apiGroups: [""], resources: ["pods"], verbs: ["list"] }]), "");
  });

  it("before roles that change what guards a member", async () => {
    const managedObject = /but nothing that guards them/;
    for (const [group, resource, verb] of [
      // Pod Security is a label of the namespace.
      ["", "namespaces", "patch"],
      ["", "resourcequotas", "delete"],
      ["", "serviceaccounts/token", "create"],
      ["", "endpoints", "update"],
      ["networking.k8s.io", "networkpolicies", "delete"],
      ["networking.k8s.io", "ingresses", "create"],
      [rbac, "roles", "escalate"],
      ["", "users", "impersonate"],
      ["", "*", "create"],
      ["*", "pods", "create"],
      ["", "limitranges", "*"],
    ] as const) {
      const rule = { apiGroups: [group], resources: [resource], verbs: ["get", verb] };
      assert.match(await role("kubecamp-view", "ned", rule), managedObject, `${verb} ${resource}`);
    }
  });

  it("beside the ingress controller, before all but members' routes", async () => {
    const others = /may not touch (services|ingresses) \S+ in namespace ingress-nginx, /;
    const metadata = { name: "controller", namespace: "ingress-nginx" };
    const spec = { selector: { app: "controller" }, ports: [{ port: 80 }] };
    await stack.sandbox.create({ apiVersion: "v1", kind: "Service", metadata, spec });
    await refused(others, "DELETE", "/api/v1/namespaces/ingress-nginx/services/controller");
    assert.match(await twin("controller", { selector: { app: "ned" } }), others);
    await stack.delete("service", "controller", "ingress-nginx");
    const own = { type: "ExternalName", externalName: "ned-svc.ned.svc.cluster.local." };
    const elsewhere = /lead to a member's own Service alone/;
    assert.equal(await twin("ned-svc", own), "");
    assert.match(await twin("ned-svc", { ...own, externalName: "kubernetes.default.svc.cluster.local." }), elsewhere);
    assert.match(await twin("uma-svc", own), elsewhere);
    assert.match(await twin("ned-svc", { selector: { app: "ned" }, ports: [{ port: 80 }] }), elsewhere);
    const configuration = /may put no configuration of a controller's own beside the ingress controller/;
    for (const annotations of [
      { "haproxy.org/backend-config-snippet": "http-request return lf-file /var/run/secrets/token" },
      { "external-dns.alpha.kubernetes.io/hostname": "www.example.org" },
      { "traefik.ingress.kubernetes.io/service.serversscheme": 'https"' },
    ]) {
      assert.match(await twin("ned-svc", own, annotations), configuration);
    }
    assert.equal(await twin("ned-svc", own, { "traefik.ingress.kubernetes.io/service.serversscheme": "https" }), "");
    assert.equal(await path(labels, {}), "");
    assert.match(await path({}, {}), others);
    assert.match(await path(labels, {}, "uma-svc"), /have an Ingress lead to a member's Service alone/);
    const snippet = { "nginx.ingress.kubernetes.io/configuration-snippet": "return 200;" };
    assert.match(await path(labels, snippet), /no configuration of the ingress controller's own/);
    const asks = { "nginx.ingress.kubernetes.io/auth-url": "https://elsewhere.example.org/oauth2/auth" };
    assert.match(await path(labels, asks), /ask the stack's own login alone/);
  });

  it("before all that a killed verification has left but its deletion", async () => {
    const name = "left-by-verify";
    const objects = (of: string) => [
      {
        ...{ apiVersion: `${rbac}/v1`, kind: "ClusterRoleBinding", subjects: [somebody] },
        metadata: { name, labels: { "kubecamp.dev/verify": of } },
        roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "kubecamp:prod:view" },
      },
      {
        ...{ apiVersion: "v1", kind: "Service", spec: { ports: [{ port: 80 }] } },
        metadata: { name, namespace: "ingress-nginx", labels: { "kubecamp.dev/verify": of } },
      },
      {
        ...{ apiVersion: "v1", kind: "Service", spec: { ports: [{ port: 80 }] } },
        metadata: { name, namespace: "default", labels: { "kubecamp.dev/verify": of } },
      },
    ];
    const others = /may not touch (services|clusterrolebindings) left-by-verify/;
    const refusals = async (method: string, of: string) => {
      const codes: number[] = [];
      for (const object of objects(of)) {
        await stack.sandbox.apply(object);
        const path = `${await stack.sandbox.placeOf(object)}/${name}`;
        const headers = { "impersonate-user": identity, "content-type": "application/merge-patch+json" };
        const body = method === "DELETE" ? "" : JSON.stringify({ metadata: { labels: { x: "y" } } });
        const answer = await stack.sandbox.askPatiently(method, `${path}?dryRun=All`, { headers, body });
        assert.match(answer.code < 300 ? `may not touch services ${name}` : JSON.parse(answer.body).message, others);
        codes.push(answer.code);
      }
      return codes;
    };
    // What is in no place of a stack's is never its own.
    assert.deepEqual(await refusals("DELETE", "prod"), [200, 200, 422]);
    assert.deepEqual(await refusals("DELETE", "dev"), [422, 422, 422]);
    assert.deepEqual(await refusals("PATCH", "prod"), [422, 422, 422]);
    for (const object of objects("prod")) {
      await stack.sandbox.remove(`${await stack.sandbox.placeOf(object)}/${name}`);
    }
  });

  // Each with optional manifests that are there for its tests alone.
  apps(watchStack, dryRuns);
  people(watchStack, dryRuns);
  kinds(watchStack, dryRuns);
});
