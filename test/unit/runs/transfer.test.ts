import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../../cluster/api/errors.ts";
import { keyOf } from "../../../cluster/kinds/objectName.ts";
import type { Settings } from "../../../config/settings.ts";
import { policyObjectsOf, sharedObjects } from "../../../plan/rows/manifest.ts";
import { transfer } from "../../../runs/state/transfer.ts";
import { json, restore, useApiServer } from "../cluster/fakeApiServer.ts";
import { cluster, managedObject, owned } from "../cluster/leaving.ts";
import { alice, bob, configuration } from "../samples.ts";

/** With three shards, bob belongs to the third. */
const family: Settings = {
  ...configuration({ members: [] }).settings,
  stack: "prod-0",
  shards: { family: "prod", count: 3 },
};
const type = "kubecamp:index:MemberEnvironment";
const urnIn = (stack: string) => `urn:pulumi:${stack}::kubecamp::${type}::bob`;
const bobIn = (stack: string) => ({ resources: [{ urn: urnIn(stack), type }] });
const policies = policyObjectsOf({ shared: sharedObjects({ ...family, stack: "prod-2" }) });
const labelled = (stack: string, formerly: object = {}) =>
  cluster({
    namespaces: new Map([["bob", owned("bob", { "kubecamp.dev/stack": stack })]]),
    managedObjects: new Map([
      ...policies.map((object) => [keyOf(object), managedObject("")] as const),
      ["Namespace bob", { ...managedObject("bob"), annotations: { ...formerly } }],
    ]),
  });
const move = (from: string, to: string) => `state move ${urnIn(from)} --source ${from} --dest ${to} --yes`;

