import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import type { V1ConfigMap, V1Namespace, V1Secret } from "@kubernetes/client-node";
import { parseDocument } from "yaml";
import type { jsonOf } from "../../../../commands/report/show.ts";
import type { resultJson } from "../../../../commands/up/resultText.ts";
import { atItsEnd } from "../../../../runs/checkpoints.ts";
import { kubecamp } from "../../commands/kubecamp.ts";
import { inside } from "../../isolation/hostile/attempt.ts";
import { useS3 } from "../../support/s3.ts";
import { type Caller, signedIn } from "../../support/signIn/signedIn.ts";
import { inventory, type LiveObject } from "../inventory.ts";
import { settled } from "../settled.ts";
import { type Entry, useStack } from "../stack.ts";
import { touchedBy } from "../touched.ts";
import { deploy, hasNamespace, makeNamespace, until } from "../workloads.ts";
import { labelled, transferred } from "./transferred.ts";

type Result = ReturnType<typeof resultJson>["stacks"][number];

const cs101 = { labels: { course: "cs101" } };
const user = (member: string, more: object = {}): Entry => ({ member, type: "user", ...more });
/**
 * With two shards, bob, carol, erin and gina are in the first, alice and frank in the second; with three, bob and carol are
 * in the third.
 */
const alice = user("alice", { ...cs101, buckets: [{ name: "data" }] });
const bob = user("bob", { ...cs101, protect: true });
/** Looks after others, and sees their workloads for that reason alone. */
const carol: Entry = { member: "carol", type: "student", route: { readiness: { mode: "managed" } } };
const erin: Entry = { member: "erin", type: "guest-user", suspended: true };
const everybody = [alice, bob, carol, erin];
const all = everybody.map(({ member }) => member);
const memberTypes = { student: { others: "none" } };
const staff = [
  { group: "ta-cs101", role: "assist", over: cs101 },
  { subject: "carol", role: "view", over: cs101 },
];

