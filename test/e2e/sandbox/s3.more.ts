import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { CreateBucketCommand, ListBucketsCommand, S3Client } from "@aws-sdk/client-s3";
import { after, before, describe, it } from "mocha";
import { Interrupted, Problem } from "../../../commands/common/problem.ts";
import { endProcesses, processesStartedFrom } from "../../../sandbox/processes.ts";
import { credentialsFile, type S3Access } from "../../../sandbox/s3/s3Access.ts";
import { ensureS3, type S3Spec } from "../../../sandbox/s3/s3Server.ts";
import { removeSandbox, s3Folder } from "../../../sandbox/sandbox.ts";
import { listeningAddresses } from "../support/cluster/listeningAddresses.ts";
import { clusterTimeout, testCluster } from "../support/cluster.ts";
import { testSandboxNamed } from "../support/testSandboxes.ts";

describe("a sandbox's S3 server", () => {
  const { signal } = new AbortController();
  const sandbox = testSandboxNamed("storage");
  let spec: S3Spec;
  let access: S3Access;

  before(async function () {
    this.timeout(clusterTimeout);
    const { tools } = await testCluster();
    spec = { folder: s3Folder(sandbox), versitygw: tools.versitygw };
  });
  after(() => removeSandbox(sandbox));

  const pids = (): number[] => processesStartedFrom(spec.folder);
  const buckets = async (): Promise<(string | undefined)[]> => {
    const { endpoint, ...keys } = access;
    const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials: { ...keys } });
    return ((await client.send(new ListBucketsCommand({}))).Buckets ?? []).map(({ Name }) => Name);
  };
  const problem = async (): Promise<Problem> => {
    const error = await ensureS3(spec, signal).catch((each: unknown) => each);
    assert.ok(error instanceof Problem, String(error));
    return error;
  };

  it("lets in whoever has the keys that were made for it, and nobody else", async () => {
    const { state, ...made } = await ensureS3(spec, signal);
    access = made;
    assert.equal(state, "created");
    assert.deepEqual(await buckets(), []);
    access = { ...made, secretAccessKey: "guessed" };
    await assert.rejects(buckets(), { name: "SignatureDoesNotMatch" });
    access = made;
  });

  it("keeps the keys where only their owner reads them, and out of its arguments", async () => {
    const file = credentialsFile(spec.folder);
    assert.ok((await readFile(file, "utf8")).includes(access.secretAccessKey));
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    // The users' keys, which it keeps itself, are behind the same door.
    assert.equal((await stat(spec.folder)).mode & 0o777, 0o700);
    const [pid] = pids();
    assert.ok(!(await readFile(`/proc/${pid}/cmdline`, "utf8")).includes(access.secretAccessKey));
  });

  it("listens on 127.0.0.1 and nowhere else", async () => {
    assert.deepEqual((await Promise.all(pids().map(listeningAddresses))).flat(), ["0100007F"]);
  });

  it("is left as it is when it runs", async () => {
    const before = pids();
    assert.deepEqual(await ensureS3(spec, signal), { ...access, state: "running" });
    assert.deepEqual(pids(), before);
  });

  it("starts again after it was killed, with its keys and all that was in it", async () => {
    const { endpoint, ...keys } = access;
    const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials: { ...keys } });
    await client.send(new CreateBucketCommand({ Bucket: "kept" }));
    await endProcesses(pids());
    assert.deepEqual(await ensureS3(spec, signal), { ...access, state: "started" });
    assert.deepEqual(await buckets(), ["kept"]);
  });

  it("says which port another program has taken", async () => {
    await endProcesses(pids());
    const { hostname, port, host } = new URL(access.endpoint);
    const other = createServer((_, response) => response.writeHead(404).end()).listen(Number(port), hostname);
    await once(other, "listening");
    try {
      const { message, why, remedy } = await problem();
      assert.equal(message, "The port of the sandbox's S3 server is taken.");
      assert.ok(why.includes(host), why);
      assert.match(remedy, /kubecamp sandbox down/);
    } finally {
      other.close();
    }
    assert.equal((await ensureS3(spec, signal)).state, "started");
  });

  it("leaves nothing running when it is interrupted, or can't start", async () => {
    await endProcesses(pids());
    await assert.rejects(ensureS3(spec, AbortSignal.abort()), Interrupted);
    assert.deepEqual(pids(), []);
    const { versitygw } = spec;
    spec = { ...spec, versitygw: process.execPath };
    const { message, why } = await problem();
    assert.equal(message, "The sandbox's S3 server does not start.");
    assert.match(why, /bad option/);
    spec = { ...spec, versitygw: "/nowhere/versitygw" };
    assert.match((await problem()).why, /ENOENT/);
    spec = { ...spec, versitygw };
    assert.equal((await ensureS3(spec, signal)).state, "started");
  });

  it("goes with the sandbox", async () => {
    await removeSandbox(sandbox);
    assert.deepEqual(pids(), []);
    assert.equal(existsSync(spec.folder), false);
  });

  it("is made on another port when another program has taken the first in the meantime", async () => {
    const { versitygw } = spec;
    const ports = `${sandbox.folder}/ports`;
    await mkdir(sandbox.folder, { recursive: true });
    const late = `${sandbox.folder}/late`;
    // Its second argument is its port.
    const script = `#!/usr/bin/env bash
echo "$2" >>'${ports}'
if (( $(wc -l <'${ports}') == 1 )); then echo "bind: address already in use"; exit 1; fi
exec -a "$0" '${versitygw}' "$@"
`;
    await writeFile(late, script, { mode: 0o755 });
    const { state, endpoint } = await ensureS3({ ...spec, versitygw: late }, signal);
    assert.equal(state, "created");
    const [first, second, ...more] = (await readFile(ports, "utf8")).trim().split("\n");
    assert.notEqual(first, second);
    assert.equal(second, new URL(endpoint).host);
    assert.deepEqual(more, []);
  });
});
