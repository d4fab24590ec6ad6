import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import type { CoreV1Event, V1ConfigMap, V1Namespace } from "@kubernetes/client-node";
import { phaseAt } from "../../../config/schedule.ts";
import { kubecamp } from "../commands/kubecamp.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { deploy, livingPods, served, until } from "../program/workloads.ts";
import { HeldClock, noticed } from "../support/heldClock.ts";
import { RunningWatch } from "./runningWatch.ts";

const schedule = { sleep: "0 20 * * *", wake: "0 7 * * *", timeZone: "Europe/Zurich", wakeFor: "1h" };
const ada: Entry = { member: "ada", type: "user" };
const ben: Entry = { member: "ben", type: "admin" };
const dora: Entry = { member: "dora", type: "user", schedule: "off" };

describe("kubecamp watch, of members who sleep", () => {
  // Before the stack goes: the watch would bring it up again.
  after(() => watch?.end("SIGTERM"));
  const stack = useStack("dreams");
  let clock: HeldClock;
  let watch: RunningWatch;

  const pods = (namespace: string) => livingPods(stack, namespace);
  const routes = async () => (await stack.sandbox.names("ingress", { namespace: "ingress-nginx" })).join();
  const asleep = () => watch.metric('kubecamp_members{state="asleep"}');
  /** Lines as `WokeUp: You are awake …`. */
  const events = async (member: string) =>
    (await stack.sandbox.list<CoreV1Event>("event", { namespace: member }))
      .map(({ reason, message }) => `${reason}: ${message}\n`)
      .join("");
  /** Sets the clock, and has the watch look: its timers go by the real one, and it would do so at its next heartbeat. */
  const set = async (moment: string) => {
    clock.set(moment);
    await setTimeout(noticed);
    const annotations = { "example.org/clock": moment };
    await stack.sandbox.patch("namespace", "dora", undefined, { metadata: { annotations } });
  };
  const wakes = async (namespace: string) =>
    (await stack.sandbox.list<V1ConfigMap>("configmap", { namespace })).filter(
      ({ metadata }) => metadata?.name === "wake",
    );
  /** Makes the ConfigMap by which members ask to be awake, as one of them. */
  const askToWake = (who: string, namespace = who) =>
    stack.sandbox.kubectl(["create", "configmap", "wake", "-n", namespace, "--as", `oidc:${who}`]);
  /** Lines about an action, of both sleepers. */
  const both = async (action: string, times: number) => {
    await until(async () => {
      assert.ok(watch.isAlive, watch.output);
      return ["ada", "ben"].every(
        (member) => watch.of(action).filter((line) => line.member === member).length === times,
      );
    });
  };

  before(async () => {
    await stack.makeProject();
    await stack.configure([ada, ben, dora], { schedule });
    clock = new HeldClock(stack.folder);
    clock.set("2026-11-26T19:30:00+01:00");
    await served(stack, "ada", { selector: { app: "web" } });
    watch = await RunningWatch.start(stack, clock.env);
    await watch.ready();
    await Promise.all([deploy(stack, "ada", 2), deploy(stack, "ben", 1), deploy(stack, "dora", 1)]);
    await until(async () => (await routes()) === "ada");
  });
  afterEach(function () {
    if (this.currentTest?.state === "failed") {
      console.error(watch?.output);
    }
  });

  it("tells them before, once, and nobody else", async () => {
    await set("2026-11-26T19:50:00+01:00");
    await both("told", 1);
    await until(async () =>
      /^SleepsSoon: Your pods stop at 2026-11-26 20:00 Europe\/Zurich \(in /m.test(await events("ada")),
    );
    assert.deepEqual(
      watch
        .of("told")
        .map(({ member }) => member)
        .toSorted(),
      ["ada", "ben"],
    );
    assert.doesNotMatch(await events("dora"), /SleepsSoon/);
    assert.equal(await asleep(), 0);
  });

  it("puts them to sleep in time, and tells them", async () => {
    // It falls asleep by a timer, with no change on the cluster.
    await set("2026-11-26T19:59:57+01:00");
    await both("fell asleep", 1);
    assert.deepEqual([await pods("ada"), await pods("ben"), (await pods("dora")).length], [[], [], 1]);
    // The up that says so is under way still.
    await until(async () => (await routes()) === "");
    assert.equal(await asleep(), 2);
    await until(async () =>
      (await events("ada")).includes(
        "FellAsleep: Your pods are stopped, and new ones refused: asleep since 2026-11-26 20:00, until 2026-11-27 07:00",
      ),
    );
  });

  it("wakes at once whom the platform keeps awake, and puts them back to sleep after that", async () => {
    const args = ["members", "wake", "ben", "--for", "1h", "--stack", stack.name];
    const env = { ...stack.sandbox.env, ...clock.env };
    const { exitCode, stdout, stderr } = await kubecamp(args, { cwd: stack.folder, env });
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, /^ben: awake until 2026-11-26 21:\d\d Europe\/Zurich\n/);
    await watch.reported("woke up", { member: "ben" });
    await until(async () => (await pods("ben")).length === 1);
    assert.deepEqual(await pods("ada"), []);
    await set("2026-11-26T22:00:00+01:00");
    await until(async () => watch.of("fell asleep").filter(({ member }) => member === "ben").length === 2);
    assert.deepEqual(await pods("ben"), []);
  });

  it("wakes them in the morning: pods and path are back", async () => {
    await set("2026-11-27T07:00:01+01:00");
    // Told of each once their marks are gone, which may be long after their pods are back.
    await until(async () => {
      assert.ok(watch.isAlive, watch.output);
      const woken = watch.of("woke up").map(({ member }) => member);
      return woken.toSorted().join() === "ada,ben,ben";
    });
    await until(async () => (await pods("ada")).length === 2 && (await pods("ben")).length === 1);
    await until(async () => (await routes()) === "ada");
    await until(async () => (await asleep()) === 0);
    await until(async () => (await events("ada")).includes("WokeUp: You are awake"));
    await watch.idle();
  });

  it("wakes ada when she asks, for as long as the schedule allows, and nobody at a neighbour's request", async () => {
    // The API server sets the time at which she asks, and its clock is the real one: of a request by day, the evening counts.
    const evening = eveningAfter(new Date());
    const isAwake = async () => (await pods("ada")).length === 2;
    assert.match((await askToWake("dora", "ada")).stderr, /"oidc:dora" cannot create resource "configmaps"/);
    await set(later(evening, 1));
    await until(async () => (await asleep()) === 2 && (await pods("ada")).length === 0);
    await watch.idle();
    const asked = performance.now();
    assert.equal((await askToWake("ada")).exitCode, 0);
    await until(isAwake);
    console.info(`      ada's pods were back after ${Math.round(performance.now() - asked)} ms`);
    await until(async () => (await wakes("ada")).length === 0);
    await until(async () => (await routes()) === "ada");
    // Until the run is through, falling asleep would undo its work.
    await watch.idle();
    const { metadata } = await stack.sandbox.get<V1Namespace>("namespace", "ada");
    assert.equal(metadata?.annotations?.["kubecamp.dev/awake-until"], later(evening, 60));
    await set(later(evening, 61));
    await until(async () => (await asleep()) === 2 && (await pods("ada")).length === 0);
    await watch.idle();
  });

  it("does not wake ada again in this sleep, removes what she makes anew, and tells her", async () => {
    assert.equal((await askToWake("ada")).exitCode, 0);
    await watch.reported("wake refused", { member: "ada" });
    assert.deepEqual([await wakes("ada"), await pods("ada")], [[], []]);
    await until(async () =>
      (await events("ada")).includes("WakeRefused: Your ConfigMap 'wake' was removed: you may wake for 1h once in one"),
    );
    await watch.idle();
  });

  it("is not kept busy by a large ConfigMap that stays, as ada may have none do", async () => {
    const metadata = { name: "wake", namespace: "ada", finalizers: ["example.org/kept"] };
    const kept = { apiVersion: "v1", kind: "ConfigMap", metadata, immutable: true, data: { a: "x".repeat(900_000) } };
    const create = (...flags: readonly string[]) =>
      stack.sandbox.kubectl(["create", "-f", "-", ...flags], { input: JSON.stringify(kept) });
    assert.match((await create("--as", "oidc:ada")).stderr, /finalizer/);
    const before = watch.lines.length;
    assert.equal((await create()).exitCode, 0);
    await watch.reported("wake refused", { member: "ada" }, before);
    await watch.idle();
    const ups = watch.of("up started").length;
    // A second try for what is left would come after a second.
    await setTimeout(4000);
    assert.deepEqual([watch.of("up started").length, (await wakes("ada")).length, await pods("ada")], [ups, 1, []]);
    await stack.sandbox.patch("configmap", "wake", "ada", { metadata: { finalizers: null } });
    await until(async () => (await wakes("ada")).length === 0);
  });

  it("has a run without a watch wake her, once she asked for the next night", async () => {
    assert.equal(await watch.end("SIGTERM"), 0);
    const next = new Date(eveningAfter(new Date()).getTime() + 24 * 3_600_000);
    assert.equal((await askToWake("ada")).exitCode, 0);
    clock.set(later(next, 1));
    const up = await stack.run(["up", "--yes", "--skip-preview"], clock.env, stack.folder);
    assert.equal(up.exitCode, 0, up.output);
    assert.deepEqual([await wakes("ada"), (await pods("ada")).length, await pods("ben")], [[], 2, []]);
    clock.set(later(next, 12 * 60));
    const morning = await stack.run(["up", "--yes", "--skip-preview"], clock.env, stack.folder);
    assert.equal(morning.exitCode, 0, morning.output);
  });

  it("takes none of it for a change by hand, and has nothing left to do", async () => {
    assert.deepEqual(watch.of("drift repaired"), []);
    assert.deepEqual(watch.of("not mended"), []);
    for (const name of ["ada", "ben"]) {
      const { metadata } = await stack.sandbox.get<V1Namespace>("namespace", name);
      assert.equal(metadata?.annotations?.["kubecamp.dev/slept"], undefined, name);
    }
    const { exitCode, output } = await stack.run(["preview", "--expect-no-changes"], clock.env, stack.folder);
    assert.equal(exitCode, 0, output);
  });
});

/** The next time at which sleep begins; the clocks don't change in the night after. */
function eveningAfter(now: Date): Date {
  const { until } = phaseAt(schedule, now);
  const { isAsleep, until: next } = phaseAt(schedule, new Date(until.getTime() + 1));
  return isAsleep ? until : next;
}

const later = (moment: Date, minutes: number): string => new Date(moment.getTime() + minutes * 60_000).toISOString();