describe("a transfer of members", () => {
  const server = useApiServer();
  let folder: string;
  const { PATH } = process.env;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-unit-"));
    const answers = `
stack=$(echo "$*" | sed -n 's/.*--stack \\([^ ]*\\).*/\\1/p')
case "$*" in
  config*) echo '{}' ;;
  "stack export"*) cat ${folder}/state-$stack ;;
  state*) echo "$*" | sed 's/ --non-interactive.*//' >> ${folder}/asked ;;
esac
case "$*" in
  "state move"*)
    from=$(echo "$*" | sed -n 's/.*--source \\([^ ]*\\).*/\\1/p')
    to=$(echo "$*" | sed -n 's/.*--dest \\([^ ]*\\).*/\\1/p')
    grep -q "refuses $to" ${folder}/state-$from && { echo 'error: locked' >&2; exit 255; }
    sed "s/pulumi:$from:/pulumi:$to:/g" ${folder}/state-$from > ${folder}/state-$to
    echo '{ "version": 3, "deployment": {} }' > ${folder}/state-$from ;;
esac`;
    await writeFile(join(folder, "pulumi"), `#!/bin/sh${answers}\n`, { mode: 0o755 });
    process.env.PATH = `${folder}:${PATH}`;
  });
  after(async () => {
    restore("PATH", PATH);
    await rm(folder, { recursive: true });
  });

  /** Transfers bob, whose resources these states have. @returns what Pulumi was asked to do with them, too */
  async function transferred(snapshot: ReturnType<typeof labelled>, states: Readonly<Record<string, object>>) {
    for (const stack of ["prod-0", "prod-2"]) {
      const deployment = states[stack] ?? { resources: [] };
      const content = deployment instanceof Error ? "{" : JSON.stringify({ version: 3, deployment });
      await writeFile(join(folder, `state-${stack}`), content);
    }
    await writeFile(join(folder, "asked"), "");
    const parts = { folder, notify: () => undefined };
    const result = await transfer({ settings: family, members: [alice, bob] }, snapshot, parts).catch(messageOf);
    const asked = (await readFile(join(folder, "asked"), "utf8")).trim().split("\n");
    return typeof result === "string"
      ? { moved: undefined, why: result, asked }
      : { moved: result.moved, why: result.left[0]?.why ?? "", asked };
  }
  const bobMoves = { member: "bob", from: "prod-0", to: "prod-2" };

  it("moves transferred members' resources, and then labels their namespace", async () => {
    server.answers("bob", json({}));
    const { moved, why, asked } = await transferred(labelled("prod-0"), { "prod-0": bobIn("prod-0") });
    assert.deepEqual([moved, why, asked], [[bobMoves], "", [move("prod-0", "prod-2")]]);
  });

  it("moves members back where the namespace can't be labelled, or nobody can sign in any more", async () => {
    server.answers("bob", json({ message: "namespaces is forbidden" }, 403));
    const states = { "prod-0": bobIn("prod-0") };
    const thereAndBack = [move("prod-0", "prod-2"), move("prod-2", "prod-0")];
    const refused = await transferred(labelled("prod-0"), states);
    assert.deepEqual([refused.moved, refused.asked], [[], thereAndBack]);
    assert.match(refused.why, /hand member 'bob' over.*forbidden/s);
    process.env.KUBECONFIG = join(folder, "none");
    const unsigned = await transferred(labelled("prod-0"), states);
    assert.deepEqual([unsigned.moved, unsigned.asked], [undefined, thereAndBack]);
  });

  it("moves no members where a state can't be read, or Pulumi refuses to move resources", async () => {
    const { why } = await transferred(labelled("prod-0"), { "prod-0": bobIn("prod-0"), "prod-2": new Error() });
    assert.match(why, /^The state of stack 'prod-2' can't be read: /);
    const refused = await transferred(labelled("prod-0"), { "prod-0": { ...bobIn("prod-0"), "refuses prod-2": true } });
    assert.deepEqual(refused.moved, []);
    assert.match(refused.why, /^Members can't be moved from the state of stack 'prod-0' to that of 'prod-2': locked$/);
  });

  it("takes members out of the old state whom a killed transfer had put into the new one", async () => {
    const formerly = { "kubecamp.dev/former-stacks": "prod-0" };
    const states = { "prod-0": bobIn("prod-0"), "prod-2": bobIn("prod-2") };
    const { moved, asked } = await transferred(labelled("prod-2", formerly), states);
    const forget = `state delete ${urnIn("prod-0")} --target-dependents --force --yes --stack prod-0`;
    assert.deepEqual([moved, asked], [[], [forget]]);
    const half = await transferred(labelled("prod-2", formerly), { "prod-0": bobIn("prod-0") });
    assert.deepEqual(half.asked, [move("prod-0", "prod-2")]);
  });

  it("leaves a member in both states where the new one has only a part, and says what it lacks", async () => {
    const formerly = { "kubecamp.dev/former-stacks": "prod-0" };
    const user = { urn: `urn:pulumi:prod-0::kubecamp::${type}$kubecamp-buckets:index:BucketUser::bob/user` };
    const states = { "prod-0": { resources: [...bobIn("prod-0").resources, user] }, "prod-2": bobIn("prod-2") };
    const { moved, why, asked } = await transferred(labelled("prod-2", formerly), states);
    assert.deepEqual([moved, asked], [[], [""]]);
    assert.match(why, /^the state of stack 'prod-2' has only a part of theirs, without 'bob\/user' of stack 'prod-0'/);
  });

  it("reports members who could not be moved back", async () => {
    const states = { "prod-0": { ...bobIn("prod-0"), "refuses prod-0": true } };
    server.answers("bob", json({ message: "namespaces is forbidden" }, 403));
    const stays = /'bob' stays in the new stack's state: Members can't be moved from .*'prod-2' to .*'prod-0': locked$/;
    const refused = await transferred(labelled("prod-0"), states);
    assert.match(refused.why, /forbidden/);
    assert.match(refused.why, stays);
    process.env.KUBECONFIG = join(folder, "none");
    const unsigned = await transferred(labelled("prod-0"), states);
    assert.equal(unsigned.moved, undefined);
    assert.match(unsigned.why, stays);
  });

  it("moves no members with a killed run's pending changes, or an object left by a replacement", async () => {
    const resource = { urn: urnIn("prod-0") };
    const pending = (type: string) => ({ ...bobIn("prod-0"), pending_operations: [{ type, resource }] });
    const doomed = { resources: [...bobIn("prod-0").resources, { ...resource, type: "x", delete: true }] };
    for (const state of [pending("updating"), doomed]) {
      const { moved, why } = await transferred(labelled("prod-0"), { "prod-0": state });
      assert.deepEqual(moved, []);
      assert.match(why, /^a run of stack 'prod-0' that was killed has begun something of theirs/);
    }
    server.answers("bob", json({}));
    const { moved } = await transferred(labelled("prod-0"), { "prod-0": pending("creating") });
    assert.deepEqual(moved, [bobMoves]);
  });
});
