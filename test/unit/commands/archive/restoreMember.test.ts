import assert from "node:assert/strict";
import { stringify } from "yaml";
import { manifestOf } from "../../../../commands/archive/manifest.ts";
import { restoreMember } from "../../../../commands/archive/restoreMember.ts";
import { json, useApiServer } from "../../cluster/fakeApiServer.ts";
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
  [`objects/${name}.yaml`, stringify({ apiVersion: "v1", kind, metadata: { name: "data" } })] as const;
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

  it("makes nothing that runs while a claim is not there: its controller would make an empty one in its place", async () => {
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

  it("ends where somebody interrupts it, and takes no request that ended with that for a failure", async () => {
    const stop = new AbortController();
    server.answers("kay", json({ kind: "Namespace", metadata: { name: "kay", labels: labelsOf("kay") } }));
    server.answers("api", discovered("", resource("configmaps", "ConfigMap")));
    server.answers("apis", discovered("apps", resource("statefulsets", "StatefulSet")));
    server.answers("data", () => stop.abort());
    await assert.rejects(restoreMember("kay", settings, archive, { signal: stop.signal }), { name: "AbortError" });
  });
});
