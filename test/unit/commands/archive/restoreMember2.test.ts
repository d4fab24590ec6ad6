import assert from "node:assert/strict";
import { manifestOf } from "../../../../commands/archive/manifest.ts";
import { restoreMember } from "../../../../commands/archive/restoreMember.ts";
import { type Answer, json, useApiServer } from "../../cluster/fakeApiServer.ts";
import { labelsOf, settings } from "../../samples.ts";

const resource = (name: string, kind: string) => ({
  resource: name,
  responseKind: { kind },
  scope: "Namespaced",
  verbs: ["create", "list"],
});
const discovered = (group: string, ...resources: readonly object[]) =>
  json({
    kind: "APIGroupDiscoveryList",
    items: [{ metadata: { name: group }, versions: [{ version: "v1", resources }] }],
  });
const file = (name: string, kind: string) =>
  [
    `objects/${name}.json`,
    JSON.stringify({ items: [{ apiVersion: "v1", kind, metadata: { name: "data" } }] }),
  ] as const;
const about = { stack: "dev", member: "kay", uid: "u-1", made: "", secrets: false };
const archive = {
  manifest: manifestOf(about, [], [{ claim: "data", storage: "1Gi", kept: { as: "volume", name: "pv-1" } }]),
  sha256: "",
  files: new Map([
    file("statefulsets.apps", "StatefulSet"),
    file("persistentvolumeclaims", "PersistentVolumeClaim"),
    file("configmaps", "ConfigMap"),
  ]),
};

describe("restoring a member", () => {
  const server = useApiServer();

  it("makes nothing that runs while a claim is missing: a controller would make an empty one", async () => {
    server.answers("kay", json({ kind: "Namespace", metadata: { name: "kay", labels: labelsOf("kay") } }));
    const core = [resource("configmaps", "ConfigMap"), resource("persistentvolumeclaims", "PersistentVolumeClaim")];
    server.answers("api", discovered("", ...core));
    server.answers("apis", discovered("apps", resource("statefulsets", "StatefulSet")));
    server.answers("configmaps", json({}, 201));
    server.answers("statefulsets", json({}, 201));
    assert.deepEqual(await restoreMember("kay", settings, archive), {
      created: ["configmaps/data"],
      there: [],
      leftOut: [],
      failed: [
        { object: "persistentvolumeclaims/data", why: "the volume 'pv-1' is gone" },
        {
          object: "statefulsets.apps/data",
          why: "waits for the claims, since a controller could create empty ones: correct them, or create them yourself, then restore again",
        },
      ],
    });
  });

  it("makes objects in their version where it is served, or else in today's, with all fields", async () => {
    const widgets = resource("widgets", "Widget");
    const versions = ["v1", "v1beta1"].map((version) => ({ version, resources: [widgets] }));
    server.answers("kay", json({ kind: "Namespace", metadata: { name: "kay", labels: labelsOf("kay") } }));
    server.answers("api", discovered(""));
    const groups = [{ metadata: { name: "example.org" }, versions }];
    server.answers("apis", json({ kind: "APIGroupDiscoveryList", items: groups }));
    const created: Answer = (request, response) => {
      const { url, body } = server.writes.at(-1) ?? {};
      const { apiVersion } = JSON.parse(body ?? "");
      const isPaths = url?.startsWith(`/apis/${apiVersion}/`) === true;
      const refusal = { kind: "Status", message: `the API version in the data (${apiVersion}) does not match` };
      json(isPaths ? {} : refusal, isPaths ? 201 : 400)(request, response);
    };
    // Each is looked for before it is made, by its own name.
    server.answers("widgets", created, created, created);
    const widget = (version: string) => ({
      ...{ apiVersion: `example.org/${version}`, kind: "Widget", metadata: { name: version } },
    });
    const items = ["v1", "v1beta1", "v1alpha1"].map(widget);
    const files = new Map([["objects/widgets.example.org.json", JSON.stringify({ items })]]);
    const manifest = manifestOf(about, [], []);
    const { failed } = await restoreMember("kay", settings, { manifest, sha256: "", files });
    assert.deepEqual(failed, []);
    assert.deepEqual(
      server.writes.map(({ url }) => url),
      [
        "v1/namespaces/kay/widgets",
        "v1beta1/namespaces/kay/widgets",
        "v1/namespaces/kay/widgets?fieldValidation=Strict",
      ].map((path) => `/apis/example.org/${path}`),
    );
  });

  it("ends where somebody interrupts it, and takes no request that ended with that for a failure", async () => {
    const stop = new AbortController();
    server.answers("kay", json({ kind: "Namespace", metadata: { name: "kay", labels: labelsOf("kay") } }));
    server.answers("api", discovered("", resource("configmaps", "ConfigMap")));
    server.answers("apis", discovered("apps", resource("statefulsets", "StatefulSet")));
    server.answers("data", () => stop.abort());
    await assert.rejects(restoreMember("kay", settings, archive, { signal: stop.signal }), { name: "AbortError" });
  });
});
