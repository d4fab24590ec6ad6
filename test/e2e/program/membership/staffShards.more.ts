import assert from "node:assert/strict";
import type { V1Namespace, V1RoleBinding } from "@kubernetes/client-node";
import { atItsEnd } from "../../../../runs/checkpoints.ts";
import { kubecamp } from "../../commands/kubecamp.ts";
import { inside } from "../../isolation/hostile/attempt.ts";
import { type Caller, signedIn } from "../../support/signIn/signedIn.ts";
import { type Entry, useStack } from "../stack.ts";
import { transferred } from "./transferred.ts";

const cs101 = { labels: { course: "cs101" } };
const member = (name: string, more: object = {}): Entry => ({ member: name, type: "student", route: false, ...more });
/** With two shards, bob and carol are in the first, alice in the second; with three, bob and carol in the third. */
const [alice, bob, carol] = [member("alice", cs101), member("bob", cs101), member("carol")] as const;
/** Members of other types see others' workloads anyway. */
const memberTypes = { student: { others: "none" } };
const staff = [
  { group: "ta-cs101", role: "assist", over: cs101 },
  { subject: "carol", role: "view", over: cs101 },
];

describe("staff over members in several shards", () => {
  const stack = useStack("campus");
  let tom: Caller;
  let asCarol: Caller;

  const pulumi = async (name: string, ...args: string[]) => {
    // Nothing is killed here, which is what checkpoints are for.
    const { exitCode, stdout, stderr } = await stack.sandbox.pulumi([...args, "--stack", name], {
      cwd: stack.folder,
      env: atItsEnd,
    });
    assert.equal(exitCode, 0, stdout + stderr);
  };
  const split = async (members: readonly Entry[], count: number, ...fresh: string[]) => {
    await stack.configure(members, { memberTypes, staff, shards: count });
    const args = ["shards", "files", "--stack", stack.name, "--folder", stack.folder];
    const { exitCode, stderr } = await kubecamp(args, { env: stack.sandbox.env });
    assert.equal(exitCode, 0, stderr);
    for (const name of fresh) {
      await stack.init(name);
    }
  };
  const up = async (...names: string[]) => {
    for (const name of names) {
      await pulumi(name, "up", "--yes", "--skip-preview");
    }
  };
  const status = async (who: Caller, namespace: string) => (await who.ask("GET", inside(namespace, "pods"))).status;
  const reached = async (who: Caller) => [await status(who, "alice"), await status(who, "bob")];
  const shardOf = async (namespace: string) =>
    (await stack.sandbox.get<V1Namespace>("namespace", namespace)).metadata?.labels?.["kubecamp.dev/stack"];
  const bobsBinding = async () =>
    (await stack.sandbox.get<V1RoleBinding>("rolebinding", "kubecamp:staff-assist", "bob")).metadata;

  before(async () => {
    await stack.makeProject();
    tom = await signedIn(stack.sandbox, { sub: "tom", groups: ["ta-cs101"] });
    asCarol = await signedIn(stack.sandbox, { sub: "carol", groups: [] });
  });

  it("get into the namespaces of each shard, from the family's one list", async () => {
    await split([alice, bob, carol], 2, "campus-0", "campus-1");
    await up("campus-0", "campus-1");
    assert.deepEqual([await shardOf("alice"), await shardOf("bob")], ["campus-1", "campus-0"]);
    assert.deepEqual(
      [await reached(tom), await reached(asCarol)],
      [
        [200, 200],
        [200, 200],
      ],
    );
    assert.equal(await status(tom, "carol"), 403);
  });

  it("lose the members of every shard once they are suspended members of one", async () => {
    await stack.configure([alice, bob, { ...carol, suspended: true }], { memberTypes, staff, shards: 2 });
    // Only of the shard that carol is not in.
    await up("campus-1");
    assert.deepEqual(await reached(asCarol), [403, 200]);
    await up("campus-0");
    assert.deepEqual(await reached(asCarol), [403, 403]);
  });

  it("keep a RoleBinding whose member moves to another shard, and lose it by that shard's up", async () => {
    const uid = (await bobsBinding())?.uid;
    await split([alice, bob, carol], 3, "campus-2");
    await up("campus-2");
    await transferred(stack);
    assert.equal(await shardOf("bob"), "campus-2");
    assert.equal(await status(tom, "bob"), 200);
    await up("campus-2", "campus-0", "campus-1");
    const now = await bobsBinding();
    assert.deepEqual([now?.uid, await reached(tom)], [uid, [200, 200]]);
    assert.equal(now?.labels?.["kubecamp.dev/stack"], "campus-2");
    await stack.configure([alice, member("bob"), carol], { memberTypes, staff, shards: 3 });
    await up("campus-2");
    assert.deepEqual(
      [await reached(tom), await reached(asCarol)],
      [
        [200, 403],
        [200, 403],
      ],
    );
  });
});
