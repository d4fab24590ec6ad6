import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import type { V1ConfigMap, V1Namespace, V1Secret } from "@kubernetes/client-node";
import { parseDocument } from "yaml";
import { atItsEnd } from "../../../../runs/checkpoints.ts";
import { kubecamp } from "../../commands/kubecamp.ts";
import type { ExportedState } from "../../support/engine/folderBackend.ts";
import { useS3 } from "../../support/s3.ts";
import type { CommandResult } from "../../support/sandbox.ts";
import { inventory, type LiveObject } from "../inventory.ts";
import { settled } from "../settled.ts";
import { type Entry, useStack } from "../stack.ts";
import { deploy } from "../workloads.ts";
import { labelled, transferred } from "./transferred.ts";

/** With two shards, bob, carol and erin are in the first, alice in the second; with three, bob and carol in the third. */
const entry = (member: string): Entry => ({ member, type: "user" });
const alice: Entry = { ...entry("alice"), buckets: [{ name: "data" }] };
const bob: Entry = { ...entry("bob"), protect: true };
const carol: Entry = { ...entry("carol"), route: { readiness: { mode: "managed" } } };
const erin: Entry = { member: "erin", type: "guest-user", suspended: true };
const everybody = [alice, bob, carol, erin];

describe("shards", () => {
  const server = useS3();
  const stack = useStack("crew");
  /** The encrypted key in the original stack's file; no shard can decrypt it. */
  let encrypted: unknown;

  const configure = (members: readonly Entry[], more: object = {}) => {
    const { endpoint, accessKeyId } = server;
    const storage = { endpoint, accessKeyId, users: "versitygw", secretAccessKey: encrypted };
    // Given to be kept, and given away.
    const objects = [{ file: "course.yaml" }, { file: "notes.yaml", theirs: true }];
    return stack.configure(members, { storage, objects, ...more });
  };
  const setSecret = async (shard: string) => {
    const file = join(stack.folder, `Pulumi.${shard}.yaml`);
    const document = parseDocument(await readFile(file, "utf8"));
    const secret = await stack.secret(server.secretAccessKey, shard);
    document.setIn(["config", "kubecamp:storage", "secretAccessKey"], secret);
    await writeFile(file, document.toString());
  };
  /** The bucket keys of alice's apps, and whether the server accepts them. */
  const bucketKeys = async () => {
    const { data } = await stack.sandbox.get<V1Secret>("secret", "data", "alice");
    const decoded = (name: string) => Buffer.from(data?.[name] ?? "", "base64").toString();
    const keys = { accessKeyId: decoded("AWS_ACCESS_KEY_ID"), secretAccessKey: decoded("AWS_SECRET_ACCESS_KEY") };
    await server.client(keys).send(new ListObjectsV2Command({ Bucket: "alice-data" }));
    return keys;
  };
  const pulumi = (name: string, ...args: string[]): Promise<CommandResult> =>
    // A third of Pulumi's work here would be checkpoints.
    stack.sandbox.pulumi([...args, "--stack", name], { cwd: stack.folder, env: atItsEnd });
  const up = async (name: string, ...flags: string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await pulumi(name, "up", "--yes", "--skip-preview", ...flags);
    assert.equal(exitCode, 0, stdout + stderr);
    return stdout;
  };
  /** Names of those who are transferred, as all are who belong elsewhere. */
  const transfers = async (): Promise<string[]> => {
    const { moved, left } = await transferred(stack);
    assert.deepEqual(left, []);
    return moved.map(({ member }) => member).sort();
  };
  const json = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await kubecamp([...args, "--folder", stack.folder], {
      env: stack.sandbox.env,
    });
    assert.equal(exitCode, 0, stdout + stderr);
    return JSON.parse(stdout);
  };
  const split = async (count: number) => {
    await configure(everybody, { shards: count });
    const files = ["shards", "files", "--stack", "crew", "--folder", stack.folder];
    assert.equal((await kubecamp(files, { env: stack.sandbox.env })).exitCode, 0);
    const shard = `crew-${count - 1}`;
    const names = count === 2 ? ["crew-0", shard] : [shard];
    for (const name of names) {
      await stack.init(name);
      assert.match(await readFile(join(stack.folder, `Pulumi.${name}.yaml`), "utf8"), /kubecamp:shardOf: crew/);
      await setSecret(name);
    }
    await Promise.all(names.map((name) => up(name)));
  };
  const exportOf = (name: string) => stack.backend.export(name);
  /** The members in a stack's outputs. */
  const membersOf = async (name: string) => {
    const { resources = [] } = (await exportOf(name)).deployment;
    const outputs = resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs;
    return (outputs as { readonly members: object }).members;
  };
  const importInto = (name: string, state: ExportedState) => stack.backend.import(name, state);
  /** Members' objects with their UIDs, which change with a recreation; without bindings that are named after the stack. */
  const possessions = async () => {
    const kinds = [
      ...["namespace", "pod", "persistentvolumeclaim", "resourcequota", "limitrange", "networkpolicy", "role"],
      ...["rolebinding", "serviceaccount", "service", "ingress", "deployment", "configmap"],
    ];
    const found = kinds.map(async (kind) => {
      const choice = kind === "configmap" ? { labelSelector: "kubecamp.dev/object" } : {};
      const theirs = (await stack.sandbox.list<LiveObject>(kind, choice)).filter(
        ({ metadata: { name, namespace = name } }) =>
          namespace === "ingress-nginx"
            ? everybody.some(({ member }) => [member, `${member}-svc`].includes(name))
            : everybody.some(({ member }) => member === namespace),
      );
      return theirs.map(({ metadata }) => `${kind} ${metadata.namespace}/${metadata.name} ${metadata.uid}`);
    });
    return (await Promise.all(found)).flat().sort();
  };
  const homes = async () => {
    const found = await stack.sandbox.list<V1Namespace>("namespace", { labelSelector: "kubecamp.dev/member" });
    return found.map(({ metadata }) => `${metadata?.name} ${metadata?.labels?.["kubecamp.dev/stack"]}`).sort();
  };
  const views = async () =>
    (await stack.sandbox.names("clusterrolebinding", { labelSelector: "kubecamp.dev/member" }))
      .map((name) => name.replace(/^kubecamp:/, ""))
      .sort();
  const unchanged = async (...names: string[]) => {
    await Promise.all(
      names.map(async (name) => {
        const { exitCode, stdout, stderr } = await pulumi(name, "preview", "--diff", "--expect-no-changes");
        assert.equal(exitCode, 0, stdout + stderr);
        assert.doesNotMatch(stdout + stderr, /transfers them|Changed by hand/, name);
      }),
    );
  };
  let empty: string[];
  let held: string[];

  before(async () => {
    empty = await inventory(stack.sandbox);
    await stack.makeProject();
    for (const name of ["course", "notes"]) {
      const given = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { a: "first" } };
      await writeFile(join(stack.folder, `${name}.yaml`), JSON.stringify(given));
    }
    encrypted = await stack.secret(server.secretAccessKey);
    await configure(everybody);
    await up("crew");
    await deploy(stack, "bob", 2, { cpu: "10m", memory: "10Mi" });
    const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10Mi" } } };
    await stack.sandbox.apply({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "work", namespace: "bob" },
      spec: claim,
    });
    held = await possessions();
    assert.ok(held.some((line) => line.startsWith("ingress ingress-nginx/carol ")));
    // bob's changes stay, whichever shard has him.
    await stack.sandbox.patch("configmap", "notes", "bob", { data: { a: "changed" } });
    await stack.delete("configmap", "notes", "carol");
    await up("crew");
    held = held.filter((line) => !line.startsWith("configmap carol/notes "));
    assert.equal(held.filter((line) => line.startsWith("configmap ")).length, 2 * everybody.length - 1);
  });

  it("take over the members of an undivided stack, with all that they have, and delete nothing", async () => {
    await configure(everybody, { shards: 2 });
    const keys = await bucketKeys();
    const { left } = await transferred(stack);
    assert.match(left[0]?.why ?? "", /the policies of stack 'crew-1' are not in force yet/);

    await split(2);
    // All members stay with the old stack, and every shard's run reports them: the new stacks have nobody to make yet.
    const plain = await pulumi("crew", "preview", "--expect-no-changes");
    assert.equal(plain.exitCode, 0, plain.stdout + plain.stderr);
    assert.match(
      plain.stdout,
      /4 members are still in the stack from before .*'kubecamp up --stack crew' transfers them/,
    );
    assert.deepEqual([await possessions(), await homes()], [held, everybody.map(({ member }) => `${member} crew`)]);

    assert.deepEqual(await transfers(), ["alice", "bob", "carol", "erin"]);
    assert.deepEqual(await homes(), ["alice crew-1", "bob crew-0", "carol crew-0", "erin crew-0"]);
    const report = await json("preview", "--stack", "crew", "-o", "json");
    assert.deepEqual([report.leaving, report.joining, report.replacements], [[], [], []]);
    const changes = (report.changing as { member: string; differences: { what: string; from: string; to: string }[] }[])
      .map(({ member, differences }) => [member, differences.filter(({ what }) => what === "stack")] as const)
      .map(([member, [stacks]]) => `${member}: ${stacks?.from} → ${stacks?.to}`);
    const expected = ["alice: crew → crew-1", "bob: crew → crew-0", "carol: crew → crew-0", "erin: crew → crew-0"];
    assert.deepEqual(changes, expected);
    const ups = await Promise.all([up("crew-0"), up("crew-1")]);
    // A Service of kubecamp's is always replaced in place: its UID shows that it is the same. The ConfigMap of a bucket is
    // immutable, so it is recreated with the new stack's label and the same keys. The views have the stack's name.
    assert.deepEqual(ups.join("\n").match(/\d+ (deleted|replaced)/g), ["3 replaced", "3 replaced"]);
    assert.deepEqual(await bucketKeys(), keys);
    assert.ok(!JSON.stringify(await exportOf("crew-1")).includes(keys.secretAccessKey));
    assert.deepEqual(await views(), ["crew-0:bob:view", "crew-0:carol:view", "crew-1:alice:view"]);
    await up("crew");
    assert.deepEqual(await possessions(), held);
  });

  it("hand over to one more what is its share, also where that was killed in between", async () => {
    await split(3);
    const old = await exportOf("crew-0");
    // Killed after the states were changed: by the label, the old stack still has bob, and takes him over again.
    const bobs = `urn:pulumi:crew-0::kubecamp::kubecamp:index:MemberEnvironment::bob`;
    const move = ["state", "move", bobs, "--source", "crew-0", "--dest", "crew-2", "--yes"];
    const killed = await stack.sandbox.pulumi(move, { cwd: stack.folder });
    assert.equal(killed.exitCode, 0, killed.stdout + killed.stderr);
    assert.notEqual((await pulumi("crew-2", "preview")).exitCode, 0);
    await up("crew-0");
    assert.deepEqual(await possessions(), held);
    // The new stack owns carol by her label, but its state lacks her.
    await labelled(stack, { member: "carol", from: "crew-0", to: "crew-2" });

    assert.deepEqual(await transfers(), ["bob"]);
    assert.deepEqual(await homes(), ["alice crew-1", "bob crew-2", "carol crew-2", "erin crew-0"]);
    await Promise.all([up("crew-2"), up("crew-0")]);
    assert.deepEqual(await possessions(), held);
    assert.deepEqual(await views(), ["crew-1:alice:view", "crew-2:bob:view", "crew-2:carol:view"]);

    // With an old state, a shard's next run would delete members that another shard owns by now.
    await importInto("crew-0", old);
    const refused = await pulumi("crew-0", "preview");
    assert.notEqual(refused.exitCode, 0);
    assert.match(
      refused.stdout + refused.stderr,
      /state of this stack has members that belong to another stack now, .*: bob \(crew-2\), carol \(crew-2\)/,
    );
    assert.deepEqual(await transfers(), []);
    await up("crew-0");
    assert.equal((await stack.sandbox.get<V1ConfigMap>("configmap", "notes", "bob")).data?.a, "changed");

    // A shard whose state is lost neither announces, outputs nor deletes members of other shards.
    const whole = await exportOf("crew-0");
    await importInto("crew-0", { ...whole, deployment: { ...whole.deployment, resources: [] } });
    const anew = await json("up", "--stack", "crew-0", "-o", "json");
    assert.doesNotMatch(JSON.stringify(anew), /alice|bob|carol/);
    assert.deepEqual(Object.keys(await membersOf("crew-0")), ["erin"]);
    assert.deepEqual(await possessions(), held);

    // A removed member leaves their own shard, and no other.
    await configure([bob, carol, erin], { shards: 3 });
    const [leaving] = await Promise.all([pulumi("crew-1", "preview"), unchanged("crew-0", "crew-2")]);
    assert.match(leaving.stdout, /No longer in the list\.[^\n]*\n +alice: namespace/);
    assert.deepEqual(await possessions(), held);
  });

  it("leave the cluster as it was when they and their family are destroyed", async () => {
    const destroy = async (name: string, ...flags: string[]) => {
      const destroyed = await pulumi(name, "destroy", "--yes", "--skip-preview", "--refresh=false", ...flags);
      assert.equal(destroyed.exitCode, 0, destroyed.stdout + destroyed.stderr);
    };
    // The protected member is in this shard.
    const unprotected = await pulumi("crew-2", "state", "unprotect", "--all", "--yes");
    assert.equal(unprotected.exitCode, 0, unprotected.stderr);
    await Promise.all(["crew-0", "crew-1", "crew-2"].map((shard) => destroy(shard, "--remove")));
    await destroy("crew");
    await settled(stack.sandbox);
    assert.deepEqual(await inventory(stack.sandbox), empty);
  });
});
