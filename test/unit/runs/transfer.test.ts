import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Settings } from "../../../config/model/settings/settings.ts";
import { secretSignature } from "../../../naming/pulumiMarks.ts";
import { transfer } from "../../../runs/state/transfer.ts";
import { restore } from "../cluster/fakeApiServer.ts";
import { cluster, managedObject, owned } from "../cluster/leaving.ts";
import { bob, configuration } from "../samples.ts";

describe("handing members over", () => {
  let folder: string;
  const { PATH } = process.env;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-unit-"));
    const answers = `
echo "$*" >> ${folder}/asked
case "$*" in
  version*) echo v3.270.0 ;;
  config*) echo '{}' ;;
  "stack export"*) cat ${folder}/state ;;
  "stack import"*) cat > ${folder}/imported ;;
esac`;
    await writeFile(join(folder, "pulumi"), `#!/bin/sh${answers}\n`, { mode: 0o755 });
    process.env.PATH = `${folder}:${PATH}`;
  });
  after(async () => {
    restore("PATH", PATH);
    await rm(folder, { recursive: true });
  });

  it("takes whom an old state has still out of it without reading what is secret there", async () => {
    const urn = (type: string, name: string) =>
      `urn:pulumi:prod-0::kubecamp::kubecamp:index:MemberEnvironment$${type}::${name}`;
    const user = "kubecamp-buckets:index:BucketUser";
    const sealed = { "4dabf18193072939515e22adb298388d": secretSignature, ciphertext: "v1:x" };
    const resources = [
      { urn: urn("kubernetes:core/v1:Namespace", "bob/namespace"), type: "kubernetes:core/v1:Namespace" },
      { urn: urn(user, "bob/bucket-user"), type: user, outputs: { secretAccessKey: sealed } },
    ];
    await writeFile(join(folder, "state"), JSON.stringify({ version: 3, deployment: { resources } }));
    const { settings } = configuration({ members: [] });
    const sharded: Settings = { ...settings, stack: "prod-1", shards: { family: "prod", count: 3 } };
    const snapshot = cluster({
      namespaces: new Map([["bob", owned("bob", { "kubecamp.dev/stack": "prod-2" })]]),
      managedObjects: new Map([
        ["Namespace bob", { ...managedObject("bob"), annotations: { "kubecamp.dev/former-stacks": "prod-0" } }],
      ]),
    });
    const reported: string[] = [];
    const parts = { folder, notify: (line: string) => void reported.push(line) };
    assert.deepEqual(await transfer({ settings: sharded, members: [bob] }, snapshot, parts), { moved: [], left: [] });
    const { deployment } = JSON.parse(await readFile(join(folder, "imported"), "utf8"));
    assert.deepEqual([deployment.resources, reported], [[], []]);
    const asked = (await readFile(join(folder, "asked"), "utf8")).split("\n");
    assert.deepEqual(
      asked.filter((line) => line.startsWith("stack export") && line.includes("--show-secrets")),
      [],
    );
  });
});
