import assert from "node:assert/strict";
import { type Discovered, servedKindsIn, servedPath } from "../../../../../cluster/read/server/servedKinds.ts";

const resource = (name: string, kind: string, more: object = {}) => ({
  resource: name,
  responseKind: { kind },
  scope: "Namespaced",
  verbs: ["create", "get", "list"],
  ...more,
});

describe("the kinds that an API server has", () => {
  it("are those in namespaces that can be listed and made, each in the preferred version, with its other ones", () => {
    const items: Discovered["items"] = [
      {
        versions: [
          {
            version: "v1",
            resources: [
              resource("configmaps", "ConfigMap"),
              resource("nodes", "Node", { scope: "Cluster" }),
              resource("bindings", "Binding", { verbs: ["create"] }),
              resource("statuses", "Status", { verbs: ["list"] }),
            ],
          },
        ],
      },
      {
        metadata: { name: "example.org" },
        versions: [
          { version: "v2", resources: [resource("widgets", "Widget")] },
          { version: "v1", resources: [resource("widgets", "Widget"), resource("gadgets", "Gadget")] },
        ],
      },
    ];
    assert.deepEqual(servedKindsIn({ items }), [
      { apiVersion: "v1", kind: "ConfigMap", resource: "configmaps" },
      { apiVersion: "example.org/v2", kind: "Widget", resource: "widgets", otherVersions: ["example.org/v1"] },
      { apiVersion: "example.org/v1", kind: "Gadget", resource: "gadgets" },
    ]);
  });

  it("are not known while a server of an aggregated API is down, or if something else answers", () => {
    const stale = { items: [{ metadata: { name: "example.org" }, versions: [{ version: "v1", freshness: "Stale" }] }] };
    assert.throws(() => servedKindsIn(stale), /the server of API example.org\/v1 does not answer/);
    assert.throws(() => servedKindsIn({}), /no list of API groups/);
  });

  it("have paths in a namespace", () => {
    assert.equal(servedPath({ apiVersion: "v1", resource: "pods" }, "bob"), "/api/v1/namespaces/bob/pods");
    assert.equal(servedPath({ apiVersion: "apps/v1", resource: "x" }, "bob"), "/apis/apps/v1/namespaces/bob/x");
  });
});
