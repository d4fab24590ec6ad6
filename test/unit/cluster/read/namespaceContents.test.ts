import assert from "node:assert/strict";
import type { KubernetesObject } from "@kubernetes/client-node";
import { withHolders } from "../../../../cluster/read/namespaceContents.ts";
import { labelsOf } from "../../samples.ts";

describe("namespaces that are being deleted", () => {
  const namespace = (name: string, metadata: object) => ({ metadata: { name, uid: name, ...metadata } });
  const gone = { deletionTimestamp: new Date("2026-06-15T09:00:00Z") };
  const bob = namespace("bob", { labels: labelsOf("bob"), ...gone });
  const others = [namespace("amy", { labels: labelsOf("amy") }), namespace("eve", gone)];
  const status = { conditions: [{ type: "NamespaceFinalizersRemaining", status: "True", message: "held" }] };

  const read = async (namespaces: readonly KubernetesObject[]) => {
    const asked: string[] = [];
    const list = async ({ path }: { readonly path: string }) => {
      asked.push(path);
      return [...others, bob].map((each) => ({ ...each, status })) as never;
    };
    return { found: await withHolders(namespaces, { list }), asked };
  };

  it("reads what keeps namespaces that are being deleted, by one LIST of members' namespaces", async () => {
    const path = "/api/v1/namespaces?labelSelector=app.kubernetes.io/managed-by%3Dkubecamp";
    assert.deepEqual(await read([...others, bob]), { found: [...others, { ...bob, status }], asked: [path] });
  });

  it("lists no namespaces while no member's is being deleted", async () => {
    assert.deepEqual(await read(others), { found: others, asked: [] });
  });
});
