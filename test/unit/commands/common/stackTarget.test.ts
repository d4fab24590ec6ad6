import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { ownClusterOf, targetOf } from "../../../../commands/common/stackTarget.ts";

describe("the cluster of a command that asks the cluster alone", () => {
  const { KUBECONFIG } = process.env;
  const names = ["current", "prod", "other"];
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-target-"));
    process.env.KUBECONFIG = join(folder, "kubeconfig");
    const kubeconfig = {
      clusters: names.map((name) => ({ name, cluster: { server: `https://${name}.test` } })),
      users: [{ name: "admin", user: { token: "t" } }],
      contexts: names.map((name) => ({ name, context: { cluster: name, user: "admin" } })),
      "current-context": "current",
    };
    await writeFile(process.env.KUBECONFIG, stringify(kubeconfig));
    await writeFile(join(folder, "Pulumi.yaml"), "name: kubecamp\nruntime: nodejs\n");
    const stack = (settings: object) => stringify({ config: settings });
    const shards = { "kubecamp:shards": 2, "kubecamp:cluster": { context: "prod" } };
    await writeFile(join(folder, "Pulumi.prod.yaml"), stack({ ...shards, "kubecamp:mistake": 1 }));
    await writeFile(join(folder, "Pulumi.prod-0.yaml"), stack({ "kubecamp:shardOf": "prod" }));
    await writeFile(join(folder, "Pulumi.dev.yaml"), stack({}));
    await writeFile(join(folder, "Pulumi.old.yaml"), stack({ "kubecamp:cluster": { context: "gone" } }));
  });
  after(async () => {
    if (KUBECONFIG === undefined) delete process.env.KUBECONFIG;
    else process.env.KUBECONFIG = KUBECONFIG;
    await rm(folder, { recursive: true });
  });

  it("is the stack's, also where its list has mistakes, or the one that is named before all", () => {
    for (const [place, cluster] of [
      [{ stack: "prod" }, "prod"],
      [{ stack: "prod-0" }, "prod"],
      [{ stack: "dev" }, "current"],
      [{}, "current"],
      [{ stack: "prod", context: "other" }, "other"],
    ] as const) {
      assert.equal(targetOf(place, folder).server, `https://${cluster}.test`);
    }
  });

  it("is known by its ID to what deletes, or by a context that is named", async () => {
    const file = stringify({ config: { "kubecamp:cluster": { id: "1234" } } });
    await writeFile(join(folder, "Pulumi.pinned.yaml"), file);
    assert.deepEqual(ownClusterOf({ stack: "pinned", context: "other" }, folder), { id: "1234" });
    assert.deepEqual(ownClusterOf({ stack: "dev" }, folder), { id: undefined });
    assert.equal(ownClusterOf({ stack: "far", context: "other" }, folder), undefined);
    assert.throws(() => ownClusterOf({ stack: "far" }, folder), /it is not known on which cluster the stack is/);
  });

  it("is none where the kubeconfig has not the stack's, and the message says whose it is", () => {
    assert.throws(() => targetOf({ stack: "old" }, folder), /cluster\.context/);
    assert.throws(() => targetOf({ stack: "prod", context: "gone" }, folder), /--context/);
  });
});
