import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type {
  V1DaemonSet,
  V1Deployment,
  V1Ingress,
  V1Namespace,
  V1ReplicaSet,
  V1StatefulSet,
} from "@kubernetes/client-node";
import { repository } from "../../../../scaffold/sandbox/paths.ts";
import { kubecamp } from "../../commands/kubecamp.ts";
import { HeldClock } from "../../support/heldClock.ts";
import type { CommandResult } from "../../support/sandbox.ts";
import { type Caller, signedIn } from "../../support/signIn/signedIn.ts";
import { type Entry, type Run, useStack } from "../stack.ts";
import { touchedBy } from "../touched.ts";
import { deploy, livingPods, rolledOut, scale, served, until } from "../workloads.ts";

const schedule = { sleep: "0 20 * * *", wake: "0 7 * * *", timeZone: "Europe/Zurich" };
const ada: Entry = { member: "ada", type: "user", maxCPUm: 2000, maxMemoryMiB: 2048 };
/** Without a quota by day. */
const ben: Entry = { member: "ben", type: "admin" };
const cleo: Entry = { member: "cleo", type: "user", suspended: true };
const dora: Entry = { member: "dora", type: "user", schedule: "off" };
const text = "asleep since 2026-11-26 20:00, until 2026-11-27 07:00 Europe/Zurich";

/** A page on the paths of who is asleep, of an admin's own, on the members' host. */
const page = readFileSync(join(repository, "deploy/asleep.yaml"), "utf8").replaceAll("apps.example.org", "camp.test");

const falling = [
  "create kubernetes:core/v1:ResourceQuota ben/quota",
  "delete kubernetes:core/v1:Service ada/route/service",
  "delete kubernetes:networking.k8s.io/v1:Ingress ada/route/ingress",
  "update kubernetes:core/v1:Namespace ada/namespace",
  "update kubernetes:core/v1:Namespace ben/namespace",
  "update kubernetes:core/v1:ResourceQuota ada/quota",
];
const rising = falling
  .map((step) => step.replace(/^(create|delete)/, (word) => (word === "create" ? "delete" : "create")))
  .sort();

