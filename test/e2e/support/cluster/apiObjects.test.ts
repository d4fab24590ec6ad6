import assert from "node:assert/strict";
import { apiObjects } from "./apiObjects.ts";

describe("an object that a test deletes", () => {
  it("is not waited for without end: the failure names it and what holds it", async () => {
    const held = JSON.stringify({ metadata: { name: "ann", uid: "1", finalizers: ["example.org/hold"] } });
    const kinds = { resource: "namespaces", responseKind: { kind: "Namespace" }, scope: "Cluster", verbs: [] };
    const discovered = JSON.stringify({ items: [{ metadata: {}, versions: [{ version: "v1", resources: [kinds] }] }] });
    const { destroy } = apiObjects(
      {
        read: async (path) => (path.includes("/namespaces/") ? held : discovered),
        askPatiently: async () => ({ code: 200, body: held, warnings: [] }),
      },
      0,
    );
    await assert.rejects(destroy("namespace", "ann"), {
      message: "/api/v1/namespaces/ann is not gone after 0 s: end what holds it (finalizers: example.org/hold)",
    });
  });
});
