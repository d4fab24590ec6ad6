import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyOf } from "../../../cluster/read/snapshot/snapshot.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import { secretSignature } from "../../../naming/pulumiMarks.ts";
import { sharedObjects } from "../../../plan/manifest/manifest.ts";
import { policyObjectsOf } from "../../../plan/manifest/policyObjects.ts";
import { transfer } from "../../../runs/state/transfer.ts";
import { json, restore, useApiServer } from "../cluster/fakeApiServer.ts";
import { cluster, managedObject, owned } from "../cluster/leaving.ts";
import { alice, bob, configuration } from "../samples.ts";

describe("handing members over", () => {
  let folder: string;
  const { PATH } = process.env;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-unit-"));
    const answers = `
echo "$*" >> ${folder}/asked
stack=$(echo "$*" | sed -n 's/.*--stack \\([^ ]*\\).*/\\1/p')
case "$*" in
  version*) echo v3.270.0 ;;
  config*) echo '{}' ;;
  "stack export"*) cat ${folder}/state-$stack ;;
  "stack import"*) cat > ${folder}/state-$stack ;;
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
    await writeFile(join(folder, "state-prod-0"), JSON.stringify({ version: 3, deployment: { resources } }));
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
    const { deployment } = JSON.parse(await readFile(join(folder, "state-prod-0"), "utf8"));
    assert.deepEqual([deployment.resources, reported], [[], []]);
    const asked = (await readFile(join(folder, "asked"), "utf8")).split("\n");
    assert.deepEqual(
      asked.filter((line) => line.startsWith("stack export") && line.includes("--show-secrets")),
      [],
    );
  });

  describe("whose namespace can't be labelled", () => {
    const server = useApiServer();
    const family: Settings = {
      ...configuration({ members: [] }).settings,
      stack: "prod-0",
      shards: { family: "prod", count: 3 },
    };
    const policies = policyObjectsOf({ shared: sharedObjects({ ...family, stack: "prod-2" }, undefined) });
    const snapshot = cluster({
      namespaces: new Map([["bob", owned("bob", { "kubecamp.dev/stack": "prod-0" })]]),
      managedObjects: new Map(policies.map((object) => [keyOf(object), managedObject("")])),
    });
    const root = (stack: string) => [
      { urn: `urn:pulumi:${stack}::kubecamp::pulumi:pulumi:Stack::kubecamp-${stack}`, type: "pulumi:pulumi:Stack" },
      {
        urn: `urn:pulumi:${stack}::kubecamp::pulumi:providers:kubernetes::cluster`,
        id: stack,
        type: "pulumi:providers:kubernetes",
      },
    ];
    const type = "kubernetes:core/v1:Namespace";
    const home = {
      urn: `urn:pulumi:prod-0::kubecamp::kubecamp:index:MemberEnvironment$${type}::bob/namespace`,
      type,
      provider: "urn:pulumi:prod-0::kubecamp::pulumi:providers:kubernetes::cluster::prod-0",
    };
    const stateOf = async (stack: string) => JSON.parse(await readFile(join(folder, `state-${stack}`), "utf8"));
    const state = (resources: readonly object[]) => ({ version: 3, deployment: { resources } });

    beforeEach(async () => {
      await writeFile(join(folder, "state-prod-0"), JSON.stringify(state([...root("prod-0"), home])));
      await writeFile(join(folder, "state-prod-2"), JSON.stringify(state(root("prod-2"))));
    });

    it("stay in their stack's state, too", async () => {
      server.answers("bob", json({ message: "namespaces is forbidden" }, 403));
      const { moved, left } = await transfer({ settings: family, members: [alice, bob] }, snapshot, {
        folder,
        notify: () => undefined,
      });
      assert.deepEqual(moved, []);
      assert.match(left[0]?.why ?? "", /hand member 'bob' over.*forbidden/s);
      assert.deepEqual(await stateOf("prod-0"), state([...root("prod-0"), home]));
      assert.deepEqual(await stateOf("prod-2"), state(root("prod-2")));
    });

    it("stay there also where nobody can sign in any more", async () => {
      process.env.KUBECONFIG = join(folder, "none");
      const parts = { folder, notify: () => undefined };
      await assert.rejects(transfer({ settings: family, members: [alice, bob] }, snapshot, parts));
      assert.deepEqual(await stateOf("prod-0"), state([...root("prod-0"), home]));
    });
  });
});
