import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { V1ConfigMap } from "@kubernetes/client-node";
import { execa } from "execa";
import fc from "fast-check";
import { table } from "../../../../commands/common/table.ts";
import { atItsEnd } from "../../../../runs/checkpoints.ts";
import { repository } from "../../../../sandbox/paths.ts";
import { kubecamp } from "../../commands/kubecamp.ts";
import { ApiProxy } from "../../support/cluster/apiProxy.ts";
import type { StateResource } from "../../support/engine/folderBackend.ts";
import { ownProcesses } from "../../support/engine/pluginRelay.ts";
import { killTree } from "../../support/killTree.ts";
import { everything, inventory, nameOf } from "../inventory.ts";
import { settled } from "../settled.ts";
import { type Entry, useStack } from "../stack.ts";
import { until } from "../workloads.ts";

/** `KILLS=50` has more of them, and prints what each left. */
const kills = Number(process.env.KILLS ?? 5);
/** One by default, so that two runs of the tests can be compared; `KILL_SEED=$RANDOM` has other moments. */
const seed = Number(process.env.KILL_SEED ?? 555575968);

/** When a run is killed, counted by its requests that write, so that a quick machine and a slow one die alike. */
const moments = fc.sample(
  fc.record({
    write: fc.integer({ min: 1, max: 12 }),
    /** Nobody has it; the API server has done it and nobody knows; Pulumi knows, and may be writing its state. */
    moment: fc.constantFrom("unsent", "unanswered", "answered"),
    /** In milliseconds, after it was answered. */
    delay: fc.integer({ min: 0, max: 300 }),
  }),
  { seed, numRuns: 4 * kills + 8 },
);

/** Members in every list, who have work of their own at home. */
const staying = ["stays", "tuned", "door"];

interface List {
  /** Gives the figures of one of them, and the names of who joins. */
  readonly round: number;
  /** Whether types and doors are others. */
  readonly isSwapped: boolean;
  /** Members that come and go. */
  readonly guests: readonly string[];
}

/** Other types have other bindings: one that a killed run has made is nobody's where the type is another by then. */
const entriesOf = ({ round, isSwapped, guests }: List): Entry[] => {
  const [one, other] = isSwapped ? ["guest-user", "user"] : ["user", "guest-user"];
  return [
    { member: "stays", type: "guest-user" },
    { member: "tuned", type: one, maxCPUm: 500 + 100 * round },
    { member: "door", type: "guest-user", suspended: isSwapped },
    ...guests.map((member) => ({ member, type: member.startsWith("quick") ? other : "guest-user" })),
  ];
};

/** Objects in the state and on the cluster after a kill. */
interface Found {
  readonly state: readonly string[];
  readonly cluster: readonly string[];
  readonly pending: number;
}

const kubecampMain = join(repository, "bin/kubecamp.mjs");
const up = ["up", "--yes", "--skip-preview"];
const destroy = ["destroy", "--yes", "--skip-preview"];

