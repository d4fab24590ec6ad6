import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStack, type UpScope } from "../../../watch/stackRunner.ts";
import {
  type Answer,
  json,
  kubeSystem,
  metadataList,
  restore,
  useApiServer,
} from "../../unit/cluster/fakeApiServer.ts";
import { route } from "../../unit/samples.ts";

/** Enough of them for it to pay to make them without checkpoints. */
const crowd = Array.from({ length: 10 }, (_, at) => ({ member: `kim-${at}`, type: "guest-user" }));
const start = "urn:pulumi:prod::kubecamp::";
const root = [
  { urn: `${start}pulumi:pulumi:Stack::kubecamp-prod`, type: "pulumi:pulumi:Stack" },
  { urn: `${start}pulumi:providers:kubernetes::cluster`, type: "pulumi:providers:kubernetes", id: "1" },
];
const namespaceType = "kubernetes:core/v1:Namespace";
const urnOf = (member: string) => `${start}kubecamp:index:MemberEnvironment$${namespaceType}::${member}/namespace`;
const all: UpScope = { target: undefined, refresh: true };
const ingress = { metadata: { name: "ingress-nginx", uid: "5678", labels: {} } };
/** More of an answer than an up asks for. */
const often = (answer: Answer) => Array.from({ length: 6 }, () => answer);

describe("an up of the watch", () => {
  const server = useApiServer();
  const { PATH } = process.env;
  let folder: string;
  const inFolder = (name: string) => join(folder, name);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-unit-"));
    const answers = `
echo "$1 $2" >> ${folder}/asked
case "$*" in
  version*) echo v3.270.0 ;;
  config*) cat ${folder}/config ;;
  "stack export"*) cat ${folder}/state ;;
  up*) echo "\${PULUMI_SKIP_CHECKPOINTS:-with checkpoints}" >> ${folder}/ups ;;
esac`;
    await writeFile(inFolder("pulumi"), `#!/bin/sh${answers}\n`, { mode: 0o755 });
    await writeFile(inFolder("Pulumi.yaml"), "name: kubecamp\nruntime: nodejs\n");
    await writeFile(inFolder("index.ts"), 'export { members, pending } from "kubecamp/program";\n');
    process.env.PATH = `${folder}:${PATH}`;
  });
  beforeEach(async () => {
    await Promise.all(["asked", "ups"].map((name) => rm(inFolder(name), { force: true })));
    await declare(crowd);
    await known();
    server.answers("namespaces", ...often(json(metadataList(kubeSystem, ingress))));
  });
  after(async () => {
    restore("PATH", PATH);
    await rm(folder, { recursive: true });
  });

  const declare = async (members: readonly object[], more: Readonly<Record<string, object>> = {}) => {
    const values = { route, members, ...more };
    const entries = Object.entries(values).map(([key, value]) => [`kubecamp:${key}`, { value: JSON.stringify(value) }]);
    await writeFile(inFolder("config"), JSON.stringify(Object.fromEntries(entries)));
  };
  /** Has the state know these beside the stack and its provider. */
  const known = async (...resources: readonly object[]) =>
    await writeFile(
      inFolder("state"),
      JSON.stringify({ version: 3, deployment: { resources: [...root, ...resources] } }),
    );
  const lines = async (name: string) => (await readFile(inFolder(name), "utf8").catch(() => "")).trim().split("\n");
  const up = async (request: UpScope) => {
    const runner = await openStack({ folder, stack: "prod" });
    return await runner.up(request, new AbortController().signal);
  };
  const ran = async (request: UpScope = all) => {
    const { outcome } = await up(request);
    return [outcome, ...(await lines("ups"))];
  };

  it("writes the state once in an up that makes so much that this pays", async () => {
    const result = await up(all);
    assert.deepEqual(result, { outcome: "succeeded", changes: [], isWrittenOnce: true });
    assert.deepEqual(await lines("ups"), ["true"]);
  });

  it("keeps checkpoints in an up that makes little, or removes somebody", async () => {
    await declare(crowd.slice(0, 1));
    assert.deepEqual(await ran(), ["succeeded", "with checkpoints"]);
    await declare(crowd);
    await known({ urn: urnOf("leo"), type: namespaceType });
    assert.deepEqual((await ran()).slice(-1), ["with checkpoints"]);
  });

  describe("after one that was killed, or with a lost state", () => {
    beforeEach(() => {
      const item = {
        metadata: { name: "zoe", uid: "1", labels: { "kubecamp.dev/stack": "prod", "kubecamp.dev/member": "zoe" } },
      };
      server.answers("namespaces", ...often(json(metadataList(kubeSystem, ingress, item))));
      server.answers("zoe", ...often(json({ kind: "Namespace", ...item })));
    });
    const deleted = () => server.writes.map(({ method, url, body }) => [method, url, JSON.parse(body).preconditions]);

    it("deletes after the run what is nobody's any more, and says so", async () => {
      const result = await up(all);
      assert.deepEqual(
        [result.outcome, result.cleared],
        ["succeeded", [{ code: "leftDeleted", object: "Namespace zoe", facts: {} }]],
      );
      assert.deepEqual(deleted(), [["DELETE", "/api/v1/namespaces/zoe", { uid: "1" }]]);
    });

    it("deletes nothing of former members in an up of some, or on another cluster", async () => {
      await declare(crowd.map((one) => ({ ...one, suspended: true })));
      const { outcome } = await up({ target: crowd.map(({ member }) => member), refresh: false });
      assert.equal(outcome, "succeeded");
      await declare(crowd, { cluster: { id: "3f7a3c1e-52a5-4a76-9c6e-0d1f8f3f7f11" } });
      await assert.rejects(up(all), /this is another cluster/);
      assert.deepEqual(deleted(), []);
    });

    it("asks after a killed up for no more than runs read: the watch may lack other rights", async () => {
      await up(all);
      const unread = ["deployments", "configmaps", "secrets", "httproutes", "middlewares"];
      assert.deepEqual(
        server.asked.filter((kind) => unread.includes(kind)),
        [],
      );
    });
  });

  it("asks neither cluster nor Pulumi for an up whose configuration has mistakes from the start", async () => {
    await declare([{ member: "ann", type: "nobody" }]);
    await assert.rejects(up(all), /"nobody" is no member type/);
    assert.deepEqual([server.asked, await lines("ups")], [[], [""]]);
  });
});
