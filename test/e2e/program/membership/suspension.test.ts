import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CoreV1Event, V1Deployment, V1Ingress, V1Namespace, V1ResourceQuota } from "@kubernetes/client-node";
import { repository } from "../../../../sandbox/paths.ts";
import { kubecamp } from "../../commands/kubecamp.ts";
import { HeldClock } from "../../support/heldClock.ts";
import { signedIn } from "../../support/signIn/signedIn.ts";
import { assertSays, refusedInProcess, warningsOf } from "../inProcess.ts";
import type { LiveObject } from "../inventory.ts";
import { type Entry, type Run, useStack } from "../stack.ts";
import { touchedBy } from "../touched.ts";
import { deploy, hasNamespace, livingPods, objectsNamed, rolledOut, served, setLeaves, until } from "../workloads.ts";
import { hangOn } from "./hanging.ts";

const rbac = "kubernetes:rbac.authorization.k8s.io/v1:";
const off = { schedule: "off" };
/** They are suspended. */
const gus: Entry = { member: "gus", type: "user", protect: true, ...off };
const hal: Entry = { member: "hal", type: "admin", ...off };
/** A neighbour, who expires at last. */
const ivy: Entry = { member: "ivy", type: "user", ...off };
/** They sleep; ben has no quota by day. */
const ada: Entry = { member: "ada", type: "user", maxCPUm: 2000, maxMemoryMiB: 2048 };
const ben: Entry = { member: "ben", type: "admin" };
/** They leave: bob for a grace, kay at once. */
const bob: Entry = { member: "bob", type: "user", subject: "bob@example.org", maxCPUm: 900, ...off };
const kay: Entry = { member: "kay", type: "user", ...off };
const everybody = [ada, ben, bob, gus, hal, ivy, kay];
const down = [ada, ben, { ...gus, suspended: true }, { ...hal, suspended: true }, ivy, kay];

const schedule = { sleep: "0 20 * * *", wake: "0 7 * * *", timeZone: "UTC" };
const settings = (offboarding: object = {}) => ({ schedule, offboarding: { graceDays: 30, ...offboarding } });
const [today, tomorrow] = [day(0), day(1)];

/** Steps that take away what a member has, as of `gus delete`. */
const closed = (name: string) => [
  `delete ${rbac}ClusterRoleBinding ${name}/others/view`,
  `delete ${rbac}RoleBinding ${name}/binding/edit`,
  `update kubernetes:core/v1:Namespace ${name}/namespace`,
  `update ${rbac}Role ${name}/role/edit`,
];
const unrouted = (name: string) => [
  `delete kubernetes:core/v1:Service ${name}/route/service`,
  `delete kubernetes:networking.k8s.io/v1:Ingress ${name}/route/ingress`,
];
const quota = (operation: string, name: string) => `${operation} kubernetes:core/v1:ResourceQuota ${name}/quota`;
const falling = [
  ...["bob", "gus", "hal"].flatMap(closed),
  ...["ada", "bob", "gus"].flatMap((name) => [...unrouted(name), quota("update", name)]),
  ...["ben", "hal"].map((name) => quota("create", name)),
  ...["ada", "ben"].map((name) => `update kubernetes:core/v1:Namespace ${name}/namespace`),
].sort();
/** The reverse of `falling`, except for steps that update both times. */
const rising = falling
  .map((step) => step.replace(/^(create|delete)/, (word) => (word === "create" ? "delete" : "create")))
  .sort();
const isBens = (step: string) => step.includes(" ben/");

/** A page on the paths of who is asleep, of an admin's own, on the members' host. */
const page = readFileSync(join(repository, "deploy/asleep.yaml"), "utf8")
  .replaceAll("apps.example.org", "camp.test")
  .replace("ingressClassName: traefik", "ingressClassName: nginx");