describe("shards", () => {
  const server = useS3();
  const stack = useStack("crew");
  /** The encrypted key in the original stack's file; no shard can decrypt it. */
  let encrypted: unknown;
  let tom: Caller;
  let asCarol: Caller;

  const configure = (members: readonly Entry[], more: object = {}) => {
    const { endpoint, accessKeyId } = server;
    const storage = { endpoint, accessKeyId, users: "versitygw", secretAccessKey: encrypted };
    // Given to be kept, and given away.
    const objects = [{ file: "course.yaml" }, { file: "notes.yaml", theirs: true }];
    return stack.configure(members, { storage, objects, memberTypes, staff, ...more });
  };
  const command = (...args: string[]) =>
    kubecamp([...args, "--stack", "crew"], { cwd: stack.folder, env: stack.sandbox.env });
  /** Brings the family up, and expects success. @returns each shard's result */
  const up = async (): Promise<Record<string, Result>> => {
    const { exitCode, stdout, stderr } = await command("up", "-o", "json");
    assert.equal(exitCode, 0, stdout + stderr);
    const { stacks } = JSON.parse(stdout) as ReturnType<typeof resultJson>;
    return Object.fromEntries(stacks.map((result) => [result.stack, result]));
  };
  const unchanged = async (...names: string[]) => {
    const touched = await touchedBy(stack, async () => {
      const results = Object.values(await up()).map(({ stack: shard, plan }) => [shard, plan]);
      assert.deepEqual(
        results,
        names.map((name) => [name, "nothing differs"]),
      );
    });
    assert.deepEqual(touched, []);
  };
  const pulumi = (name: string, ...args: string[]) =>
    // A third of Pulumi's work here would be checkpoints.
    stack.sandbox.pulumi([...args, "--stack", name], { cwd: stack.folder, env: atItsEnd });
  const pulumiFine = async (name: string, ...args: string[]) => {
    const { exitCode, stdout, stderr } = await pulumi(name, ...args);
    assert.equal(exitCode, 0, stdout + stderr);
    return stdout;
  };
  const upOf = (name: string) => pulumiFine(name, "up", "--yes", "--skip-preview");
  const split = async (members: readonly Entry[], count: number, ...fresh: string[]) => {
    await configure(members, { shards: count });
    const files = await command("shards", "files");
    assert.equal(files.exitCode, 0, files.stderr);
    for (const shard of fresh) {
      await stack.init(shard);
      const file = join(stack.folder, `Pulumi.${shard}.yaml`);
      const document = parseDocument(await readFile(file, "utf8"));
      const secret = await stack.secret(server.secretAccessKey, shard);
      document.setIn(["config", "kubecamp:storage", "secretAccessKey"], secret);
      await writeFile(file, document.toString());
    }
  };
  /** The bucket keys of alice's apps, which the server accepts. */
  const bucketKeys = async () => {
    const { data } = await stack.sandbox.get<V1Secret>("secret", "data", "alice");
    const decoded = (name: string) => Buffer.from(data?.[name] ?? "", "base64").toString();
    const keys = { accessKeyId: decoded("AWS_ACCESS_KEY_ID"), secretAccessKey: decoded("AWS_SECRET_ACCESS_KEY") };
    await server.client(keys).send(new ListObjectsV2Command({ Bucket: "alice-data" }));
    return keys;
  };
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
          all.includes(namespace === "ingress-nginx" ? name.replace(/-svc$/, "") : namespace),
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
    (await stack.sandbox.names("clusterrolebinding", { labelSelector: "kubecamp.dev/member" })).toSorted();
  const status = async (who: Caller, namespace: string) => (await who.ask("GET", inside(namespace, "pods"))).status;
  /** Whether staff reach alice and bob. */
  const reached = async (who: Caller) => [await status(who, "alice"), await status(who, "bob")];
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
    tom = await signedIn(stack.sandbox, { sub: "tom", groups: ["ta-cs101"] });
    asCarol = await signedIn(stack.sandbox, { sub: "carol", groups: [] });
    await configure(everybody);
    await upOf("crew");
    await deploy(stack, "bob", 2, { cpu: "10m", memory: "10Mi" });
    await stack.sandbox.apply({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "work", namespace: "bob" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10Mi" } } },
    });
    // His changes stay, whichever shard has him.
    await stack.sandbox.patch("configmap", "notes", "bob", { data: { a: "changed" } });
    held = await possessions();
    assert.ok(held.some((line) => line.startsWith("ingress ingress-nginx/carol ")));
    assert.equal(held.filter((line) => line.startsWith("configmap ")).length, 2 * all.length);
  });

  it("moves an undivided stack's members to shards by one up, with all that they have", async () => {
    const keys = await bucketKeys();
    await split(everybody, 2, "crew-0", "crew-1");
    const { "crew-0": first, "crew-1": second } = await up();
    assert.deepEqual([first?.result, second?.result], ["succeeded", "succeeded"]);
    assert.doesNotMatch(
      JSON.stringify([first?.warnings, second?.warnings]),
      /still in the stack from before|Deleted by hand/,
    );
    assert.deepEqual(await homes(), ["alice crew-1", "bob crew-0", "carol crew-0", "erin crew-0"]);
    assert.deepEqual(await possessions(), held);
    assert.deepEqual(await bucketKeys(), keys);
    assert.ok(!JSON.stringify(await stack.backend.export("crew-1")).includes(keys.secretAccessKey));
    assert.deepEqual(await views(), ["kubecamp:crew-0:bob:view", "kubecamp:crew-1:alice:view"]);
    assert.deepEqual(
      [await reached(tom), await reached(asCarol)],
      [
        [200, 200],
        [200, 200],
      ],
    );
    assert.equal(await status(tom, "carol"), 403);
    await unchanged("crew-0", "crew-1");
  });

  it("updates each shard for who differs, and ends a suspended member's rights as staff in all", async () => {
    const suspended = { ...carol, suspended: true };
    await configure([{ ...alice, maxCPUm: 900 }, bob, suspended, erin], { shards: 2 });
    const { "crew-0": own, "crew-1": other } = await up();
    assert.deepEqual([own?.members, other?.members], [["bob", "carol"], ["alice"]]);
    assert.deepEqual(await reached(asCarol), [403, 403]);
    await configure(everybody, { shards: 2 });
    await up();
    held = await possessions();
  });

  it("moves members to a further shard, also where that was killed in between", async () => {
    await split(everybody, 3, "crew-2");
    await upOf("crew-2");
    const old = await stack.backend.export("crew-0");
    // Killed after the states were changed: by the label, the old stack still has bob, and takes him over again.
    const bobs = "urn:pulumi:crew-0::kubecamp::kubecamp:index:MemberEnvironment::bob";
    const move = ["state", "move", bobs, "--source", "crew-0", "--dest", "crew-2", "--yes"];
    const killed = await stack.sandbox.pulumi(move, { cwd: stack.folder });
    assert.equal(killed.exitCode, 0, killed.stdout + killed.stderr);
    assert.notEqual((await pulumi("crew-2", "preview")).exitCode, 0);
    await upOf("crew-0");
    assert.deepEqual(await possessions(), held);
    // The new stack owns carol by her label, but its state lacks her.
    await labelled(stack, { member: "carol", from: "crew-0", to: "crew-2" });
    await transferred(stack);
    const preview = await command("preview", "-o", "json");
    const { leaving, joining, replacements, changing } = JSON.parse(preview.stdout) as ReturnType<typeof jsonOf>;
    assert.deepEqual([leaving, joining, replacements], [[], [], []]);
    const stacks = changing.find(({ member }) => member === "bob")?.differences.find(({ what }) => what === "stack");
    assert.deepEqual([stacks?.from, stacks?.to], ["crew-0", "crew-2"]);
    await up();
    assert.deepEqual(await homes(), ["alice crew-1", "bob crew-2", "carol crew-2", "erin crew-0"]);
    assert.deepEqual(await possessions(), held);
    assert.deepEqual(await views(), ["kubecamp:crew-1:alice:view", "kubecamp:crew-2:bob:view"]);
    assert.deepEqual(await reached(tom), [200, 200]);
    assert.equal((await stack.sandbox.get<V1ConfigMap>("configmap", "notes", "bob")).data?.a, "changed");

    // With an old state, a shard's next run would delete members that another shard owns by now.
    await stack.backend.import("crew-0", old);
    const refused = await pulumi("crew-0", "preview");
    assert.notEqual(refused.exitCode, 0);
    assert.match(
      refused.stdout + refused.stderr,
      /members that belong to another stack now, .*: bob \(crew-2\), carol/,
    );
    await up();
    assert.deepEqual(await possessions(), held);
    await unchanged("crew-0", "crew-1", "crew-2");
  });

  it("fills one shard's lost state, with nobody of another shard", async () => {
    const { deployment, ...rest } = await stack.backend.export("crew-0");
    await stack.backend.import("crew-0", { ...rest, deployment: { ...deployment, resources: [] } });
    const filled = await kubecamp(["up", "--stack", "crew-0", "-o", "json", "--folder", stack.folder], {
      env: stack.sandbox.env,
    });
    assert.equal(filled.exitCode, 0, filled.stdout + filled.stderr);
    assert.doesNotMatch(filled.stdout, /leftDeleted/);
    const { resources = [] } = (await stack.backend.export("crew-0")).deployment;
    const outputs = resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs;
    assert.deepEqual(Object.keys((outputs as { readonly members: object }).members), ["erin"]);
  });

  it("brings other shards up where one fails, and removes only the member who leaves", async () => {
    await makeNamespace(stack, "frank");
    // bob is no longer among those whom staff look after, and alice leaves with her shard.
    await configure([user("bob", { protect: true }), carol, erin, user("frank"), user("gina")], { shards: 3 });
    const { exitCode, stdout, stderr } = await command("up", "--yes");
    assert.equal(exitCode, 1, stdout + stderr);
    assert.match(stdout, /^crew-0 +up +10 +0 +0 +\d: .*gina$/m);
    assert.match(stdout, /^crew-1 +FAILED +0 +0 +0 +-$/m);
    assert.match(stdout, /^crew-2 +up +0 +0 +4 +1: bob$/m);
    assert.match(stdout, /^crew-1 was not updated:\n(?: {2}.*\n)*? {2}.*frank.*(?:\n {2}.*)*$/m);
    assert.match(stderr, /^crew-1: FAILED \(\d+ s\)$/m);
    assert.deepEqual(await reached(tom), [200, 403]);
    await stack.delete("namespace", "frank");
    await configure([user("bob", { protect: true }), carol, erin, user("gina")], { shards: 3 });
    const { "crew-0": other, "crew-1": left } = await up();
    assert.deepEqual([other?.result, left?.result], ["unchanged", "succeeded"]);
    await until(async () => !(await hasNamespace(stack, "alice")));
    assert.equal(await hasNamespace(stack, "bob"), true);
  });

  it("leaves the cluster as it was when all shards are destroyed", async () => {
    // The protected member is in this shard.
    await pulumiFine("crew-2", "state", "unprotect", "--all", "--yes");
    const destroy = ["destroy", "--yes", "--skip-preview", "--refresh=false"];
    await Promise.all(["crew-0", "crew-1", "crew-2"].map((shard) => pulumiFine(shard, ...destroy, "--remove")));
    await pulumiFine("crew", ...destroy);
    await settled(stack.sandbox);
    assert.deepEqual(await inventory(stack.sandbox), empty);
  });
});
