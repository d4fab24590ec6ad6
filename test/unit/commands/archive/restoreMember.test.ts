import assert from "node:assert/strict";
import { manifestOf } from "../../../../commands/archive/manifest.ts";
import { restoredSnapshot } from "../../../../commands/archive/restorable.ts";
import { freeVolume, restoreMember } from "../../../../commands/archive/restoreMember.ts";
import type { VolumesApi } from "../../../../commands/archive/snapshots.ts";
import { type Answer, json, useApiServer } from "../../cluster/fakeApiServer.ts";
import { labelsOf, settings } from "../../samples.ts";

type Fields = Record<string, unknown>;

const volumePath = "/api/v1/persistentvolumes/pv-1";
const snapshots = "/apis/snapshot.storage.k8s.io/v1/namespaces/ben/volumesnapshots";
const contents = "/apis/snapshot.storage.k8s.io/v1/volumesnapshotcontents";
const place = { from: "kay", namespace: "ben" };
const archivedClaim = { claim: "data", storage: "1Gi" };

/** An API server with these objects by path. */
function apiWith(objects: Record<string, Fields>) {
  const written: { readonly to: string; readonly body: Fields }[] = [];
  const api = {
    get: async ({ path }: { path: string }) => objects[path],
    write: async ({ method, path, body }: { method: string; path: string; body: Fields }) => {
      written.push({ to: `${method} ${path}`, body });
      if (method === "POST") {
        objects[`${path}/${Object(body.metadata).name}`] = body;
      }
      return "";
    },
  } as unknown as VolumesApi;
  return { api, written };
}

describe("a volume that was retained", () => {
  const free = (api: VolumesApi) => freeVolume(api, { ...archivedClaim, kept: { as: "volume", name: "pv-1" } }, place);
  const volume = (claimRef: object | undefined, phase = "Released") => ({
    kind: "PersistentVolume",
    spec: { claimRef },
    status: { phase },
  });

  it("a retained volume is kept for the new claim if it is the archived one's or the new one's", async () => {
    for (const namespace of ["kay", "ben"]) {
      const { api, written } = apiWith({ [volumePath]: volume({ namespace, name: "data", uid: "u" }) });
      await free(api);
      const claimRef = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: "ben", name: "data" };
      assert.deepEqual(written, [
        { to: `PATCH ${volumePath}`, body: { spec: { claimRef: { ...claimRef, uid: null, resourceVersion: null } } } },
      ]);
    }
  });

  it("a retained volume is left alone if somebody else has had it since, whose data it has", async () => {
    const refusal = async (objects: Record<string, Fields>) => {
      const { api, written } = apiWith(objects);
      const message = await free(api).then(
        () => assert.fail("it is taken"),
        (error: Error) => error.message,
      );
      assert.deepEqual(written, []);
      return message;
    };
    assert.equal(await refusal({}), "the volume 'pv-1' is gone");
    const kays = { namespace: "kay", name: "data" };
    assert.equal(await refusal({ [volumePath]: volume(kays, "Bound") }), "the volume 'pv-1' now belongs to kay/data");
    const leos = { namespace: "leo", name: "data" };
    assert.equal(await refusal({ [volumePath]: volume(leos) }), "the volume 'pv-1' now belongs to leo/data");
    assert.equal(
      await refusal({ [volumePath]: volume(undefined, "Available") }),
      "the volume 'pv-1' now belongs to nobody",
    );
  });
});

describe("a snapshot that was kept", () => {
  const keptAs = (handle: string) => ({ as: "snapshot", content: "c", driver: "d", handle }) as const;
  const free = (api: VolumesApi, handle: string) => freeVolume(api, { ...archivedClaim, kept: keptAs(handle) }, place);

  it("a kept snapshot is made again once, and another one of the same claim beside it", async () => {
    const { api, written } = apiWith({});
    await free(api, "monday");
    await free(api, "monday");
    await free(api, "friday");
    assert.deepEqual(
      written.map(({ to }) => to),
      [`POST ${contents}`, `POST ${snapshots}`, `POST ${contents}`, `POST ${snapshots}`],
    );
    const [content, snapshot, later] = written.map(({ body }) => body);
    const name = restoredSnapshot(keptAs("monday"));
    assert.deepEqual(content?.spec, {
      deletionPolicy: "Retain",
      driver: "d",
      source: { snapshotHandle: "monday" },
      volumeSnapshotRef: { apiVersion: "snapshot.storage.k8s.io/v1", kind: "VolumeSnapshot", name, namespace: "ben" },
    });
    assert.deepEqual(snapshot, {
      apiVersion: "snapshot.storage.k8s.io/v1",
      kind: "VolumeSnapshot",
      metadata: { name, annotations: { "kubecamp.dev/archive": "volume" } },
      spec: { source: { volumeSnapshotContentName: Object(content?.metadata).name } },
    });
    assert.deepEqual(Object(later?.spec).source, { snapshotHandle: "friday" });
    assert.notEqual(restoredSnapshot(keptAs("friday")), name);
    assert.match(name, /^kubecamp-[0-9a-f]{32}$/);
  });

  it("a kept snapshot is asked for anew if only its content was left by an earlier restore", async () => {
    const first = apiWith({});
    await free(first.api, "monday");
    const [left] = first.written;
    const leftName = Object(left?.body.metadata).name;
    const { api, written } = apiWith({ [`${contents}/${leftName}`]: { ...left?.body } });
    await free(api, "monday");
    assert.notEqual(Object(written[0]?.body.metadata).name, leftName);
  });
});

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
