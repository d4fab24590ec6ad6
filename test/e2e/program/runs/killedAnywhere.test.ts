import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import fc from "fast-check";
import { atItsEnd } from "../../../../runs/checkpoints.ts";
import { repository } from "../../../../scaffold/sandbox/paths.ts";
import { kubecampProcess } from "../../commands/kubecamp.ts";
import { ApiProxy } from "../../support/cluster/apiProxy.ts";
import { ownProcesses } from "../../support/engine/pluginRelay.ts";
import { killTree } from "../../support/killTree.ts";
import { everything, inventory, nameOf } from "../inventory.ts";
import { type Entry, type StateResource, useStack } from "../stack.ts";
import { unlock } from "../unlock.ts";

/** `KILLS=50` has more of them. */
const kills = Number(process.env.KILLS ?? 5);
/** Of runs that write their state at their end alone. */
const unnoted = Math.ceil(kills / 3);
/** So few that the list changes at least twice. */
const killsInARound = Math.min(7, Math.ceil(kills / 3));
/** One by default, so that two runs of the tests can be compared; `KILL_SEED=$RANDOM` has other moments. */
const seed = Number(process.env.KILL_SEED ?? 555575968);

/** When a run is killed, counted by its requests that write, so that a quick machine and a slow one die alike. */
const moments = fc.sample(
  fc.record({
    write: fc.integer({ min: 1, max: 8 }),
    /** Nobody has it; the API server has done it and nobody knows; Pulumi knows, and may be writing its state. */
    moment: fc.constantFrom("unsent", "unanswered", "answered"),
    /** In milliseconds, after it was answered. */
    delay: fc.integer({ min: 0, max: 300 }),
  }),
  { seed, numRuns: 12 * kills },
);

/** Somebody joins, somebody leaves, somebody's figures and type change, and a door opens or closes. */
const membersOf = (round: number): Entry[] => [
  { member: "stays", type: "guest-user" },
  { member: "tuned", type: round % 2 === 0 ? "user" : "guest-user", maxCPUm: 500 + 100 * round },
  { member: "door", type: "guest-user", suspended: round % 2 === 0 },
  { member: `term-${round}`, type: "guest-user" },
];

const kubecampMain = join(repository, "bin/kubecamp.mjs");

