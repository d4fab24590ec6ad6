import assert from "node:assert/strict";
import type { resultJson } from "../../../commands/up/print/resultText.ts";
import { everything, guardsOf, type LiveObject, nameOf } from "../program/inventory.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { touchedBy } from "../program/touched.ts";
import { makeNamespace } from "../program/workloads.ts";
import { kubecamp } from "./kubecamp.ts";

type Result = ReturnType<typeof resultJson>["stacks"][number];

/** With two shards, bob, erin and gina are in the first, alice and frank in the second; with three, bob is in the third. */
const user = (member: string, more: object = {}): Entry => ({ member, type: "user", ...more });
const alice = user("alice", { maxCPUm: 900 });
const bob = user("bob", { route: { readiness: { mode: "managed" } } });
const erin = user("erin");
const shardsOf = (count: number) => Array.from({ length: count }, (_, shard) => `team-${shard}`);

/** Names of a shard's shared objects. */
const shared = (stack: string) => [
  ...guardsOf(stack),
  `ClusterRole kubecamp:${stack}:view`,
  `ClusterRole kubecamp:${stack}:view-guest`,
];

/** Names of a member's objects while the route is closed. */
const base = (stack: string, name: string) => [
  `ClusterRoleBinding kubecamp:${stack}:${name}:view`,
  `LimitRange ${name}/default-limits`,
  `Namespace ${name}`,
  `NetworkPolicy ${name}/isolation`,
  `ResourceQuota ${name}/quota`,
  `Role ${name}/kubecamp-edit`,
  `RoleBinding ${name}/kubecamp-edit`,
  `ServiceAccount ${name}/default`,
];

const route = (name: string) => [
  `Ingress ingress-nginx/${name}`,
  `Service ${name}/${name}-svc`,
  `Service ingress-nginx/${name}-svc`,
];

