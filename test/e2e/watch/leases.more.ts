import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import type { CoreV1Event, V1RoleBinding } from "@kubernetes/client-node";
import { kubecamp } from "../commands/kubecamp.ts";
import { inside } from "../isolation/hostile/attempt.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { until } from "../program/workloads.ts";
import { HeldClock, noticed } from "../support/heldClock.ts";
import { assertRefused, type Caller, signedIn } from "../support/signIn/signedIn.ts";
import { RunningWatch } from "./runningWatch.ts";

const labels = { course: "cs101" };
const ada: Entry = { member: "ada", type: "user", route: false, labels };
const bob: Entry = { member: "bob", type: "user", route: false };
const strategic = "application/strategic-merge-patch+json";
const hour = 3_600_000;

describe("leases of staff", () => {
  // Before the stack goes: the watch would bring it up again.
  after(() => watch?.end("SIGTERM"));
  const stack = useStack("lends");
  let clock: HeldClock;
  let watch: RunningWatch | undefined;
  let tom: Caller;
  let vera: Caller;
  let ends: Date;

  const run = async (...args: string[]) => {
    const env = { ...stack.sandbox.env, ...clock.env };
    const all = [...args, "--stack", stack.name];
    const { exitCode, stdout, stderr } = await kubecamp(all, { cwd: stack.folder, env });
    assert.equal(exitCode, 0, stdout + stderr);
    return stdout;
  };
  const grant = async (...args: string[]) => {
    const given = await run("staff", "grant", ...args, "--over", "course=cs101", "-o", "json");
    return new Date(JSON.parse(given).entry.until);
  };
  const pods = async (who: Caller, namespace: string) => (await who.ask("GET", inside(namespace, "pods"))).status;
  const forwards = async (who: Caller) => (await who.ask("POST", inside("ada", "pods/none/portforward"))).status;
  const bindings = () => stack.sandbox.names("rolebinding", { namespace: "ada" });
  /** Sets the clock, and has the watch look: its timers go by the real one. */
  const set = async (moment: Date) => {
    clock.set(moment.toISOString());
    await setTimeout(noticed);
    const annotations = { "example.org/clock": moment.toISOString() };
    await stack.sandbox.patch("namespace", "bob", undefined, { metadata: { annotations } });
  };

  before(async () => {
    await stack.makeProject();
    clock = new HeldClock(stack.folder);
    clock.set("2026-11-30T12:00:00Z");
    await stack.configure([ada, bob], { staff: [{ subject: "vera", role: "view", over: { labels } }] });
    tom = await signedIn(stack.sandbox, { sub: "tom", groups: ["ta-cs101"] });
    vera = await signedIn(stack.sandbox, { sub: "vera", groups: [] });
    watch = await RunningWatch.start(stack, clock.env);
    await watch.ready();
  });
  afterEach(function () {
    if (this.currentTest?.state === "failed") {
      console.error(watch?.output);
    }
  });

  it("give access that a command has written into the stack's file, and tell whose it is and until when", async () => {
    assert.deepEqual([await pods(tom, "ada"), await pods(vera, "ada"), await forwards(vera)], [403, 200, 403]);
    await grant("vera", "--subject", "--role", "assist", "--for", "4h");
    ends = await grant("ta-cs101", "--role", "edit", "--for", "4h", "--reason", "exam week");
    await until(async () => (await pods(tom, "ada")) === 200 && (await forwards(vera)) !== 403);
    assert.equal(await pods(tom, "bob"), 403);
    const { metadata } = await stack.sandbox.get<V1RoleBinding>("rolebinding", "kubecamp:staff-edit", "ada");
    const lease = `group oidc:ta-cs101 until ${ends.toISOString().slice(0, 16)}Z, exam week`;
    assert.equal(metadata?.annotations?.["kubecamp.dev/staff-until"], lease);
    await until(async () => {
      const events = await stack.sandbox.list<CoreV1Event>("event", { namespace: "ada" });
      return events.some(({ reason, message }) => reason === "StaffEnds" && message?.includes("group oidc:ta-cs101"));
    });
    await watch?.idle();
  });

  it("are extended by nobody who holds one, not even with edit", async () => {
    const later = { "kubecamp.dev/staff-until": "group oidc:ta-cs101 until 2099-12-31" };
    const body = { metadata: { annotations: later } };
    for (const path of [
      inside("ada", "rolebindings/kubecamp:staff-edit"),
      inside("ada", "rolebindings/kubecamp-edit"),
      inside("ada", "roles/kubecamp-edit"),
      "/api/v1/namespaces/ada",
    ]) {
      assertRefused(await tom.ask("PATCH", path, body, strategic), /cannot patch resource/);
    }
    const apiGroup = "rbac.authorization.k8s.io";
    const own = {
      metadata: { name: "own" },
      roleRef: { apiGroup, kind: "Role", name: "kubecamp-edit" },
      subjects: [{ apiGroup, kind: "User", name: "oidc:tom" }],
    };
    assertRefused(await tom.ask("POST", inside("ada", "rolebindings"), own), /cannot create resource/);
  });

  it("end to the minute while the watch runs, down to what somebody has without an end", async () => {
    await set(new Date(ends.getTime() - 3_000));
    assert.equal(await pods(tom, "ada"), 200);
    await watch?.reported("staff ended", { member: "ada" });
    await until(async () => (await pods(tom, "ada")) === 403);
    await until(async () => (await forwards(vera)) === 403);
    await until(async () => (await bindings()).join(" ") === "kubecamp-edit kubecamp:staff-view");
    assert.equal(await pods(vera, "ada"), 200);
    await watch?.idle();
    assert.deepEqual([watch?.of("drift repaired"), watch?.of("not mended")], [[], []]);
    assert.equal(await watch?.end("SIGTERM"), 0);
  });

  it("are named once they are over, and stop nothing", async () => {
    const { exitCode, output } = await stack.run(["preview", "--expect-no-changes"], clock.env, stack.folder);
    assert.equal(exitCode, 0, output);
    const { stdout } = await kubecamp(["members", "check"], { cwd: stack.folder, env: clock.env });
    for (const text of [output, stdout]) {
      assert.match(text, /staff\[1\]\.until:? is over \(.*\): remove the entry/);
    }
  });

  it("end by any run, extended by a second grant and told in the report", async () => {
    const end = await grant("ta-cs101", "--role", "edit", "--for", "1h", "--reason", "one more hour");
    assert.match(await run("report"), /group oidc:ta-cs101 \(until \S+Z, one more hour\)/);
    await run("up");
    assert.equal(await pods(tom, "ada"), 200);
    clock.set(new Date(end.getTime() + hour).toISOString());
    await setTimeout(noticed);
    await run("up");
    assert.equal(await pods(tom, "ada"), 403);
    assert.deepEqual(await bindings(), ["kubecamp-edit", "kubecamp:staff-view"]);
  });
});
