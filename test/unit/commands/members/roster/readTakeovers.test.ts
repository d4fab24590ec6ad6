import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStack } from "../../../../../commands/common/stackFile.ts";
import { readTakeovers } from "../../../../../commands/members/roster/readTakeovers.ts";
import { json, kubeSystem, metadataList, useApiServer } from "../../../cluster/fakeApiServer.ts";
import { stackFile } from "../../stackFile.ts";

const id = "0b9c7f0e-6a51-4c6f-9c0e-2f1d3a4b5c6d";

describe("looking at a cluster for what new members would take over", () => {
  const server = useApiServer();
  let folder = "";
  let printed: string[] = [];
  const { error } = console;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-unit-"));
    await writeFile(join(folder, "Pulumi.yaml"), "name: kubecamp\nruntime: nodejs\n");
    printed = [];
    console.error = (line: string) => void printed.push(line);
  });
  afterEach(async () => {
    console.error = error;
    await rm(folder, { recursive: true });
  });

  /** Takeovers by new members `web` and `zoe` of a stack that would adopt, on a cluster with `web`. */
  async function found(cluster: Readonly<Record<string, string>>) {
    const values = { route: { host: "camp.test" }, offboarding: { adopt: true }, members: [], cluster };
    await writeFile(join(folder, "Pulumi.prod.yaml"), stackFile(values));
    server.answers(
      "namespaces",
      json(metadataList({ metadata: { ...kubeSystem.metadata, uid: id } }, { metadata: { name: "web", labels: {} } })),
    );
    const added = ["web", "zoe"].map((member) => ({ member, type: "user" }));
    return await readTakeovers([readStack("prod", folder)], added, false);
  }
  const taken = [{ stack: "prod", member: "web", isAsked: false }];

  it("goes by the stack's, without a word", async () => {
    assert.deepEqual([await found({ id }), await found({ context: "here" }), printed], [taken, taken, []]);
  });

  it("says that it goes by the kubeconfig's current one if the stack names none", async () => {
    assert.deepEqual(await found({}), taken);
    assert.deepEqual(printed, [
      "Note: stack 'prod' names no cluster (cluster.id, cluster.context): this looks at the kubeconfig's current one.",
    ]);
  });

  it("takes no other cluster's word", async () => {
    await assert.rejects(
      found({ id: id.replace("0", "1") }),
      /It is unknown whether new members would take over namespaces/,
    );
  });
});
