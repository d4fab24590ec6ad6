import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import * as aws from "@aws-sdk/client-s3";
import { execa } from "execa";
import { restoredSnapshot } from "../../../../commands/archive/restorable.ts";
import { repository } from "../../../../sandbox/paths.ts";
import { kubecamp } from "../../commands/kubecamp.ts";
import { installSnapshots } from "../../support/definitions/snapshots.ts";
import { useS3 } from "../../support/s3.ts";
import { assertSays } from "../inProcess.ts";
import type { LiveObject } from "../inventory.ts";
import { type Entry, useStack } from "../stack.ts";
import { boundVolume, deploy, hasNamespace, objectsNamed, setLeaves, until } from "../workloads.ts";

const [ana, kay, leo] = ["ana", "kay", "leo"].map((member): Entry => ({ member, type: "user" })) as [
  Entry,
  Entry,
  Entry,
];
const today = new Date().toISOString().slice(0, 10);

describe("the archive of who leaves", () => {
  const server = useS3();
  const stack = useStack("archive");
  let encrypted: unknown;
  let prefix = "";

  const configure = (members: readonly Entry[], archive: object = {}) =>
    stack.configure(members, {
      storage: {
        endpoint: server.endpoint,
        accessKeyId: server.accessKeyId,
        secretAccessKey: encrypted,
      },
      offboarding: { graceDays: 30, archive: { bucket: "kept", ...archive } },
    });
  const command = (...args: string[]) => kubecamp(args, { cwd: stack.folder, env: stack.sandbox.env });
  const members = (name: string, ...args: string[]) => command("members", name, ...args, "--stack", "archive");
  const fine = async (run: ReturnType<typeof command>) => {
    const { exitCode, stdout, stderr } = await run;
    assert.equal(exitCode, 0, stdout + stderr);
    return stdout;
  };
  const live = (kind: string, name: string, namespace?: string) =>
    stack.sandbox.get<LiveObject & { readonly status: object }>(kind, name, namespace);
  const mark = async (name: string) =>
    (await live("namespace", name)).metadata.annotations?.["kubecamp.dev/archive"] || undefined;
  const prefixOf = async (name: string) => (JSON.parse((await mark(name)) ?? "{}") as { prefix: string }).prefix;
  const keys = async () =>
    ((await server.client().send(new aws.ListObjectsV2Command({ Bucket: "kept" }))).Contents ?? []).map(
      ({ Key = "" }) => Key,
    );
  const content = async (Key: string) =>
    (await (await server.client().send(new aws.GetObjectCommand({ Bucket: "kept", Key }))).Body?.transformToString()) ??
    "";
  const leave = async (name: string) => {
    const { output } = await stack.upFine();
    await setLeaves(stack, name, today);
    return output;
  };
  const bound = (namespace: string) =>
    until(async () =>
      JSON.stringify((await live("persistentvolumeclaim", "data", namespace)).status).includes('"Bound"'),
    );
  const kays = async () => {
    const found = await objectsNamed(stack, "kay", "deployment/web", "configmap/notes");
    return found.map(({ metadata, spec, data }) => ({ labels: metadata.labels, spec, data }));
  };
  let had: unknown[];

  before(async () => {
    await stack.makeProject();
    await server.client().send(new aws.CreateBucketCommand({ Bucket: "kept" }));
    encrypted = await stack.secret(server.secretAccessKey);
    await configure([ana, kay, leo]);
    await stack.upFine();
    await deploy(stack, "kay", 1);
    const metadata = (name: string) => ({ name, namespace: "kay", labels: { app: "web" } });
    await stack.sandbox.apply(
      { apiVersion: "v1", kind: "ConfigMap", metadata: metadata("notes"), data: { "a.txt": "one\ntwo\n" } },
      { apiVersion: "v1", kind: "Secret", metadata: metadata("key"), stringData: { key: "hidden" } },
      {
        apiVersion: "v1",
        kind: "Service",
        metadata: metadata("web"),
        spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: 8080 }] },
      },
      ...boundVolume("kays-volume", "kay"),
      ...boundVolume("leos-volume", "leo"),
    );
    await Promise.all(["kay", "leo"].map(bound));
    had = await kays();
    await configure([ana, leo]);
    await leave("kay");
  });

  it("keeps a leaver's namespace where the archive's server can't be reached", async () => {
    await server.stop();
    const { exitCode, stderr } = await members("archive", "kay");
    assert.equal(exitCode, 1);
    assertSays(stderr, ["Error: bucket 'kept' for archives: no answer to PutObject from"]);
    const up = await command("up", "--stack", "archive");
    assertSays(up.stdout + up.stderr, ["kay is not archived, and is kept: bucket 'kept' for archives: no answer to"]);
    await server.start();
    assert.equal(await hasNamespace(stack, "kay"), true);
    assert.equal(await mark("kay"), undefined);
  });

  it("takes an archive that was killed in the middle for none, and makes a whole one next", async () => {
    const args = [join(repository, "bin/kubecamp.mjs"), "members", "archive", "kay", "--stack", "archive"];
    const child = execa(process.execPath, args, { cwd: stack.folder, env: stack.sandbox.env, reject: false });
    const written = () => readdir(join(server.objects, "kept"), { recursive: true }).catch(() => []);
    while (!(await written()).some((file) => file.endsWith(".json"))) {
      assert.equal(child.nodeChildProcess.exitCode, null, "it was over before it could be killed");
      await setTimeout(5);
    }
    child.kill("SIGKILL");
    await child;
    assert.equal(await mark("kay"), undefined);
    assertSays(await fine(members("archive", "kay")), ["Archived kay, and read it back:", "1 volume"]);
  });

  it("archives a leaver's objects without Secrets, and keeps the volumes", async () => {
    prefix = await prefixOf("kay");
    assert.match(prefix, new RegExp(`^archive/kay/${today}-[-0-9a-f]{36}/[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}/$`));
    const whole = (await keys()).filter((key) => key.startsWith(prefix));
    assert.deepEqual(whole, [
      `${prefix}manifest.json`,
      `${prefix}objects/configmaps.json`,
      `${prefix}objects/deployments.apps.json`,
      `${prefix}objects/persistentvolumeclaims.json`,
      `${prefix}objects/services.json`,
    ]);
    const manifest = JSON.parse(await content(`${prefix}manifest.json`));
    assert.deepEqual(manifest.volumes, [
      { claim: "data", storage: "100Mi", kept: { as: "volume", name: "kays-volume" } },
    ]);
    assert.doesNotMatch(JSON.stringify(await Promise.all(whole.map(content))), /hidden|aGlkZGVu/);
    assert.equal(Object(await live("persistentvolume", "kays-volume")).spec.persistentVolumeReclaimPolicy, "Retain");
  });

  it("needs another archive once a leaver was back, or their objects were changed", async () => {
    await configure([ana, kay, leo]);
    await stack.upFine();
    assert.equal(await mark("kay"), undefined);
    await configure([ana, leo]);
    await leave("kay");
    assertSays(await fine(members("archive", "kay")), ["Archived kay, and read it back:"]);
    const metadata = { name: "late", namespace: "kay" };
    await stack.sandbox.apply({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "b" } });
    const { preview, up } = await stack.previewedUp();
    assert.equal(up.exitCode, 0, up.output);
    for (const output of [preview, up.output]) {
      assertSays(output, [
        "No longer in the list, and kept after their day, because no archive has what is there now: kay.",
        "kubecamp members archive kay --stack archive",
      ]);
    }
    assert.equal(await hasNamespace(stack, "kay"), true);
    // The run has taken the mark off, as of whoever is back.
    assert.equal(await mark("kay"), undefined);
    await stack.delete("configmap", "late", "kay");
    assertSays(await fine(members("archive", "kay")), ["Archived kay, and read it back:"]);
    prefix = await prefixOf("kay");
  });

  it("removes an archived leaver, by 'pulumi up' too, and keeps the archive", async () => {
    const { output } = await stack.upFine();
    assertSays(output, [
      "No longer in the list. A run that succeeds deletes what Pulumi's state has of theirs, which can't be undone:",
      "  kay: ",
    ]);
    assert.equal(await hasNamespace(stack, "kay"), false);
    await until(async () => Object(await live("persistentvolume", "kays-volume")).status.phase === "Released");
    assert.equal((await keys()).filter((key) => key.startsWith(prefix)).length, 5);
  });

  it("restores an archive with its volume to a member who is back, and nothing the second time", async () => {
    // The same up has leo leave, for the next test.
    await configure([ana, kay]);
    await leave("leo");
    const { exitCode, stdout } = await members("restore", "kay");
    const listed = stdout.split("\n");
    assert.deepEqual([exitCode, listed.at(-1)], [0, prefix]);
    assert.deepEqual(
      listed,
      [...(await keys())].flatMap((key) => /^(archive\/kay\/.*\/)manifest\.json$/.exec(key)?.[1] ?? []).sort(),
    );
    assert.deepEqual(JSON.parse((await members("restore", "eve", "-o", "json")).stdout), []);
    assertSays(await fine(members("restore", "kay", "--from", prefix)), ["Created 4 objects in namespace kay."]);
    assert.deepEqual(await kays(), had);
    await bound("kay");
    assert.equal(Object(await live("persistentvolumeclaim", "data", "kay")).spec.volumeName, "kays-volume");
    await until(async () => Object(await live("deployment", "web", "kay")).status.readyReplicas === 1);
    assertSays(await fine(members("restore", "kay", "--from", prefix)), [
      "Created no objects in namespace kay.\nExist already, and stay as they are:\n  configmaps/notes",
    ]);
    assert.equal(await mark("kay"), undefined);
  });

  it("archives by 'kubecamp up' with a snapshot of each volume, whose driver this test plays", async () => {
    const uninstall = await installSnapshots(stack.sandbox);
    const snapshots = { volumes: "snapshot", snapshotClass: "fast", secrets: true };
    await configure([ana, kay], snapshots);
    const up = command("up", "--stack", "archive");
    const driver = (async () => {
      const find = async () => (await stack.sandbox.names("volumesnapshot", { namespace: "leo" })).join();
      await until(async () => (await find()) !== "");
      const snapshot = await find();
      assert.equal(Object(await live("volumesnapshot", snapshot, "leo")).spec.volumeSnapshotClassName, "fast");
      await stack.sandbox.apply({
        apiVersion: "snapshot.storage.k8s.io/v1",
        kind: "VolumeSnapshotContent",
        metadata: { name: "leos-content" },
        spec: { deletionPolicy: "Delete", driver: "disks.example.org" },
      });
      const status = (what: string, value: object, ...where: string[]) =>
        stack.kubectl(
          ...["patch", what, ...where, "--subresource=status", "--type=merge"],
          ...["-p", JSON.stringify({ status: value })],
        );
      await status("volumesnapshotcontent/leos-content", { snapshotHandle: "handle-1" });
      await status(
        `volumesnapshot/${snapshot}`,
        { readyToUse: true, boundVolumeSnapshotContentName: "leos-content" },
        "-n",
        "leo",
      );
    })();
    await Promise.all([fine(up), driver]);
    await until(async () => !(await hasNamespace(stack, "leo")));
    const [manifest = ""] = (await keys()).filter((key) => /^archive\/leo\/.*manifest/.test(key));
    assert.deepEqual(JSON.parse(await content(manifest)).volumes, [
      {
        claim: "data",
        storage: "100Mi",
        kept: { as: "snapshot", content: "leos-content", driver: "disks.example.org", handle: "handle-1" },
      },
    ]);
    assert.equal(Object(await live("volumesnapshotcontent", "leos-content")).spec.deletionPolicy, "Retain");

    await configure([ana, kay, leo], snapshots);
    await stack.upFine();
    await fine(members("restore", "leo", "--from", manifest.replace("manifest.json", "")));
    const { dataSource } = Object(await live("persistentvolumeclaim", "data", "leo")).spec;
    assert.deepEqual(dataSource, {
      apiGroup: "snapshot.storage.k8s.io",
      kind: "VolumeSnapshot",
      name: restoredSnapshot({ driver: "disks.example.org", handle: "handle-1" }),
    });
    const { source } = Object(await live("volumesnapshot", dataSource.name, "leo")).spec;
    const restored = Object(await live("volumesnapshotcontent", source.volumeSnapshotContentName)).spec;
    assert.deepEqual(restored.source, { snapshotHandle: "handle-1" });
    await stack.kubectl("delete", "volumesnapshots", "--all", "-n", "leo");
    await uninstall();
  });

  after(() => stack.kubectl("delete", "pv", "kays-volume", "leos-volume", "--ignore-not-found", "--wait=false"));
});
