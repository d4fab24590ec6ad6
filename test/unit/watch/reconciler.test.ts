import assert from "node:assert/strict";
import { UnreadConfiguration } from "../../../runs/selectedStack.ts";
import type { UpResult } from "../../../watch/stackRunner.ts";
import { liveObject } from "../cluster/liveService.ts";
import { configuration } from "../samples.ts";
import { cancelled, FakeWatch, failed, succeeded } from "./fakes.ts";
import { closes, missing, opens } from "./schedule/simulation.ts";

const two = configuration({
  members: [
    { member: "bob", type: "user" },
    { member: "carol", type: "user" },
  ],
});
const three = configuration({ members: [...["bob", "carol", "dora"].map((member) => ({ member, type: "user" }))] });
const full = { target: undefined, refresh: true };
const mistakes = new Error(
  "The configuration of stack 'dev' has a mistake; nothing was changed.\n  x: is no setting here\nCorrect Pulumi.dev.yaml, then run again.",
);
/** Nobody runs a watch again that goes on. */
const mistakesOfWatch =
  "The configuration of stack 'dev' has a mistake; nothing was changed.\n  x: is no setting here\nCorrect Pulumi.dev.yaml.\n" +
  "The watch goes on with the last configuration without mistakes, and takes this one by itself once it is corrected.";
/** Milliseconds in which something could happen that must not: longer than all waits but the heartbeat and those for locks. */
const aWhile = 1_000;

