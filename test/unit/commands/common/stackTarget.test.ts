import assert from "node:assert/strict";
import { join } from "node:path";
import { stringify } from "yaml";
import { apiTargetOf, ownClusterOf } from "../../../../commands/common/stackTarget.ts";
import { project, useFolder } from "../../testFolder.ts";
import { stackFile } from "../stackFile.ts";

describe("the cluster of a command that asks the cluster alone", () => {
  const { KUBECONFIG } = process.env;
  const names = ["current", "prod", "other"];
  const shards = { shards: 2, cluster: { context: "prod" } };
  const folder = useFolder({
    ...project,
    kubeconfig: stringify({
      clusters: names.map((name) => ({ name, cluster: { server: `https://${name}.test` } })),
      users: [{ name: "admin", user: { token: "t" } }],
      contexts: names.map((name) => ({ name, context: { cluster: name, user: "admin" } })),
      "current-context": "current",
    }),
    "Pulumi.prod.yaml": stackFile({ ...shards, mistake: 1 }),
    "Pulumi.prod-0.yaml": stackFile({ shardOf: "prod" }),
    "Pulumi.dev.yaml": stackFile({}),
    "Pulumi.old.yaml": stackFile({ cluster: { context: "gone" } }),
    "Pulumi.pinned.yaml": stackFile({ cluster: { id: "1234" } }),
  });
  beforeEach(() => {
    process.env.KUBECONFIG = join(folder.path, "kubeconfig");
  });
  after(() => {
    if (KUBECONFIG === undefined) {
      delete process.env.KUBECONFIG;
    } else {
      process.env.KUBECONFIG = KUBECONFIG;
    }
  });

  it("a command's cluster is the one that is named, or the stack's, whose list may be wrong", () => {
    for (const [place, cluster] of [
      [{ stack: "prod" }, "prod"],
      [{ stack: "prod-0" }, "prod"],
      [{ stack: "dev" }, "current"],
      [{}, "current"],
      [{ stack: "prod", context: "other" }, "other"],
    ] as const) {
      assert.equal(apiTargetOf(place, folder.path).server, `https://${cluster}.test`);
    }
  });

  it("a command's cluster is known by its ID to what deletes, or by a context that is named", () => {
    assert.deepEqual(ownClusterOf({ stack: "pinned", context: "other" }, folder.path), { id: "1234" });
    assert.deepEqual(ownClusterOf({ stack: "dev" }, folder.path), { id: undefined });
    assert.equal(ownClusterOf({ stack: "far", context: "other" }, folder.path), undefined);
    assert.throws(() => ownClusterOf({ stack: "far" }, folder.path), /it is not known on which cluster the stack is/);
  });

  it("finds no cluster that the kubeconfig lacks, and says whose it is", () => {
    assert.throws(() => apiTargetOf({ stack: "old" }, folder.path), /cluster\.context/);
    assert.throws(() => apiTargetOf({ stack: "prod", context: "gone" }, folder.path), /--context/);
  });
});