describe("kubecamp up of a list that is split", () => {
  const stack = useStack("team");

  const run = (...args: string[]) =>
    kubecamp([...args, "--stack", "team"], { cwd: stack.folder, env: stack.sandbox.env });
  /** Expects success, and returns each shard's result. */
  const up = async (): Promise<Record<string, Result>> => {
    const { exitCode, stdout, stderr } = await run("up", "-o", "json");
    assert.equal(exitCode, 0, stdout + stderr);
    const { stacks, failed } = JSON.parse(stdout) as ReturnType<typeof resultJson>;
    assert.equal(failed, false);
    return Object.fromEntries(stacks.map((result) => [result.stack, result]));
  };
  const split = async (members: readonly Entry[], count: number, added: readonly string[]) => {
    await stack.configure(members, { shards: count });
    const files = await run("shards", "files");
    assert.equal(files.exitCode, 0, files.stderr);
    for (const shard of added) {
      await stack.init(shard);
    }
  };
  /** All objects with a shard's label, by name. */
  const ours = async (): Promise<ReadonlyMap<string, LiveObject>> => {
    const live = await everything(stack.sandbox);
    return new Map(
      live
        .filter(({ metadata }) => metadata.labels?.["app.kubernetes.io/managed-by"] === "kubecamp")
        .map((object) => [nameOf(object), object]),
    );
  };
  /** Entries as `<stack> <name>`. */
  const inventory = async () =>
    [...(await ours())].map(([name, { metadata }]) => `${metadata.labels?.["kubecamp.dev/stack"]} ${name}`).sort();
  const of = (shard: string, ...names: readonly (readonly string[])[]) =>
    [...shared(shard), ...names.flat()].map((name) => `${shard} ${name}`);

  before(async () => {
    await stack.makeProject();
    await split([user("alice"), bob, erin], 2, shardsOf(2));
  });

  it("makes all shards the first time, side by side, and runs none the second", async () => {
    const first = await up();
    const all = "all, since it has had no up yet";
    assert.deepEqual(
      Object.values(first).map(({ stack: shard, result, plan, members }) => ({ shard, result, plan, members })),
      [
        { shard: "team-0", result: "succeeded", plan: all, members: ["bob", "erin"] },
        { shard: "team-1", result: "succeeded", plan: all, members: ["alice"] },
      ],
    );
    assert.deepEqual(
      await inventory(),
      [
        ...of("team-0", base("team-0", "bob"), route("bob"), base("team-0", "erin")),
        ...of("team-1", base("team-1", "alice")),
      ].sort(),
    );
    const touched = await touchedBy(stack, async () => {
      const second = await up();
      assert.deepEqual(
        Object.values(second).map(({ result, plan }) => [result, plan]),
        [
          ["unchanged", "nothing differs"],
          ["unchanged", "nothing differs"],
        ],
      );
    });
    assert.deepEqual(touched, []);
  });

  it("runs the one shard whose member has changed, for that member alone", async () => {
    await stack.configure([alice, bob, erin], { shards: 2 });
    const touched = await touchedBy(stack, async () => {
      const { "team-0": other, "team-1": changed } = await up();
      assert.equal(other?.result, "unchanged");
      assert.deepEqual([changed?.result, changed?.plan, changed?.members], ["succeeded", "only alice", ["alice"]]);
    });
    assert.deepEqual(touched, ["ResourceQuota alice/quota"]);
  });

  it("hands over by itself who belongs to a new shard, with all that they have", async () => {
    await stack.sandbox.apply({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "work", namespace: "bob" } });
    const uids = async () =>
      (await everything(stack.sandbox))
        .filter(
          ({ kind, metadata: { name, namespace = name } }) => kind !== "ClusterRoleBinding" && namespace === "bob",
        )
        .map((object) => `${nameOf(object)} ${object.metadata.uid}`)
        .sort();
    const before = await uids();
    assert.ok(before.some((line) => line.startsWith("ConfigMap bob/work ")));
    await split([alice, bob, erin], 3, ["team-2"]);

    const { "team-0": old, "team-1": other, "team-2": grown } = await up();
    assert.deepEqual([old?.result, old?.members, old?.deleted], ["succeeded", [], 0]);
    assert.equal(other?.result, "unchanged");
    assert.deepEqual([grown?.result, grown?.members], ["succeeded", ["bob"]]);
    // No warning mentions members that were transferred, and a new shard misses nothing.
    assert.doesNotMatch(
      JSON.stringify([old?.warnings, grown?.warnings]),
      /still in the stack from before|Deleted by hand/,
    );

    assert.deepEqual(await uids(), before);
    assert.deepEqual(
      await inventory(),
      [
        ...of("team-0", base("team-0", "erin")),
        ...of("team-1", base("team-1", "alice")),
        ...of("team-2", base("team-2", "bob"), route("bob")),
      ].sort(),
    );
    const touched = await touchedBy(stack, async () => {
      const results = Object.values(await up());
      assert.deepEqual(
        results.map(({ stack: shard, plan }) => [shard, plan]),
        shardsOf(3).map((shard) => [shard, "nothing differs"]),
      );
    });
    assert.deepEqual(touched, []);
  });

  it("brings the others up where one shard fails, and says why that did", async () => {
    await makeNamespace(stack, "frank");
    await stack.configure([alice, bob, erin, user("frank"), user("gina")], { shards: 3 });
    const { exitCode, stdout, stderr } = await run("up");
    assert.equal(exitCode, 1, stdout + stderr);
    assert.match(stdout, /^team-0 +up +8 +0 +0 +1: gina$/m);
    assert.match(stdout, /^team-1 +FAILED +0 +0 +0 +-$/m);
    assert.match(stdout, /^team-2 +unchanged +0 +0 +0 +-$/m);
    assert.match(stdout, /^team-1 was not updated:\n(?: {2}.*\n)*? {2}.*frank.*(?:\n {2}.*)*$/m);
    assert.match(stderr, /^team-1: FAILED \(\d+ s\)$/m);
    const live = await ours();
    assert.deepEqual(
      base("team-0", "gina").filter((name) => !live.has(name)),
      [],
    );
    assert.ok(![...live.keys()].some((name) => /\bfrank\b/.test(name)));
    await stack.delete("namespace", "frank");
  });
});
