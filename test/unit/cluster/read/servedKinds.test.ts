import assert from "node:assert/strict";
import {
  type Discovered,
  refuseOldEnvoyGateway,
  refuseUnfitKinds,
  servedKindsIn,
  servedPath,
} from "../../../../cluster/read/servedKinds.ts";
import type { ObjectKind } from "../../../../config/objects/objectKinds.ts";
import { gatewaySettings } from "../../samples.ts";

const resource = (name: string, kind: string, more: object = {}) => ({
  resource: name,
  responseKind: { kind },
  scope: "Namespaced",
  verbs: ["create", "get", "list"],
  ...more,
});

describe("the kinds that an API server has", () => {
  it("knows the served kinds that can be listed and made in namespaces, with all their versions", () => {
    const core = [
      resource("configmaps", "ConfigMap"),
      resource("nodes", "Node", { scope: "Cluster" }),
      resource("bindings", "Binding", { verbs: ["create"] }),
      resource("statuses", "Status", { verbs: ["list"] }),
    ];
    const widgets = resource("widgets", "Widget");
    const [v2, v1] = [
      { version: "v2", resources: [widgets] },
      { version: "v1", resources: [widgets, resource("gadgets", "Gadget")] },
    ];
    const items: Discovered["items"] = [
      { versions: [{ version: "v1", resources: core }] },
      { metadata: { name: "example.org" }, versions: [v2, v1] },
    ];
    assert.deepEqual(servedKindsIn({ items }), [
      { apiVersion: "v1", kind: "ConfigMap", resource: "configmaps" },
      { apiVersion: "example.org/v2", kind: "Widget", resource: "widgets", otherVersions: ["example.org/v1"] },
      { apiVersion: "example.org/v1", kind: "Gadget", resource: "gadgets" },
    ]);
  });

  it("knows no served kinds while an aggregated API is down, or if something else answers", () => {
    const stale = (name: string) => ({ metadata: { name }, versions: [{ version: "v1beta1", freshness: "Stale" }] });
    const items = [stale("metrics.k8s.io"), { versions: [{ version: "v1" }] }, stale("example.org")];
    assert.throws(() => servedKindsIn({ items }), {
      message:
        "the server of API metrics.k8s.io/v1beta1, example.org/v1beta1 does not answer (APIService v1beta1.metrics.k8s.io, v1beta1.example.org).",
      remedy:
        "See why: kubectl get apiservices. Repair it, then run again. If its server was uninstalled: kubectl delete apiservice v1beta1.metrics.k8s.io v1beta1.example.org",
    });
    assert.throws(() => servedKindsIn({}), /no list of API groups/);
  });

  it("gives a served kind its path in a namespace", () => {
    assert.equal(servedPath({ apiVersion: "v1", resource: "pods" }, "bob"), "/api/v1/namespaces/bob/pods");
    assert.equal(servedPath({ apiVersion: "apps/v1", resource: "x" }, "bob"), "/apis/apps/v1/namespaces/bob/x");
  });
});

const resources = [
  { name: "widgets", kind: "Widget", namespaced: true },
  { name: "widgets/scale", kind: "Scale", namespaced: true },
  { name: "octopi", kind: "Octopus", namespaced: true },
  { name: "fleets", kind: "Fleet", namespaced: false },
];

/** Checks kinds against a cluster with these resources. */
function check(...kinds: readonly ObjectKind["kind"][]): Promise<void> {
  const api = {
    resources: async (version: string) => (version === "example.org/v1" ? resources : undefined),
  };
  return refuseUnfitKinds({ objectKinds: kinds.map((kind) => ({ kind, isEditable: false })) }, api);
}

describe("the custom kinds that settings allow", () => {
  it("stops a run at custom kinds that the cluster lacks or has otherwise, with what to do", async () => {
    await assert.rejects(
      check(
        "Widget.v2.example.org",
        "Scale.v1.example.org",
        "Octopus.v1.example.org",
        "Fleet.v1.example.org",
        "Widget.v1.example.org",
      ),
      {
        message: `These custom kinds are not on the cluster as objectKinds declares them. Nothing was changed:
  Widget (example.org/v2): there is no such kind; install its CustomResourceDefinition, or remove it from objectKinds and objects
  Scale (example.org/v1): there is no such kind; install its CustomResourceDefinition, or remove it from objectKinds and objects
  Octopus (example.org/v1): its resource is 'octopi', not 'octopuses'; set plural: octopi
  Fleet (example.org/v1): is cluster-scoped, and members get objects in their own namespace only; remove it from objectKinds`,
      },
    );
  });

  it("asks the cluster for no custom kinds where none are allowed", async () => {
    await refuseUnfitKinds({}, { resources: () => assert.fail() });
  });
});

describe("the kinds of Envoy Gateway, which asks for a login", () => {
  const asking = gatewaySettings({ login: { kind: "oauth2-proxy", url: "http://proxy.login.svc" } });
  const served = (...fields: string[]) => {
    const object = (properties: object) => ({ type: "object", properties });
    const http = object(Object.fromEntries(fields.map((field) => [field, { type: "string" }])));
    const policy = object({ spec: object({ extAuth: object({ http }) }) });
    return {
      components: { schemas: { "io.k8s.Status": {}, "io.envoyproxy.gateway.v1alpha1.SecurityPolicy": policy } },
    };
  };
  /** Checks kinds against a cluster that describes them like this; undefined if it has none. */
  const check = (openApi: object | undefined, settings = asking) =>
    refuseOldEnvoyGateway(settings, {
      get: async ({ path, keep = (answer) => answer as never }) => {
        assert.equal(path, "/openapi/v3/apis/gateway.envoyproxy.io/v1alpha1");
        return openApi === undefined ? undefined : keep(openApi);
      },
    });

  it("stop a run where the login would be asked at the visitor's own path", async () => {
    const old =
      /^The Envoy Gateway on this cluster is older than 1\.8: .* go around the login; nothing was changed\..*or leave route\.login out/s;
    await assert.rejects(check(served("path")), { message: old });
    await assert.rejects(check({}), { message: old });
  });

  it("stop no run with the field, without the kinds, which are missed when they are listed, or without a login", async () => {
    await check(served("path", "pathOverride"));
    await check(undefined);
    await check(served("path"), gatewaySettings());
  });
});