describe("reconciling a stack", () => {
  let watch: FakeWatch;
  beforeEach(() => {
    watch = new FakeWatch(two);
  });
  afterEach(() => watch.end());

  it("runs no up, and sends no notice, before all has been seen, then a full up", async () => {
    await watch.start();
    watch.reconciler.wake();
    await watch.held.pass(aWhile);
    assert.deepEqual([watch.ups, watch.notified], [[], []]);
    assert.equal(watch.reconciler.ready(), "the cluster has not been read yet");
    watch.sync();
    await watch.held.until(() => watch.reconciler.ready() === undefined);
    assert.deepEqual(watch.ups, [full]);
    // After a full up it is read again: not all that it is made of need stand in files.
    await watch.held.until(() => watch.reads === 2);
    assert.deepEqual(watch.notified[0], ["bob", "carol"]);
  });

  it("shows the board each look, with what differs, and each up, also a failed one", async () => {
    await watch.startWell();
    watch.mends(failed);
    watch.show(opens("bob"));
    await watch.held.until(() => watch.upsOfBoard.length === 2 && watch.looks.at(-1)?.length === 0);
    assert.deepEqual(watch.upsOfBoard, ["start: succeeded", "route opens: failed"]);
    assert.ok(watch.looks.some(([one, ...others]) => one?.member === "bob" && others.length === 0));
  });

  it("runs an up of the members whom a change is about", async () => {
    await watch.startWell();
    watch.mends();
    watch.show(opens("bob"));
    await watch.held.until(() => watch.of("up ended").length === 2);
    assert.deepEqual(watch.ups, [full, { target: ["bob"], refresh: false }]);
    const [started] = watch.of("up started").slice(1);
    assert.deepEqual(
      { ...started, time: 0, pid: 0, hostname: "" },
      {
        ...{ level: "info", time: 0, pid: 0, hostname: "" },
        ...{ action: "up started", kind: "targeted", members: ["bob"], why: "route opens" },
        msg: "targeted up: route opens",
      },
    );
  });

  it("logs whether an up has left checkpoints out, and what it has cleared away", async () => {
    const names = Array.from({ length: 15 }, (_, at) => `kim-${String(at).padStart(2, "0")}`);
    watch.configuration = configuration({ members: names.map((member) => ({ member, type: "guest-user" })) });
    await watch.startWell();
    watch.mends({
      ...succeeded,
      isWrittenOnce: true,
      cleared: [{ code: "leftDeleted", object: "Namespace zoe", facts: {} }],
    });
    watch.show(...names.map(opens));
    await watch.held.until(() => watch.of("up ended").length === 2);
    watch.show(opens("kim-01"));
    await watch.held.until(() => watch.of("up ended").length === 3);
    assert.deepEqual(watch.ups.slice(1), [
      { target: names, refresh: false },
      { target: ["kim-01"], refresh: false },
    ]);
    assert.equal(watch.of("up ended")[0]?.checkpoints, undefined);
    assert.equal(watch.of("up ended")[1]?.checkpoints, "none");
    const [cleared] = watch.of("cleared");
    assert.deepEqual([cleared?.level, cleared?.code], ["warn", "leftDeleted"]);
    assert.match(String(cleared?.msg), /\n {2}Namespace zoe$/);
  });

  it("leaves a policy that it may not write to an admin after one up, and tells once while it differs", async () => {
    const object = "ValidatingAdmissionPolicy kubecamp-images-dev";
    const policy = { member: undefined, what: "changed", object } as const;
    const told = () => watch.of("left to an admin").map((line) => line.object);
    await watch.startWell();
    watch.snapshot = { ...watch.snapshot, managedObjects: new Map([[object, liveObject()]]) };
    watch.up = async () => ({ ...succeeded, leftPolicies: [object] });
    watch.show(policy);
    await watch.held.until(() => told().length === 1);
    await watch.held.pass(aWhile);
    assert.equal(watch.ups.length, 2);
    assert.deepEqual(watch.looks.at(-1), []);
    assert.deepEqual(watch.of("drift repaired"), []);
    watch.show();
    await watch.held.pass(aWhile);
    watch.show(policy);
    await watch.held.until(() => told().length === 2);
    // One that is missing is left to nobody: without it, nobody new gets access.
    watch.show({ ...policy, what: "missing" });
    await watch.held.until(() => watch.ups.length > 3);
  });

  it("runs no up in an outage, whatever seems to be missing, and goes on after that", async () => {
    await watch.startWell();
    watch.well = false;
    watch.onTrouble("the Services", new Error("connection refused"));
    watch.show(missing("bob"), opens("carol"));
    await watch.held.pass(aWhile);
    assert.equal(watch.ups.length, 1);
    assert.equal(watch.reconciler.ready(), "no answer for the Services: connection refused");
    watch.well = true;
    watch.onTrouble("the Services", undefined);
    assert.equal(watch.reconciler.ready(), undefined);
    watch.findings = [missing("bob")];
    await watch.held.until(() => watch.ups.length === 2);
    assert.deepEqual(watch.ups[1], { target: ["bob"], refresh: false });
    assert.deepEqual(
      watch.lines.filter(({ action }) => String(action).startsWith("outage")).map(({ action, what }) => [action, what]),
      [
        ["outage began", "the Services"],
        ["outage ended", "the Services"],
      ],
    );
  });

  it("ends a watch with the configuration's mistakes where there are any from the start", async () => {
    watch.configuration = mistakes;
    await assert.rejects(watch.reconciler.run(watch.stop.signal), mistakes);
    assert.deepEqual(watch.ups, []);
  });

  it("watches by the last configuration while a later one has mistakes, and tells these once", async () => {
    await watch.startWell();
    watch.mends();
    watch.configuration = mistakes;
    for (let times = 0; times < 3; times++) {
      watch.configured.expire();
      watch.reconciler.wake();
      await watch.held.until(() => !watch.configured.isStale);
    }
    const { reads } = watch;
    watch.show(closes("bob"));
    await watch.held.until(() => watch.of("up ended").length === 2);
    // A change on the cluster is no reason to read mistakes again.
    assert.equal(watch.reads, reads);
    assert.deepEqual(watch.ups[1], { target: ["bob"], refresh: false });
    assert.deepEqual(
      watch.of("configuration refused").map(({ reason }) => reason),
      [mistakesOfWatch],
    );
    assert.equal(watch.reconciler.ready(), mistakesOfWatch);
    assert.equal((await watch.metrics.configValid.get()).values[0]?.value, 0);
    // On a new day, somebody of the last one is expired.
    watch.kept = { ...two, members: two.members.map((member) => ({ ...member, standing: "expired" as const })) };
    watch.today = "2026-06-16";
    watch.reconciler.wake();
    await watch.held.until(() => watch.configured.inForce === watch.kept);
    watch.sync();
    await watch.held.until(() => watch.of("up ended").length === 3);
    assert.deepEqual(watch.ups[2], full);
    // Nobody touches a file: what it is made of may be elsewhere.
    watch.configuration = watch.kept;
    watch.skipped = 31_000;
    watch.reconciler.wake();
    await watch.held.until(() => watch.of("up ended").length === 4);
    assert.deepEqual(watch.ups[3], full);
    assert.equal(watch.reconciler.ready(), undefined);
  });

  it("takes a cluster that does not say who is in their grace for an outage, and asks again", async () => {
    watch.configuration = new UnreadConfiguration("Can't read the Namespaces yet");
    const started = watch.start();
    await watch.held.until(() => watch.of("configuration not read").length === 1);
    assert.equal(watch.reconciler.ready(), "Can't read the Namespaces yet");
    watch.configuration = two;
    watch.skipped = 31_000;
    watch.reconciler.wake();
    await started;
    watch.sync();
    await watch.held.until(() => watch.of("up ended").length === 1 && !watch.configured.isStale);
    watch.edit(new UnreadConfiguration("Can't read the Namespaces"));
    await watch.held.until(() => watch.of("configuration not read").length === 2);
    assert.equal(watch.configured.mistakes, undefined);
    assert.equal((await watch.metrics.configValid.get()).values[0]?.value, 1);
    watch.configuration = two;
    watch.skipped = 62_000;
    watch.reconciler.wake();
    await watch.held.until(() => watch.reconciler.ready() === undefined);
    await watch.held.pass(aWhile);
    assert.deepEqual([watch.of("configuration refused"), watch.ups], [[], [full]]);
    watch.show(opens("bob"));
    await watch.held.until(() => watch.of("up ended").length === 2);
  });

  it("ends a watch without a word where a stop comes while the configuration is read", async () => {
    await watch.startWell();
    const { promise, reject } = Promise.withResolvers<never>();
    watch.stop.signal.addEventListener("abort", () => reject(new UnreadConfiguration("The operation was aborted")));
    watch.configuration = promise;
    const { reads } = watch;
    watch.configured.expire();
    watch.reconciler.wake();
    await watch.held.until(() => watch.reads > reads);
    watch.stop.abort();
    await watch.ended();
    assert.deepEqual([watch.of("configuration not read"), watch.ups], [[], [full]]);
  });

  it("watches what another configuration is about, with one set of informers, and brings all up", async () => {
    await watch.startWell();
    watch.edit(three);
    await watch.held.until(() => watch.configured.inForce === three);
    watch.sync();
    await watch.held.until(() => watch.of("up ended").length === 2);
    assert.deepEqual(watch.ups, [full, full]);
    assert.deepEqual(watch.watched, [three.settings]);
  });

  it("runs a full up on a new day only if somebody's standing changes", async () => {
    await watch.startWell();
    const { reads } = watch;
    watch.configuration = structuredClone(two);
    watch.today = "2026-06-16";
    watch.reconciler.wake();
    await watch.held.until(() => watch.reads > reads);
    await watch.held.pass(aWhile);
    assert.deepEqual(watch.ups, [full]);
    watch.today = "2026-06-17";
    watch.configuration = {
      ...two,
      members: two.members.map((member) => ({ ...member, standing: "expired" as const })),
    };
    watch.reconciler.wake();
    await watch.held.until(() => watch.watched[0] !== undefined && watch.reads > reads + 1);
    watch.sync();
    await watch.held.until(() => watch.of("up ended").length === 2);
    assert.deepEqual(watch.ups, [full, full]);
  });

  it("says why the watch is not ready until the first full up succeeds, and not for later ones", async () => {
    watch.up = async () => failed;
    await watch.startWell();
    assert.equal(watch.reconciler.ready(), "no full up has succeeded yet: no such thing");
    watch.up = async () => succeeded;
    await watch.held.until(() => watch.reconciler.ready() === undefined);
    watch.up = async () => failed;
    watch.edit(three);
    await watch.held.until(() => watch.configured.inForce === three);
    watch.sync();
    await watch.held.until(() => watch.of("up ended").length === 3);
    assert.equal(watch.reconciler.ready(), undefined);
  });

  it("takes an up that throws for a failed one", async () => {
    watch.up = async () => {
      throw new Error("spawn pulumi ENOENT");
    };
    await watch.startWell();
    assert.equal(watch.of("up ended")[0]?.reason, "spawn pulumi ENOENT");
  });

  it("tells who holds the stack's lock, and waits", async () => {
    watch.up = async () => ({ outcome: "locked", by: "ann@laptop (pid 7)", locks: [] });
    await watch.start();
    watch.sync();
    await watch.held.until(() => watch.of("locked").length === 1);
    assert.equal(watch.of("locked")[0]?.by, "ann@laptop (pid 7)");
    assert.equal(watch.reconciler.ready(), "no full up has succeeded yet: locked by ann@laptop (pid 7)");
    await watch.held.pass(aWhile);
    assert.equal(watch.ups.length, 1);
  });

  it("tells a running up of the watch's stop, waits for its end, and begins no other", async () => {
    await watch.startWell();
    const { promise, resolve } = Promise.withResolvers<UpResult>();
    let signal: AbortSignal | undefined;
    watch.up = (_, given) => {
      signal = given;
      return promise;
    };
    watch.show(opens("bob"));
    await watch.held.until(() => watch.ups.length === 2);
    assert.equal(signal?.aborted, false);
    watch.stop.abort();
    assert.equal(signal?.aborted, true);
    watch.show(opens("bob"), opens("carol"));
    await watch.held.pass(aWhile);
    resolve(cancelled);
    await watch.ended();
    assert.equal(watch.ups.length, 2);
    assert.equal(await metric(watch, "cancelled"), 1);
  });

  it("counts as alive while an up makes progress, however slowly, and not while one hangs", async () => {
    await watch.startWell();
    let progress = () => {};
    watch.up = (_, signal, onProgress = progress) => {
      progress = onProgress;
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve(cancelled)));
    };
    watch.show(opens("bob"));
    await watch.held.until(() => watch.ups.length === 2);
    watch.skipped = 29 * 60_000;
    progress();
    watch.skipped = 31 * 60_000;
    assert.equal(watch.reconciler.alive(), undefined);
    watch.skipped = 60 * 60_000;
    assert.equal(watch.reconciler.alive(), "an up has made no progress for 31 minutes");
  });

  it("compares again when somebody falls asleep, and not only at the heartbeat", async () => {
    const schedule = { sleep: "0 20 * * *", wake: "0 7 * * *" };
    await watch.end();
    watch = new FakeWatch(configuration({ members: [{ member: "bob", type: "user", schedule }] }));
    watch.began = Date.parse("2026-11-26T19:59:59.700Z");
    const seen: (string | undefined)[] = [];
    watch.onPlan = ({ members: [bob] }) => seen.push(bob?.member.standing);
    await watch.startWell();
    assert.deepEqual([...new Set(seen)], ["active"]);
    await watch.held.until(() => seen.at(-1) === "asleep");
    assert.ok(watch.held.now < 10_000);
  });
});

const metric = async ({ metrics }: FakeWatch, result: string) =>
  (await metrics.ups.get()).values.find(({ labels }) => labels.kind === "targeted" && labels.result === result)?.value;