describe(`a run that is killed with all its processes, ${kills} times at random (KILLS=${kills} KILL_SEED=${seed})`, function () {
  this.timeout(300_000 + kills * 60_000);
  const stack = useStack("anywhere");
  const proxy = new ApiProxy();
  const rows: string[][] = [];
  const uids = new Map<string, string>();
  const everybody = new Set<string>();
  let proxied: Record<string, string> = {};
  let empty: readonly string[] = [];
  let list: List = { round: 0, isSwapped: false, guests: [] };
  let attempts = 0;
  let killed = 0;

  before(async () => {
    proxied = await stack.behind(proxy);
    await stack.makeProject();
    empty = await inventory(stack.sandbox);
  });
  after(() => {
    if (process.env.KILLS !== undefined) {
      console.log(table([["KILL", "RUN", "MOMENT", "LEFT BEHIND", "THEN", "FOUND"], ...rows]));
    }
    return proxy.stop();
  });

  /** Declares another list. */
  async function declare(change: Partial<List>): Promise<void> {
    list = { ...list, ...change, round: list.round + 1 };
    for (const guest of list.guests) {
      everybody.add(guest);
    }
    await stack.configure(entriesOf(list), { offboarding: { maxRemovals: 10 } });
  }

  /** Starts a run, and kills it. @returns the moment; undefined where it was through before */
  async function killing(
    command: string,
    args: readonly string[],
    { env = {}, cwd = repository }: { env?: Record<string, string>; cwd?: string } = {},
  ): Promise<string | undefined> {
    const { write, moment, delay } = moments[attempts++] ?? assert.fail("no moments are left");
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
        if (method === "GET" || ++writes !== write) {
          return undefined;
        }
        if (moment === "unsent") {
          kill();
        } else {
          meant.add(url.href);
        }
        return undefined;
      },
      answered: async ({ method, url }) => {
        if (method === "GET" || !meant.delete(url.href)) {
          return;
        }
        if (moment === "unanswered") {
          kill();
        } else {
          setTimeout(kill, delay);
        }
      },
    };
    const { exitCode, all } = await child;
    proxy.hooks = {};
    const wasKilled = await Promise.race([dead, sleep(delay + 50, false)]);
    const text = `write ${write} ${moment}${moment === "answered" ? ` +${delay} ms` : ""}`;
    assert.ok(wasKilled || exitCode === 0, `${text}: ${all}`);
    return wasKilled ? text : undefined;
  }

  const killingPulumi = (args: readonly string[], env: Record<string, string> = {}) =>
    killing("pulumi", [...stack.flags(args), "--non-interactive"], { env });
  const killingKubecamp = (env: Record<string, string> = {}) =>
    killing(process.execPath, [kubecampMain, "up", "--stack", stack.name], { cwd: stack.folder, env });

  async function kubecampUp(): Promise<void> {
    const args = ["up", "--stack", stack.name, "-o", "json"];
    const { exitCode, stdout, stderr } = await kubecamp(args, { cwd: stack.folder, env: stack.sandbox.env });
    assert.equal(exitCode, 0, `${stdout}\n${stderr}`);
  }

  /** Objects in the state, by their names on the cluster. */
  async function known(): Promise<string[]> {
    const resources = (await stack.resources()) as readonly (StateResource & { readonly id?: string })[];
    return resources
      .flatMap(({ urn, id }) => {
        const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
        return type.startsWith("kubernetes:") ? [`${type.split(":").at(-1)} ${id}`] : [];
      })
      .sort();
  }

  const isOurs = ({ metadata }: { readonly metadata: { readonly labels?: Record<string, string> } }) =>
    metadata.labels?.["kubecamp.dev/stack"] === stack.name;

  /** Notes what a killed run left, takes away its lock, and gives the rest. */
  async function left(run: string, moment: string): Promise<Found> {
    killed++;
    const [state, objects] = await Promise.all([known(), everything(stack.sandbox)]);
    const cluster = objects.filter(isOurs).map(nameOf).sort();
    const [unknown, lost] = [without(cluster, state), without(state, cluster)];
    const pending = await stack.pendingOperations();
    await stack.backend.unlock(stack.name);
    rows.push([String(killed), run, moment, `${unknown.length} unknown, ${lost.length} gone, ${pending} pending`]);
    return { state, cluster, pending };
  }

  /** Holds that all is as it is declared, by one look at everything there is. */
  async function verify(then: string): Promise<void> {
    await until(async () => (await everything(stack.sandbox)).every(({ metadata }) => !metadata.deletionTimestamp));
    const [state, objects] = await Promise.all([known(), everything(stack.sandbox)]);
    const names = entriesOf(list).map(({ member }) => member);
    const gone = [...everybody].filter((name) => !names.includes(name));
    // Nothing is orphaned, nothing is lost, and nothing is there twice.
    assert.deepEqual(objects.filter(isOurs).map(nameOf).sort(), state);
    assert.equal(new Set(state).size, state.length);
    const namespaces = state.flatMap((name) => /^Namespace (.+)$/.exec(name)?.[1] ?? []);
    assert.deepEqual(namespaces, names.toSorted());
    const isOf = (member: string) => (part: string) => part === member || part === `${member}-svc`;
    const traces = objects.map(nameOf).filter((name) => gone.some((each) => name.split(/[ /:]/).some(isOf(each))));
    assert.deepEqual(traces, []);
    for (const name of staying) {
      const work = objects.find((object) => nameOf(object) === `ConfigMap ${name}/work`);
      assert.equal(work?.metadata.uid, uids.get(name), name);
    }
    for (const row of rows.filter(({ length }) => length === 4)) {
      row.push(then, `${state.length} objects, all noted`);
    }
  }

  /** As members make something at home: what is deleted and made anew has lost it. */
  async function work(): Promise<void> {
    for (const name of staying) {
      await stack.sandbox.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "work", namespace: name } });
      uids.set(name, (await stack.sandbox.get<V1ConfigMap>("configmap", "work", name)).metadata?.uid ?? "");
    }
  }

  /** Each in turn declares a list, kills a run, and has another finish what there is to finish. */
  const turns: readonly (() => Promise<void>)[] = [
    async () => {
      await declare({ guests: [`term-${list.round}`], isSwapped: !list.isSwapped });
      const moment = await killingPulumi(up);
      if (moment !== undefined) {
        await left("pulumi up", moment);
        await stack.upFine();
      }
      await verify("pulumi up, same list");
    },
    async () => {
      const before = await known();
      await joins();
      const moment = await killingKubecamp({ ...atItsEnd });
      if (moment !== undefined) {
        const { state } = await left("kubecamp up, no checkpoints", moment);
        assert.deepEqual(state, before);
      }
      await leaves("swift");
      await kubecampUp();
      await verify("kubecamp up, another list");
    },
    async () => {
      await declare({ guests: [`term-${list.round}`], isSwapped: !list.isSwapped });
      const moment = await killingPulumi(up);
      if (moment !== undefined) {
        await left("pulumi up", moment);
      }
    },
    // After the one before, nobody has finished anything.
    async () => {
      await joins();
      const moment = await killingKubecamp();
      if (moment !== undefined) {
        await left("kubecamp up", moment);
      }
      await leaves("quick");
      await kubecampUp();
      await verify("kubecamp up, another list");
    },
    async () => {
      const before = await known();
      await joins();
      const moment = await killingPulumi(up, { ...atItsEnd });
      const found = moment === undefined ? undefined : await left("pulumi up, no checkpoints", moment);
      await leaves("swift");
      const { output } = await stack.upFine();
      const swift = `swift-${list.round - 2}`;
      if (found !== undefined) {
        assert.deepEqual(found.state, before);
        // It takes over whom the list has, and says of whom it has not that it does not delete them.
        const isMade = found.cluster.includes(`Namespace ${swift}`);
        assert.equal(
          new RegExp(`Neither in the list nor in Pulumi's state.*\\n(.*\\n)* *Namespace ${swift}\\n`).test(output),
          isMade,
        );
        assert.equal((await known()).filter((name) => name.includes(swift)).length, 0);
      }
      await declare({ guests: [] });
      await kubecampUp();
      await verify("pulumi up, kubecamp up, other lists");
    },
  ];

  const afterNobody = 3;

  /** Two join, one is suspended or comes back, and nobody leaves: what a run without checkpoints may do. */
  const joins = () =>
    declare({ guests: [...list.guests, `quick-${list.round}`, `swift-${list.round}`], isSwapped: !list.isSwapped });
  const leaves = (who: string) =>
    declare({ guests: list.guests.filter((name) => name !== `${who}-${list.round - 1}`), isSwapped: !list.isSwapped });

  it("is repaired by the next one: nothing is orphaned, lost or there twice", async () => {
    for (let turn = 0; killed < kills || turn % turns.length === afterNobody; turn++) {
      await turns[turn % turns.length]?.();
      if (turn === 0) {
        await work();
      }
    }
    const clean = await stack.preview("--refresh", "--expect-no-changes");
    assert.equal(clean.exitCode, 0, clean.output);
  });

  it("is repaired where it had deleted access and doors of who stays, and had noted none of it", async () => {
    for (const isBack of [false, true]) {
      const before = await stack.backend.export(stack.name);
      await declare({ isSwapped: !list.isSwapped });
      await kubecampUp();
      await stack.backend.import(stack.name, before);
      await declare({ isSwapped: list.isSwapped !== isBack });
      await kubecampUp();
      await verify("");
    }
    const clean = await stack.preview("--refresh", "--expect-no-changes");
    assert.equal(clean.exitCode, 0, clean.output);
  });

  it("is repaired where it was to destroy all by an up that refreshes, and by another destroy", async () => {
    const moment = await killingPulumi(destroy);
    if (moment !== undefined) {
      await left("pulumi destroy", moment);
    }
    uids.clear();
    // A run makes nothing in a namespace that is still being deleted: the one after it would.
    await until(async () => (await everything(stack.sandbox)).every(({ metadata }) => !metadata.deletionTimestamp));
    // A plain up would take unrecorded deletions for existing objects, and warn of them.
    await stack.upFine("--refresh");
    const [state, objects] = await Promise.all([known(), everything(stack.sandbox)]);
    assert.deepEqual(objects.filter(isOurs).map(nameOf).sort(), state);
    assert.equal(state.filter((name) => name.startsWith("Namespace ")).length, entriesOf(list).length);

    await killingPulumi(destroy);
    await stack.backend.unlock(stack.name);
    const { exitCode, output } = await stack.run(destroy);
    assert.equal(exitCode, 0, output);
    await settled(stack.sandbox);
    assert.deepEqual(await inventory(stack.sandbox), empty);
  });
});

const without = (names: readonly string[], others: readonly string[]) => {
  const known = new Set(others);
  return names.filter((name) => !known.has(name));
};