describe(`a run that is killed with all its processes, ${kills} times at random (KILLS=${kills} KILL_SEED=${seed})`, function () {
  this.timeout(300_000 + kills * 30_000);
  const stack = useStack("anywhere");
  const proxy = new ApiProxy();
  let proxied: Record<string, string> = {};
  let empty: readonly string[] = [];
  let killed = 0;
  let attempts = 0;
  let round = 0;

  before(async () => {
    proxied = await stack.behind(proxy);
    empty = await inventory(stack.sandbox);
  });
  after(() => proxy.stop());

  /** @returns whether it was killed; otherwise it was through before */
  async function killing(args: readonly string[], later = 0, env: Record<string, string> = {}): Promise<boolean> {
    return await killingOf("pulumi", [...stack.flags(args), "--non-interactive"], { later, env });
  }

  /** @param later so many requests that write more are let through first */
  async function killingOf(
    command: string,
    args: readonly string[],
    { later = 0, env = {}, cwd = repository }: { later?: number; env?: Record<string, string>; cwd?: string },
  ): Promise<boolean> {
    const { write: after, moment, delay } = moments[attempts++] ?? assert.fail("no moments are left");
    const write = after + later;
    const child = execa(command, [...args], {
      cwd,
      env: { ...stack.sandbox.env, ...ownProcesses, ...proxied, ...env },
      reject: false,
      all: true,
    });
    const { promise: dead, resolve: die } = Promise.withResolvers<true>();
    const kill = () => {
      killTree(child.pid ?? assert.fail("it did not start"));
      die(true);
    };
    let writes = 0;
    const meant = new Set<string>();
    proxy.hooks = {
      before: async ({ method, url }) => {
        if (method === "GET" || ++writes !== write) return undefined;
        if (moment === "unsent") kill();
        else meant.add(url.href);
        return undefined;
      },
      answered: async ({ method, url }) => {
        if (method === "GET" || !meant.delete(url.href)) return;
        if (moment === "unanswered") kill();
        else setTimeout(kill, delay);
      },
    };
    const { exitCode, all } = await child;
    proxy.hooks = {};
    const wasKilled = await Promise.race([dead, sleep(delay + 50, false)]);
    assert.ok(wasKilled || exitCode === 0, `${JSON.stringify({ write, moment, delay })}: ${all}`);
    return wasKilled;
  }

  /** Tries, and is killed, as often as a round has it; then nobody kills it. */
  async function persevering(args: readonly string[]): Promise<void> {
    for (let times = 0; times < killsInARound && killed < kills; times++) {
      if (!(await killing(args))) return;
      killed++;
      await unlock(stack);
    }
    const { exitCode, output } = await stack.run(args);
    assert.equal(exitCode, 0, output);
  }

  /** What the state has, as objects are called, and what of the stack's is on the cluster. */
  async function known(): Promise<{ state: string[]; cluster: string[] }> {
    const resources = (await stack.resources()) as readonly (StateResource & { readonly id?: string })[];
    const state = resources.flatMap(({ urn, id }) => {
      const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
      return type.startsWith("kubernetes:") ? [`${type.split(":").at(-1)} ${id}`] : [];
    });
    const objects = await everything(stack.sandbox);
    const ours = objects.filter(({ metadata }) => metadata.labels?.["kubecamp.dev/stack"] === stack.name);
    return { state: state.sort(), cluster: ours.map(nameOf).sort() };
  }

  const up = ["up", "--yes", "--skip-preview"];

  it("is repaired by the next up, whatever it was about to do: nothing is orphaned, and nothing is lost", async () => {
    const kept = new Map<string, string>();
    const uid = (namespace: string) =>
      stack.kubectl("get", "configmap", "work", "-n", namespace, "-o", "jsonpath={.metadata.uid}");
    for (; killed < kills; round++) {
      await stack.configure(membersOf(round));
      await persevering(up);

      const names = membersOf(round).map(({ member }) => member);
      const { state, cluster } = await known();
      assert.deepEqual(cluster, state);
      const namespaces = state.flatMap((name) => /^Namespace (.+)$/.exec(name)?.[1] ?? []);
      assert.deepEqual(namespaces.sort(), names.toSorted());
      const left = (await inventory(stack.sandbox)).filter((name) => name.includes(`term-${round - 1}`));
      assert.deepEqual(left, []);
      for (const name of ["stays", "tuned", "door"]) {
        if (!kept.has(name)) {
          await stack.kubectl("create", "configmap", "work", "-n", name);
          kept.set(name, await uid(name));
        }
        assert.equal(await uid(name), kept.get(name), name);
      }
    }
    const clean = await stack.preview("--refresh", "--expect-no-changes");
    assert.equal(clean.exitCode, 0, clean.output);
  });

  it("is repaired where its state was to be written at its end alone, by an up with the same list; with another, it names whom the state does not know", async () => {
    const list = membersOf(round - 1);
    const joins = [...list, { member: "quick", type: "user" }, { member: "swift", type: "user" }];
    await stack.configure(joins);
    // By then both namespaces are there.
    assert.equal(await killing(up, 8, { ...atItsEnd }), true);
    await unlock(stack);
    await stack.kubectl("get", "namespaces", "quick", "swift");
    assert.deepEqual(
      (await known()).state.filter((name) => /quick|swift/.test(name)),
      [],
    );

    await stack.configure(joins.slice(0, -1));
    const { output } = await stack.upFine();
    assert.match(output, /No longer in the list\..*\n\s+swift: /);

    await stack.configure(joins);
    await stack.upFine();
    const { state, cluster } = await known();
    assert.deepEqual(cluster, state);
    assert.equal(state.filter((name) => /(quick|swift)\//.test(name)).length, 2 * 6);

    await stack.configure(list);
    await stack.upFine();
    assert.deepEqual(
      (await inventory(stack.sandbox)).filter((name) => /quick|swift/.test(name)),
      [],
    );
  });

  it("is repaired by kubecamp up where that had noted nothing, whoever has left the list meanwhile", async () => {
    await stack.makeProject();
    const kubecampUp = ["up", "--stack", stack.name, "-o", "json"];
    const surroundings = { cwd: stack.folder, env: { ...stack.sandbox.env, ...ownProcesses } };
    const list = membersOf(round - 1);
    for (let times = 0; times < unnoted; times++) {
      const [quick, swift] = [`quick-${times}`, `swift-${times}`];
      const joins = [...list, { member: quick, type: "user" }, { member: swift, type: "guest-user" }];
      await stack.configure(joins);
      const cut = { later: 4, cwd: stack.folder };
      assert.equal(await killingOf(process.execPath, [kubecampMain, ...kubecampUp, "--skip-checkpoints"], cut), true);
      assert.deepEqual(
        (await known()).state.filter((name) => /quick|swift/.test(name)),
        [],
      );

      await stack.configure(joins.filter(({ member }) => member !== (times % 2 === 0 ? swift : quick)));
      const { exitCode, stdout, stderr } = await kubecampProcess(kubecampUp, surroundings);
      assert.equal(exitCode, 0, `${stdout}\n${stderr}`);
      const { state, cluster } = await known();
      assert.deepEqual(cluster, state);
      const gone = times % 2 === 0 ? swift : quick;
      assert.deepEqual(
        (await inventory(stack.sandbox)).filter((name) => name.includes(gone)),
        [],
      );
      await stack.configure(list);
      const last = await kubecampProcess(kubecampUp, surroundings);
      assert.equal(last.exitCode, 0, `${last.stdout}\n${last.stderr}`);
    }
    const clean = await stack.preview("--refresh", "--expect-no-changes");
    assert.equal(clean.exitCode, 0, clean.output);
  });

  it("is repaired where it was to destroy all by an up that refreshes, and by another destroy", async () => {
    const destroy = ["destroy", "--yes", "--skip-preview"];
    assert.equal(await killing(destroy), true);
    await unlock(stack);
    // What it deleted and did not note, a plain up would take for being there, and name in a warning.
    await stack.upFine("--refresh");
    const { state, cluster } = await known();
    assert.deepEqual(cluster, state);
    assert.equal(cluster.filter((name) => name.startsWith("Namespace ")).length, membersOf(round - 1).length);

    await killing(destroy);
    await unlock(stack);
    const { exitCode, output } = await stack.run(destroy);
    assert.equal(exitCode, 0, output);
    assert.deepEqual(await inventory(stack.sandbox), empty);
  });
});