describe("a member who sleeps", () => {
  const stack = useStack("nights");
  const pods = (namespace: string) => livingPods(stack, namespace);
  const adas = <T extends object>(kind: string, name: string) => stack.sandbox.get<T>(kind, name, "ada");
  const mark = async (member: string) =>
    (await stack.sandbox.get<V1Namespace>("namespace", member)).metadata?.annotations?.["kubecamp.dev/slept"] ?? "";
  const ingresses = () => stack.sandbox.names("ingress", { namespace: "ingress-nginx" });
  let clock: HeldClock;
  let user: Caller;
  let applied: CommandResult;
  let first: Run;

  const up = async (...flags: string[]): Promise<Run> => {
    const run = await stack.run(["up", "--yes", "--skip-preview", ...flags], clock.env);
    assert.equal(run.exitCode, 0, run.output);
    return run;
  };
  /** Waits for the pods of a Deployment, a StatefulSet, a DaemonSet and a ReplicaSet: 3, 2, 1 on each node, and 1. */
  const isBack = async () => {
    const [{ status: web }, { status: db }, { status: agents }, { status: bare }] = await Promise.all([
      adas<V1Deployment>("deployment", "web"),
      adas<V1StatefulSet>("statefulset", "db"),
      adas<V1DaemonSet>("daemonset", "agent"),
      adas<V1ReplicaSet>("replicaset", "bare"),
    ]);
    const isReady = web?.readyReplicas === 3 && db?.readyReplicas === 2 && bare?.readyReplicas === 1;
    return isReady && (agents?.numberReady ?? 0) > 0;
  };

  before(async () => {
    clock = new HeldClock(stack.folder);
    clock.set("2026-11-26T12:00:00+01:00");
    await stack.configure([ada, ben, cleo, dora], { schedule });
    await served(stack, "ada", { selector: { app: "web" } });
    // kubectl warns of a Deployment whose pods would be refused.
    applied = await stack.sandbox.kubectl(["apply", "--validate=strict", "-f", "-"], { input: page });
    first = await up();
    assert.doesNotMatch(first.output, /asleep/);
    user = await signedIn(stack.sandbox, { sub: "ada" });
    await Promise.all([deploy(stack, "ada", 2), deploy(stack, "ben", 1), deploy(stack, "dora", 1)]);
    const podsOf = (app: string) => ({
      selector: { matchLabels: { app } },
      template: { metadata: { labels: { app } }, spec: { containers: [{ name: app, image: app }] } },
    });
    const metadata = (name: string) => ({ name, namespace: "ada" });
    await stack.sandbox.apply(
      {
        apiVersion: "apps/v1",
        kind: "StatefulSet",
        metadata: metadata("db"),
        spec: { replicas: 2, serviceName: "db", ...podsOf("db") },
      },
      { apiVersion: "apps/v1", kind: "DaemonSet", metadata: metadata("agent"), spec: podsOf("agent") },
      {
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        metadata: metadata("bare"),
        spec: { replicas: 1, ...podsOf("bare") },
      },
    );
    await scale(stack, "ada", 3);
    await until(isBack);
  });

  after(() => stack.sandbox.kubectl(["delete", "--ignore-not-found", "-f", "-"], { input: page }));

  it("has the page of deploy/asleep.yaml on the same host, which runs leave alone", async () => {
    assert.deepEqual([applied.exitCode, applied.stderr], [0, ""]);
    await rolledOut(stack, "members-asleep", "page");
    assert.doesNotMatch(first.output, /members-asleep|is the address of/);
    const rules = (await stack.sandbox.list<V1Ingress>("ingress")).flatMap(({ spec }) => spec?.rules ?? []);
    assert.deepEqual(
      rules.map(({ host, http }) => [host, ...(http?.paths ?? []).map(({ path }) => path)]),
      [
        ["camp.test", "/ada"],
        ["camp.test", "/"],
      ],
    );
  });

  it("is announced by a preview, which stops nothing", async () => {
    clock.set("2026-11-26T20:00:30+01:00");
    const running = await pods("ada");
    const touched = await touchedBy(stack, async () => {
      const { exitCode, output } = await stack.run(["preview"], clock.env);
      assert.equal(exitCode, 0, output);
      assert.match(output, /\[asleep\] ada, ben: asleep since 2026-11-26 20:00, until 2026-11-27 07:00 Europe\/Zurich/);
      assert.match(output, /without it, the next 'pulumi up'\s+after that does/);
      assert.match(output, /'pulumi up' stops their pods: ada \(\d+ pods\), ben \(1 pod\)/);
    });
    assert.deepEqual(touched, []);
    assert.deepEqual(await pods("ada"), running);
  });

  it("loses pods and path with one up, and nobody else loses any; the keys are not touched", async () => {
    const neighbours = await pods("dora");
    const { steps } = await up();
    assert.deepEqual([...steps].sort(), falling);
    assert.deepEqual([await pods("ada"), await pods("ben")], [[], []]);
    assert.deepEqual(await pods("dora"), neighbours);
    assert.deepEqual(await ingresses(), []);
    assert.deepEqual(
      [await mark("ada"), await mark("ben"), await mark("cleo")],
      ["2026-11-26T19:00:00.000Z", "2026-11-26T19:00:00.000Z", ""],
    );
  });

  it("lists, changes and makes what is theirs by night, except pods", async () => {
    const listed = await user.ask("GET", "/apis/apps/v1/namespaces/ada/deployments");
    assert.equal(listed.status, 200);
    const pod = {
      kind: "Pod",
      apiVersion: "v1",
      metadata: { name: "own" },
      spec: { containers: [{ name: "c", image: "c" }] },
    };
    const refused = await user.ask("POST", "/api/v1/namespaces/ada/pods", pod);
    assert.equal(refused.status, 403);
    assert.match(
      JSON.stringify(refused.body),
      /exceeded quota: quota, requested: pods=1, used: pods=0, limited: pods=0/,
    );
    // An autoscaler or GitOps does the same.
    await stack.kubectl("annotate", "deployment/web", "-n", "ada", "example.org/own=kept", "--as", "oidc:ada");
    const made = await user.ask("POST", "/api/v1/namespaces/ada/configmaps", { metadata: { name: "at-night" } });
    assert.equal(made.status, 201);
  });

  it("is in the outputs and in the list of members; a suspended one stays suspended", async () => {
    const { members } = (await stack.outputs()) as { members: Record<string, unknown> };
    assert.deepEqual(members.ada, { type: "user", namespace: "ada", state: "asleep", reason: text });
    assert.deepEqual(members.cleo, { type: "user", namespace: "cleo", state: "suspended", reason: "suspended" });
    const { stdout } = await kubecamp(["members", "--stack", stack.name, "-o", "json"], { env: stack.sandbox.env });
    const listed = JSON.parse(stdout) as { member: string; state: string; reason: string | null }[];
    assert.deepEqual(
      listed.map(({ member, state }) => `${member} ${state}`),
      ["ada asleep", "ben asleep", "cleo suspended", "dora pending"],
    );
    assert.equal(listed[0]?.reason, text);
  });

  it("is kept awake by a command, and sleeps again after that", async () => {
    clock.set("2026-11-27T03:00:00+01:00");
    const wake = (...args: string[]) =>
      kubecamp(["members", "wake", ...args, "--stack", stack.name], { cwd: stack.folder, env: stack.sandbox.env });
    const { stdout, exitCode } = await wake("ben", "--for", "2h");
    assert.equal(exitCode, 0);
    assert.match(stdout, /^ben: awake until \d{4}-.* Europe\/Zurich\nWith kubecamp watch, this takes effect at once/);
    // The command goes by the real clock, and the runs here by the test's.
    const annotations = { "kubecamp.dev/awake-until": "2026-11-27T04:00:00Z" };
    await stack.sandbox.patch("namespace", "ben", undefined, { metadata: { annotations } });
    const { steps, output } = await up();
    assert.deepEqual(
      steps.toSorted(),
      rising.filter((step) => step.includes("ben/")),
    );
    // Whatever ada has changed meanwhile.
    assert.doesNotMatch(output, /stops their pods|Changed by hand|sleepUnsettled/);
    await until(async () => (await pods("ben")).length === 1);
    assert.equal(await mark("ben"), "");
    assert.deepEqual(await pods("ada"), []);
    clock.set("2026-11-27T05:00:30+01:00");
    assert.deepEqual(
      (await up()).steps.toSorted(),
      falling.filter((step) => step.includes("ben/")),
    );
    assert.deepEqual(await pods("ben"), []);
  });

  it("finds everything as they left it in the morning, and what they made by night", async () => {
    clock.set("2026-11-27T07:00:30+01:00");
    assert.deepEqual((await up()).steps.toSorted(), rising);
    assert.deepEqual([await mark("ada"), await mark("ben")], ["", ""]);
    await until(async () => (await isBack()) && (await pods("ben")).length === 1);
    const { metadata, spec } = await adas<V1Deployment>("deployment", "web");
    assert.deepEqual([spec?.replicas, metadata?.annotations?.["example.org/own"]], [3, "kept"]);
    await adas("configmap", "at-night");
    assert.deepEqual(await ingresses(), ["ada"]);
  });
});
