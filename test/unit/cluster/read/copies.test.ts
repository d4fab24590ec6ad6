import assert from "node:assert/strict";
import { readCopies } from "../../../../cluster/read/copies.ts";
import type { Lists } from "../../../../cluster/read/rights.ts";
import { configuration } from "../../samples.ts";

const copied = ["Secret platform/registry", "ConfigMap platform/ca", "Secret platform/registry"];
const { settings } = configuration({ members: [], objects: copied.map((copy) => ({ copy })) });

/** A server with these objects, by path. */
const server = (objects: Readonly<Record<string, object>>): Lists & { readonly asked: string[] } => {
  const asked: string[] = [];
  return {
    asked,
    list: async ({ path }) => {
      asked.push(path);
      return (path in objects ? [objects[path]] : []) as never;
    },
  };
};

const secret = "/api/v1/namespaces/platform/secrets?fieldSelector=metadata.name%3Dregistry";
const configMap = "/api/v1/namespaces/platform/configmaps?fieldSelector=metadata.name%3Dca";

describe("what members get copies of", () => {
  it("reads each object that members get copies of once, by its name, without what is its own", async () => {
    const [data, metadata] = [{ a: "eA==" }, { resourceVersion: "1", labels: { a: "b" } }];
    const registry = { metadata, type: "x", data, immutable: true };
    const ca = { metadata: { resourceVersion: "2" }, data: { "ca.crt": "x" } };
    const from = server({ [secret]: registry, [configMap]: ca });
    assert.deepEqual(Object.fromEntries((await readCopies(settings, from)) ?? []), {
      "Secret platform/registry": { resourceVersion: "1", type: "x", data },
      "ConfigMap platform/ca": { resourceVersion: "2", data: { "ca.crt": "x" } },
    });
    assert.deepEqual(from.asked.sort(), [configMap, secret]);
    assert.equal(await readCopies({}, from), undefined);
  });

  it("stops a run where an object is gone that members get copies of, and names that", async () => {
    await assert.rejects(readCopies(settings, server({})), {
      message:
        "There is no Secret 'platform/registry', ConfigMap 'platform/ca' to copy for members (objects). Nothing was changed, and their copies stay.\n" +
        "Create it again, correct copy, or remove the entry from objects, which removes the copies too.",
    });
  });
});