describe("members who may run nothing: suspended, asleep, or no longer in the list", () => {
  const stack = useStack("rest");
  let clock: HeldClock;
  const pods = (namespace: string) => livingPods(stack, namespace);
  const podsOf = (...namespaces: string[]) => Promise.all(namespaces.map(pods));
  const may = (user: string, verb: string, resource: string, namespace: string) =>
    stack.sandbox.may(`oidc:${user}`, verb, resource, namespace);
  const names = (kind: string, namespace: string) => stack.sandbox.names(kind, { namespace });
  const hard = async (namespace: string) =>
    (await stack.sandbox.get<V1ResourceQuota>("resourcequota", "quota", namespace)).spec?.hard ?? {};
  const home = async (name: string) => (await stack.sandbox.get<V1Namespace>("namespace", name)).metadata;
  const leaves = async () => (await home("bob"))?.labels?.["kubecamp.dev/leaves"];
  const slept = async (name: string) => (await home(name))?.annotations?.["kubecamp.dev/slept"] ?? "";
  const statuses = async () => ((await stack.outputs()) as { members: Record<string, unknown> }).members;
  const bobsUrns = async () => (await stack.urns()).filter((urn) => /::bob(\/|$)/.test(urn)).sort();
  /** UIDs of the members' own objects, which have to stay. */
  const namespaceContents = async () => {
    const gus = ["persistentvolumeclaim/data", "secret/key", "deployment/web", "service/gus-svc", "pod/finished"];
    const bob = ["persistentvolumeclaim/data", "deployment/web", "service/bob-svc", "namespace/bob"];
    const own = await Promise.all([objectsNamed(stack, "gus", ...gus), objectsNamed(stack, "bob", ...bob)]);
    return own.flat().map(({ metadata }) => metadata.uid);
  };
  const run = async (...args: string[]): Promise<Run> => {
    const result = await stack.run(args, clock.env);
    assert.equal(result.exitCode, 0, result.output);
    return result;
  };
  const up = (...flags: string[]) => run("up", "--yes", "--skip-preview", ...flags);
  const command = async (...args: string[]) => {
    const env = { ...stack.sandbox.env, ...clock.env };
    const { exitCode, stdout, stderr } = await kubecamp([...args, "--stack", "rest"], { cwd: stack.folder, env });
    assert.equal(exitCode, 0, stdout + stderr);
    return stdout + stderr;
  };
  let theirs: unknown[];
  let neighbours: string[];
  let known: string[];
  let leavesOn: string | undefined;

  before(async () => {
    clock = new HeldClock(stack.folder);
    clock.set(`${today}T12:00:00Z`);
    await stack.makeProject();
    await stack.configure(everybody, settings());
    for (const name of ["ada", "bob", "gus"]) {
      await served(stack, name, { selector: { app: "web" } });
    }
    // kubectl warns of a Deployment whose pods would be refused.
    const applied = await stack.sandbox.kubectl(["apply", "--validate=strict", "-f", "-"], { input: page });
    assert.deepEqual([applied.exitCode, applied.stderr], [0, ""]);
    const { output } = await up();
    assert.doesNotMatch(output, /asleep|is the address of/);
    const claim = (namespace: string) => ({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "data", namespace },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "100Mi" } } },
    });
    const metadata = (name: string) => ({ name, namespace: "gus" });
    await stack.sandbox.apply(
      { apiVersion: "v1", kind: "Secret", metadata: metadata("key"), stringData: { key: "value" } },
      claim("gus"),
      claim("bob"),
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: metadata("finished"),
        spec: { restartPolicy: "Never", containers: [{ name: "job", image: "job" }] },
      },
      ...adasWorkloads,
    );
    await stack.kubectl("wait", "pod/finished", "-n", "gus", "--for=condition=Ready", "--timeout=60s");
    const phase = JSON.stringify({ status: { phase: "Succeeded" } });
    await stack.kubectl("patch", "pod", "finished", "-n", "gus", "--subresource=status", "--type=merge", "-p", phase);
    await hangOn(stack, "gus", "rolebinding/kubecamp-edit");
    await stack.kubectl("label", "namespace", "gus", "istio-injection=enabled");
    await stack.kubectl("annotate", "namespace", "gus", "example.org/project=p-1");
    const others = ["ben", "bob", "hal", "ivy"];
    await Promise.all([
      deploy(stack, "gus", 2),
      deploy(stack, "ada", 3),
      ...others.map((name) => deploy(stack, name, 1)),
    ]);
    await until(adaIsBack);
    theirs = await namespaceContents();
    neighbours = await pods("ivy");
    known = await bobsUrns();
  });
  after(() => stack.sandbox.kubectl(["delete", "--ignore-not-found", "-f", "-"], { input: page }));

  /** Waits for the pods of a Deployment, a StatefulSet, a DaemonSet and a ReplicaSet: 3, 2, 1 on each node, and 1. */
  const adaIsBack = async () => {
    const all = ["deployment/web", "statefulset/db", "replicaset/bare", "daemonset/agent"];
    const found = (await objectsNamed(stack, "ada", ...all)).map(({ status }) => Object(status));
    const [web, db, bare, agents] = found;
    return web.readyReplicas === 3 && db.readyReplicas === 2 && bare.readyReplicas === 1 && agents.numberReady > 0;
  };

  it("leaves the page of deploy/asleep.yaml on the members' host alone", async () => {
    await rolledOut(stack, "members-asleep", "page");
    const rules = (await stack.sandbox.list<V1Ingress>("ingress")).flatMap(({ spec }) => spec?.rules ?? []);
    assert.deepEqual(
      rules.map(({ host, http }) => [host, ...(http?.paths ?? []).map(({ path }) => path)]),
      ["/ada", "/bob", "/gus", "/"].map((path) => ["camp.test", path]),
    );
  });

  it("previews who is suspended, sleeps and leaves, stops nothing, and counts who leaves", async () => {
    await stack.configure(down, settings({ maxRemovals: 0 }));
    await refusedInProcess(stack, ["1 member is no longer in the list; a run may suspend none"]);
    clock.set(`${today}T20:00:30Z`);
    await stack.configure(down, settings());
    const stopped = ["ada", "ben", "bob", "gus", "hal"];
    const running = await podsOf(...stopped);
    const touched = await touchedBy(stack, async () => {
      const { output, steps } = await run("preview");
      assertSays(output, [
        `ada, ben: asleep since ${today} 20:00, until ${tomorrow} 07:00 UTC`,
        /stops their pods: ada \(8 pods\), ben \(1 pod\), gus \(2 pods\), hal \(1 pod\), bob \(1 pod\)\n/,
        `a run deletes everything of theirs on the day or later: bob (${day(30)}).`,
        "ends their access and closes their route: gus, hal, bob (left the list)",
      ]);
      assert.deepEqual(steps.toSorted(), falling);
    });
    assert.deepEqual(touched, []);
    assert.deepEqual(await podsOf(...stopped), running);
  });

  it("ends routes and pods with one up, and access of all but sleepers, whatever hangs on it", async () => {
    const { steps } = await up();
    assert.deepEqual(steps.toSorted(), falling);
    assert.deepEqual(await names("rolebinding", "gus"), []);
    assert.deepEqual([await names("ingress", "ingress-nginx"), await names("service", "ingress-nginx")], [[], []]);
    for (const user of ["gus", "hal"]) {
      assert.equal(await may(user, "list", "pods", user), false);
      assert.equal(await may(user, "list", "pods", "ivy"), false);
    }
    const { pods: podsOfGus, "count/jobs.batch": jobsOfGus } = await hard("gus");
    assert.deepEqual([podsOfGus, jobsOfGus, (await hard("bob"))["limits.cpu"]], ["0", "0", "900m"]);
    assert.deepEqual(await hard("hal"), { pods: "0", "count/jobs.batch": "0" });
    const since = `${today}T20:00:00.000Z`;
    assert.deepEqual([await slept("ada"), await slept("ben"), await slept("gus")], [since, since, ""]);
    leavesOn = await leaves();
    assert.equal(leavesOn, day(30));
    assert.equal((await home("bob"))?.labels?.["kubecamp.dev/standing"], "suspended");
  });

  it("keeps members without pods and new Jobs for as long as that lasts", async () => {
    const refused = { namespace: "gus", fieldSelector: "reason=FailedCreate" };
    const refusals = async () =>
      (await stack.sandbox.list<CoreV1Event>("event", refused)).map(({ message }) => message).join(" ");
    // The first tries may come before the quota has counted the stopped pods out.
    const refusal = /exceeded quota: quota, requested: pods=1, used: pods=0, limited: pods=0/;
    await until(async () => refusal.test(await refusals()));
    const spec = { template: { spec: { restartPolicy: "Never", containers: [{ name: "job", image: "job" }] } } };
    for (const namespace of ["gus", "hal"]) {
      const input = JSON.stringify({
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: "more", namespace },
        spec,
      });
      const { stderr } = await stack.sandbox.kubectl(["create", "--dry-run=server", "-f", "-"], { input });
      assert.match(stderr, /exceeded quota: quota, requested: count\/jobs.batch=1, .*limited: count\/jobs.batch=0/);
    }
    assert.deepEqual(await podsOf("ada", "ben", "bob", "gus", "hal"), [[], [], [], [], []]);
  });

  it("keeps suspended members' own objects and finished pods, and disturbs nobody else", async () => {
    assert.deepEqual(await namespaceContents(), theirs);
    const [home] = await stack.sandbox.list<LiveObject>("namespace", { fieldSelector: "metadata.name=gus" });
    const { labels = {}, annotations = {} } = home?.metadata ?? {};
    assert.deepEqual([labels["istio-injection"], annotations["example.org/project"]], ["enabled", "p-1"]);
    assert.equal((await stack.sandbox.get<V1Deployment>("deployment", "web", "gus")).spec?.replicas, 2);
    assert.deepEqual(await pods("ivy"), neighbours);
  });

  it("lets sleeping members list, change and make their objects, except pods", async () => {
    const user = await signedIn(stack.sandbox, { sub: "ada" });
    assert.equal((await user.ask("GET", "/apis/apps/v1/namespaces/ada/deployments")).status, 200);
    const pod = { metadata: { name: "own" }, spec: { containers: [{ name: "c", image: "c" }] } };
    const refused = await user.ask("POST", "/api/v1/namespaces/ada/pods", pod);
    assert.equal(refused.status, 403);
    assert.match(JSON.stringify(refused.body), /exceeded quota: quota, requested: pods=1/);
    // An autoscaler or GitOps does the same.
    await stack.kubectl("annotate", "deployment/web", "-n", "ada", "example.org/own=kept", "--as", "oidc:ada");
    const made = await user.ask("POST", "/api/v1/namespaces/ada/configmaps", { metadata: { name: "at-night" } });
    assert.equal(made.status, 201);
  });

  it("says in outputs and the list of members who is suspended, asleep or leaving, and why", async () => {
    const rests = (namespace: string, type: string, reason: string, state = "suspended") => ({
      ...{ type, namespace, state, reason },
    });
    const asleep = `asleep since ${today} 20:00, until ${tomorrow} 07:00 UTC`;
    const { ada, bob, gus, hal } = await statuses();
    assert.deepEqual(
      { ada, bob, gus, hal },
      {
        ada: rests("ada", "user", asleep, "asleep"),
        bob: rests("bob", "user", `leaving, removed on ${leavesOn}`),
        gus: rests("gus", "user", "suspended"),
        hal: rests("hal", "admin", "suspended"),
      },
    );
    const listed = JSON.parse(await command("members", "-o", "json")) as { member: string; state: string }[];
    assert.deepEqual(
      listed.map(({ member, state }) => `${member} ${state}`),
      [
        ...["ada asleep", "ben asleep", "bob suspended", "gus suspended", "hal suspended"],
        ...["ivy pending", "kay pending"],
      ],
    );
  });

  it("finds nothing more to change, stop or warn of, and keeps a leaver's name from others", async () => {
    const { output } = await up("--expect-no-changes");
    assert.doesNotMatch(output, /podsStop|stops their pods|Deleted by hand|Changed by hand|below what is used/);
    assertSays(await command("up"), ["rest: unchanged"]);
    await stack.configure([...down, { ...bob, subject: "eve@example.org" }], settings());
    await refusedInProcess(stack, [
      `"eve@example.org" is another person than 'bob@example.org', who left the list as 'bob' and has the namespace until ${leavesOn}`,
    ]);
    await stack.configure(down, settings());
  });

  it("wakes one member alone by a command, for as long as it says", async () => {
    clock.set(`${tomorrow}T03:00:00Z`);
    assert.match(await command("members", "wake", "ben", "--for", "2h"), /^ben: awake until .* UTC\n/);
    const { steps, output } = await up();
    assert.deepEqual(steps.toSorted(), rising.filter(isBens));
    // Whatever ada has changed meanwhile.
    assert.doesNotMatch(output, /stops their pods|Changed by hand|sleepUnsettled/);
    await until(async () => (await pods("ben")).length === 1);
    assert.deepEqual([await slept("ben"), await pods("ada")], ["", []]);
  });

  it("gives all back with one up, access after the guard rails, and what was made by night", async () => {
    clock.set(`${tomorrow}T07:00:30Z`);
    // Their pods are refused also afterwards, or a controller could make them by itself before the run looks.
    const labels = { app: "former" };
    const containers = [{ name: "web", image: "web" }];
    const template = { metadata: { labels }, spec: { serviceAccountName: "absent", containers } };
    const workload = (apiVersion: string, kind: string, namespace: string, selector: object) => ({
      apiVersion,
      kind,
      metadata: { name: "former", namespace },
      spec: { selector, template },
    });
    const formers = [
      workload("v1", "ReplicationController", "gus", labels),
      ...["gus", "hal"].map((user) => workload("apps/v1", "ReplicaSet", user, { matchLabels: labels })),
    ];
    await stack.sandbox.apply(...formers);
    await stack.configure(everybody, settings());
    const { steps, output } = await up();
    assert.doesNotMatch(output, /Deleted by hand|Changed by hand|podsStop|stops their pods|backLater/);
    assert.deepEqual(
      steps.toSorted(),
      rising.filter((step) => !isBens(step)),
    );
    const at = (step: string) => steps.indexOf(step);
    assert.ok(at(quota("update", "gus")) < at(`create ${rbac}RoleBinding gus/binding/edit`));
    assert.ok(at(quota("update", "gus")) < at(`create ${rbac}ClusterRoleBinding gus/others/view`));
    assert.equal(await may("gus", "create", "deployments.apps", "gus"), true);
    assert.equal(await may("hal", "list", "pods", "ivy"), true);
    assert.equal(await may("bob@example.org", "list", "pods", "bob"), true);
    assert.deepEqual(await names("ingress", "ingress-nginx"), ["ada", "bob", "gus"]);
    assert.equal((await hard("gus")).pods, "50");
    assert.deepEqual(await names("resourcequota", "hal"), []);
    assert.deepEqual([await slept("ada"), await leaves(), await bobsUrns()], ["", undefined, known]);
    // The controllers would try again by themselves some minutes later; the run has them do it at once.
    for (const { kind, metadata } of formers) {
      const former = [kind.toLowerCase(), metadata.name, metadata.namespace] as const;
      const { annotations } = (await stack.sandbox.get<LiveObject>(...former)).metadata;
      assert.match(annotations?.["kubecamp.dev/nudged"] ?? "", /^\d{4}-\d\d-\d\dT/, former.join(" "));
      await stack.delete(...former);
    }
    await Promise.all(["bob", "gus", "hal"].map((name) => rolledOut(stack, name)));
    await until(adaIsBack);
    assert.deepEqual(await namespaceContents(), theirs);
    const { metadata, spec } = await stack.sandbox.get<V1Deployment>("deployment", "web", "ada");
    assert.deepEqual([spec?.replicas, metadata?.annotations?.["example.org/own"]], [3, "kept"]);
    await stack.sandbox.get("configmap", "at-night", "ada");
  });

  it("warns of a budget that is smaller than what its members use", async () => {
    const labels = { course: "cs101" };
    const budgets = [{ name: "cs101", over: { labels }, maxCPUm: 100 }];
    await until(async () => {
      const { status } = await stack.sandbox.get<V1ResourceQuota>("resourcequota", "quota", "gus");
      return status?.used?.["limits.cpu"] === "200m";
    });
    await stack.configure([ada, ben, bob, { ...gus, labels, maxCPUm: 100 }, hal, ivy, kay], { ...settings(), budgets });
    assertSays(await warningsOf(stack), [
      "budget 'cs101': maxCPUm 100 is below what its members use now, 200 (gus 200)",
    ]);
  });

  it("suspends leavers by 'kubecamp up', removes by removeNow at once, and ends expired access", async () => {
    await stack.configure([ada, ben, gus, hal, { ...ivy, expires: today }], settings({ removeNow: ["kay"] }));
    await command("up");
    await until(async () => !(await hasNamespace(stack, "kay")));
    assert.deepEqual([await pods("bob"), await pods("ivy"), await leaves()], [[], [], day(31)]);
    assert.equal(await may("ivy", "list", "pods", "ivy"), false);
    const reason = `expired: the last day was ${today}`;
    assert.deepEqual((await statuses()).ivy, { type: "user", namespace: "ivy", state: "suspended", reason });
  });

  it("removes a leaver on the day, within maxRemovals, and lets members in on their last day", async () => {
    await setLeaves(stack, "bob", today);
    const left = [ada, ben, gus, hal, { ...ivy, expires: tomorrow }];
    await stack.configure(left, settings({ maxRemovals: 0 }));
    await refusedInProcess(stack, ["1 member is no longer in the list; a run may remove none"]);
    assert.equal(await hasNamespace(stack, "bob"), true);
    await stack.configure(left, settings());
    const { output } = await up();
    assertSays(output, [
      "No longer in the list. A run that succeeds deletes what Pulumi's state has of theirs, which can't be undone:",
      `Expires soon: ivy on ${tomorrow} (today)\n`,
    ]);
    assert.equal(await hasNamespace(stack, "bob"), false);
    assert.deepEqual(await bobsUrns(), []);
    assert.equal(await may("ivy", "list", "pods", "ivy"), true);
  });
});

/** What ada runs beside a Deployment. */
const adasWorkloads = (
  [
    ["StatefulSet", "db", { replicas: 2, serviceName: "db" }],
    ["DaemonSet", "agent", {}],
    ["ReplicaSet", "bare", { replicas: 1 }],
  ] as const
).map(([kind, app, spec]) => ({
  apiVersion: "apps/v1",
  kind,
  metadata: { name: app, namespace: "ada" },
  spec: {
    ...spec,
    selector: { matchLabels: { app } },
    template: { metadata: { labels: { app } }, spec: { containers: [{ name: app, image: app }] } },
  },
}));

/** A date in UTC, this many days after the one on which the suite began. */
function day(after: number): string {
  return new Date(Date.now() + after * 86_400_000).toISOString().slice(0, 10);
}
