import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { mock } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { resourceOf } from "../../../../cluster/kinds/kinds.ts";
import type { Configuration } from "../../../../config/settings.ts";
import { findings } from "../../../../watch/live/findings.ts";
import { type LiveCluster, watchCluster } from "../../../../watch/live/liveCluster.ts";
import { LiveObjects } from "../../../../watch/live/liveObjects.ts";
import { watchedKinds } from "../../../../watch/live/watchedKinds.ts";
import { ca } from "../../certificates.ts";
import { type Answer, json, stream, useApiServer } from "../../cluster/fakeApiServer.ts";
import { plannedBy } from "../../plan/planned.ts";
import { configuration, gatewaySettings, traefikSettings } from "../../samples.ts";
import { until } from "../../until.ts";
import { type Live, LiveStack } from "./liveStack.ts";

const kinds = [
  ...(["ClusterRole", "ClusterRoleBinding", "EndpointSlice", "Ingress", "LimitRange", "Namespace"] as const),
  ...(["NetworkPolicy", "ResourceQuota", "Role", "RoleBinding", "Service", "ServiceAccount"] as const),
  ...(["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"] as const),
];

describe("a live cluster", () => {
  const server = useApiServer();
  let stop: AbortController;
  const troubles: string[] = [];
  let changes = 0;
  beforeEach(() => {
    stop = new AbortController();
    troubles.length = 0;
    changes = 0;
  });
  afterEach(() => stop.abort());

  const stackOf = (entry: object = {}) =>
    new LiveStack(configuration({ members: [{ member: "bob", type: "user", ...entry }] }));
  const listOf = (kind: string, stack: LiveStack): Answer =>
    json({
      kind: `${kind}List`,
      metadata: { resourceVersion: "5" },
      items: [...stack.objects].filter(([key]) => key.startsWith(`${kind} `)).map(([, object]) => object),
    });
  /** Each kind's list, once and again. */
  const answer = (stack: LiveStack) => {
    for (const kind of kinds) {
      server.answers(resourceOf(kind), listOf(kind, stack), listOf(kind, stack));
    }
  };
  const watch = (of: Configuration): LiveCluster =>
    watchCluster(
      of,
      {
        onChange: () => changes++,
        onTrouble: (what, error) => troubles.push(`${what}: ${error?.message.split("\n")[0] ?? "well"}`),
        onCut: () => undefined,
      },
      stop.signal,
      { settled: 50, pause: () => sleep(5) },
    );
  /** The stream of a kind's first watch. */
  const streamOf = (path: string): Promise<ServerResponse> => {
    const { promise, resolve } = Promise.withResolvers<ServerResponse>();
    server.answers(`watch ${path}`, (request, response) => {
      stream({ type: "BOOKMARK", object: { metadata: { resourceVersion: "5" } } })(request, response);
      resolve(response);
    });
    return promise;
  };
  const notify = (response: ServerResponse, type: string, object: Live | undefined) =>
    response.write(`${JSON.stringify({ type, object })}\n`);

  it("knows a cluster once every list has come, and then finds nothing that an up would change", async () => {
    const stack = stackOf();
    answer(stack);
    const live = watch(stack.configuration);
    assert.equal(live.well, false);
    await live.synced;
    assert.equal(live.well, true);
    assert.deepEqual(live.snapshot(), stack.snapshot());
    assert.deepEqual(findings(plannedBy(stack.configuration, live.snapshot())), []);
  });

  it("watches all Services and Namespaces, and of other kinds the stack's own alone", async () => {
    const urls: string[] = [];
    const stack = stackOf();
    for (const kind of kinds) {
      server.answers(resourceOf(kind), (request, response) => {
        urls.push(decodeURIComponent(request.url ?? ""));
        listOf(kind, stack)(request, response);
      });
    }
    await watch(stack.configuration).synced;
    const own = "?labelSelector=kubecamp.dev/stack=dev";
    assert.deepEqual(urls.map((url) => url.replace(/[?&]limit=500$/, "")).sort(), [
      `/api/v1/limitranges${own}`,
      "/api/v1/namespaces",
      `/api/v1/resourcequotas${own}`,
      `/api/v1/serviceaccounts${own}&fieldSelector=metadata.name=default`,
      "/api/v1/services",
      `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies${own}`,
      `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings${own}`,
      "/apis/networking.k8s.io/v1/ingresses",
      `/apis/networking.k8s.io/v1/networkpolicies${own}`,
      `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings${own}`,
      `/apis/rbac.authorization.k8s.io/v1/clusterroles${own}`,
      `/apis/rbac.authorization.k8s.io/v1/rolebindings${own}`,
      `/apis/rbac.authorization.k8s.io/v1/roles${own}`,
    ]);
  });

  it("knows no other cluster than the stack's: a refresh there would lose the whole state", async () => {
    const id = "1c2d3e4f-0000-4000-8000-000000000001";
    const base = configuration({ members: [{ member: "bob", type: "user" }], cluster: { id } });
    const stack = new LiveStack(base);
    const identity = (uid: string) => ({ metadata: { name: "kube-system", uid, resourceVersion: uid } });
    stack.objects.set("Namespace kube-system", identity("another"));
    answer(stack);
    const namespaces = streamOf("namespaces");
    const live = watch(base);
    await live.synced;
    assert.equal(live.well, false);
    assert.match(troubles[0] ?? "", /^the stack's cluster: this is another cluster: its id is another, .* is 1c2d3e4f/);
    notify(await namespaces, "MODIFIED", identity(id));
    await until(() => live.well);
    assert.deepEqual(troubles.slice(1), ["the stack's cluster: well"]);
  });

  it("tells of changes on the cluster that matter, and not of others", async () => {
    const stack = stackOf();
    answer(stack);
    const services = streamOf("services");
    const quotas = streamOf("resourcequotas");
    const live = watch(stack.configuration);
    await live.synced;
    changes = 0;
    const touched = stack.copy();
    touched.change("ResourceQuota bob/quota", ({ metadata }) => ({
      metadata: { ...metadata, resourceVersion: "8" },
      status: {},
    }));
    notify(await quotas, "MODIFIED", touched.objects.get("ResourceQuota bob/quota"));
    notify(await services, "ADDED", { metadata: { name: "x", namespace: "default", resourceVersion: "8" } });
    await sleep(50);
    assert.equal(changes, 0);
    notify(await services, "DELETED", stack.objects.get("Service bob/bob-svc"));
    await until(() => changes > 0);
    assert.deepEqual(
      findings(plannedBy(stack.configuration, live.snapshot())).map(({ what }) => what),
      ["route closes"],
    );
  });

  it("keeps what is known while Services are refused, unwell: no live route is taken for dead", async () => {
    const stack = stackOf();
    answer(stack);
    const services = Promise.withResolvers<ServerResponse>();
    const begun: Answer = (request, response) => {
      stream({ type: "BOOKMARK", object: { metadata: { resourceVersion: "5" } } })(request, response);
      services.resolve(response);
    };
    const refused = json({ kind: "Status", message: "services is forbidden" }, 403);
    server.answers("watch services", begun, refused, refused);
    const live = watch(stack.configuration);
    await live.synced;
    (await services.promise).destroy();
    await until(() => troubles.length > 0);
    assert.equal(live.well, false);
    assert.deepEqual(findings(plannedBy(stack.configuration, live.snapshot())), []);
    await until(() => live.well);
    const [first, ...rest] = troubles;
    assert.match(first ?? "", /^the Services: Can't watch the Services from .*: 403 services is forbidden$/);
    assert.deepEqual(rest, ["the Services: well"]);
    assert.deepEqual(findings(plannedBy(stack.configuration, live.snapshot())), []);
  });

  it("knows no cluster while one kind is refused, and says so", async () => {
    const stack = stackOf();
    answer(stack);
    server.answers("roles", ...Array.from({ length: 5 }, () => json({ message: "roles is forbidden" }, 403)));
    const live = watch(stack.configuration);
    let synced = false;
    void live.synced.then(() => {
      synced = true;
    });
    await until(() => troubles.length > 0);
    await sleep(50);
    assert.deepEqual([synced, live.well], [false, false]);
    assert.match(troubles.join(), /^the Roles: Can't read the Roles from the API server .*: 403 roles is forbidden$/);
  });

  it("leaves out starter apps alone for as long as Deployments may not be listed", async () => {
    const stack = stackOf({ starter: "kept" });
    answer(stack);
    server.answers("configmaps", listOf("ConfigMap", stack));
    const refused = Array.from({ length: 5 }, () => json({ message: "deployments is forbidden" }, 403));
    server.answers("deployments", ...refused, listOf("Deployment", stack));
    const live = watch(stack.configuration);
    await live.synced;
    assert.ok(live.well && live.snapshot().unread?.kinds.has("Deployment"));
    const found = () =>
      findings(plannedBy(stack.configuration, live.snapshot())).map(({ what, object }) => [what, object]);
    assert.deepEqual(found(), []);
    assert.match(troubles.join(), /^the Deployments? .*: 403 deployments is forbidden$/);
    await until(() => live.snapshot().unread === undefined);
    assert.deepEqual(found(), []);
    assert.match(troubles.join(), /: well$/);
  });

  it("leaves starter apps out too where the right turns out to be missing after an outage", async () => {
    const stack = stackOf({ starter: "kept" });
    answer(stack);
    server.answers("configmaps", listOf("ConfigMap", stack));
    const refused = Array.from({ length: 5 }, () => json({ message: "deployments is forbidden" }, 403));
    server.answers("deployments", json({}, 404), ...refused, listOf("Deployment", stack));
    const live = watch(stack.configuration);
    await live.synced;
    assert.deepEqual([live.well, live.snapshot().unread?.kinds.has("Deployment")], [true, true]);
    assert.match(troubles.join("\n"), /^the Deployments?\b.*404.*\n.*: 403 deployments is forbidden$/);
    await until(() => live.snapshot().unread === undefined);
    assert.deepEqual([live.well, troubles.length], [true, 3]);
  });

  it("watches what an API server fills in that can, and is unwell until that is known", async () => {
    const runtimeClasses = { allowed: ["gvisor"], default: "gvisor" };
    const resources = (...names: string[]) =>
      json({ kind: "APIResourceList", resources: names.map((name) => ({ name })) });
    const policies = ["mutatingadmissionpolicies", "mutatingadmissionpolicybindings"];
    for (const [known, isFollowed] of [
      [["validatingadmissionpolicies"], false],
      [policies, true],
    ] as const) {
      const stack = stackOf({ runtimeClasses });
      answer(stack);
      server.answers("v1", json({}, 503), resources(...known));
      for (const kind of ["MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"]) {
        server.answers(`${kind.toLowerCase().replace(/y$/, "ie")}s`, listOf(kind, stack));
      }
      server.asked.length = 0;
      const live = watch(stack.configuration);
      assert.equal(live.well, false);
      await live.synced;
      assert.equal(live.well, true);
      assert.equal(live.snapshot().mutates, isFollowed);
      assert.deepEqual(server.asked.filter((kind) => policies.includes(kind)).sort(), isFollowed ? policies : []);
      const missing = findings(plannedBy(stack.configuration, live.snapshot())).map(({ what, object }) => [
        what,
        object,
      ]);
      const own = ["MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"].map((kind) => [
        "missing",
        `${kind} kubecamp-fill-in-dev`,
      ]);
      assert.deepEqual(missing, isFollowed ? own : []);
    }
  });

  it("signs a watch in anew with what the kubeconfig has by then", async () => {
    const stack = stackOf({ runtimeClasses: { allowed: ["gvisor"], default: "gvisor" } });
    answer(stack);
    const services = streamOf("services");
    server.answers(
      "v1",
      async (request, response) => {
        await services;
        await server.kubeconfig({ token: "second" });
        json({ message: "Unauthorized" }, 401)(request, response);
      },
      json({ kind: "APIResourceList", resources: [] }),
    );
    await server.kubeconfig({ token: "first" });
    await watch(stack.configuration).synced;
    (await services).end();
    const tokensOf = (kind: string) => server.tokens.filter((_, i) => server.asked[i] === kind);
    await until(() => tokensOf("watch services").length === 2);
    const renewed = ["Bearer first", "Bearer second"];
    assert.deepEqual([tokensOf("v1"), tokensOf("watch services")], [renewed, renewed]);
  });

  it("watches what is behind routes' Services from the start where routes take ready pods", async () => {
    const stack = stackOf({ route: { readiness: { requires: "endpoints" } } });
    const resourceVersion = "1";
    const other = { apiVersion: "v1", kind: "Service", metadata: { name: "web", namespace: "shop", resourceVersion } };
    stack.objects.set("Service shop/web", other);
    stack.objects.set("EndpointSlice shop/web-1", { ...other, kind: "EndpointSlice" });
    const metadata = { name: "bob-svc-1", namespace: "bob", resourceVersion };
    stack.objects.set("EndpointSlice bob/bob-svc-1", { ...other, kind: "EndpointSlice", metadata });
    answer(stack);
    const taken = [
      mock.method(LiveObjects.prototype, "putService"),
      mock.method(LiveObjects.prototype, "putSlice"),
    ] as const;
    try {
      const live = watch(stack.configuration);
      await live.synced;
      const found = findings(plannedBy(stack.configuration, live.snapshot()));
      assert.deepEqual(
        found.map(({ what }) => what),
        ["route closes"],
      );
      assert.deepEqual(
        taken.map(({ mock: { calls } }) => calls.map(({ arguments: [key] }) => key)),
        [["ingress-nginx/bob-svc", "bob/bob-svc"], ["bob/bob-svc-1"]],
      );
    } finally {
      for (const each of taken) {
        each.mock.restore();
      }
    }
  });

  it("watches what is behind Services as soon as one is headless, and is unwell until then", async () => {
    const stack = stackOf();
    answer(stack);
    const services = streamOf("services");
    const slices = Promise.withResolvers<void>();
    server.answers("endpointslices", async (request, response) => {
      await slices.promise;
      listOf("EndpointSlice", stack)(request, response);
    });
    const live = watch(stack.configuration);
    await live.synced;
    assert.equal(server.asked.includes("endpointslices"), false);
    const headless = stack.copy();
    headless.change("Service bob/bob-svc", ({ metadata, spec }) => ({
      metadata: { ...metadata, resourceVersion: "8" },
      spec: { ...Object(spec), clusterIP: "None" },
    }));
    notify(await services, "MODIFIED", headless.objects.get("Service bob/bob-svc"));
    await until(() => server.asked.includes("endpointslices"));
    assert.equal(live.well, false);
    changes = 0;
    slices.resolve();
    await until(() => live.well);
    assert.ok(changes > 0);
  });

  it("watches anybody's objects of kinds that hold paths, and of routes' other kinds the stack's", () => {
    const https = { backendProtocol: "HTTPS", backendTls: { ca } };
    const own = "kubecamp.dev/stack=dev";
    for (const [stack, expected] of [
      [
        gatewaySettings(https),
        [
          ["backendtlspolicies", own, undefined],
          ["configmaps", undefined, "metadata.name=kubecamp-backend-ca"],
          ["httproutes", undefined, undefined],
        ],
      ],
      [
        traefikSettings({ ...https, rewrite: "strip" }),
        [
          ["ingresses", undefined, undefined],
          ["middlewares", own, undefined],
          ["serverstransports", own, undefined],
        ],
      ],
    ] as const) {
      const always = watchedKinds(configuration({ members: [], route: { host: "camp.example.org" } }));
      const common: readonly string[] = always.map(({ kind }) => kind).filter((kind) => kind !== "Ingress");
      const followed = watchedKinds({ settings: stack, members: [] }).filter(({ kind }) => !common.includes(kind));
      assert.deepEqual(
        followed.map(({ path, labelSelector, fieldSelector }) => [
          path.split("/").at(-1),
          labelSelector,
          fieldSelector,
        ]),
        expected,
      );
    }
  });
});
