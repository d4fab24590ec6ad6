import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { CoreV1Event, V1ResourceQuota } from "@kubernetes/client-node";
import { parse, stringify } from "yaml";
import { ensureCluster } from "../../../sandbox/cluster/cluster.ts";
import { endProcesses, processesStartedFrom } from "../../../sandbox/processes.ts";
import { clusterOf } from "../../../sandbox/sandbox.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { makeNamespace, makeService, serviceOf, until } from "../program/workloads.ts";
import { ApiProxy } from "../support/cluster/apiProxy.ts";
import { RunningWatch } from "./runningWatch.ts";

const crowd = Array.from({ length: 20 }, (_, at): Entry => ({ member: `kim-${at}`, type: "guest-user" }));
/** Those of them who are there from the start: with fewer members every up is over sooner. */
const few = crowd.slice(0, 3);
const bob: Entry = { member: "bob", type: "user" };
const carol: Entry = { member: "carol", type: "guest-user" };
const dora: Entry = { member: "dora", type: "user" };
/** A member whose quota permits one Service. */
const erin: Entry = { member: "erin", type: "user", maxObjects: 1 };
const quickPauses = `--import=${fileURLToPath(new URL("quickPauses.mjs", import.meta.url))}`;

describe("kubecamp watch", () => {
  // Before the stack goes: the watch would bring it up again.
  after(async () => {
    await watch?.end("SIGTERM");
    await proxy.stop();
  });
  const stack = useStack("watched");
  const proxy = new ApiProxy();
  let watch: RunningWatch;
  let env: Record<string, string>;

  const write = async (file: string, text: string) => await writeFile(join(stack.folder, file), text);
  const members = async (...entries: readonly Entry[]) => await write("members.yaml", stringify(entries));
  const isThere = async (kind: string, name: string, namespace?: string) =>
    (await stack.sandbox.find(kind, name, namespace)) !== undefined;
  const quotaOf = (member: string) => stack.sandbox.find<V1ResourceQuota>("resourcequota", "quota", member);
  const routes = () => stack.sandbox.names("ingress", { namespace: "ingress-nginx" });
  const hasRoute = async (member: string) => (await routes()).includes(member);
  const isIsolated = async (member: string) =>
    (await stack.sandbox.names("networkpolicy", { namespace: member })).includes("isolation");
  /** Lines as `RouteOpened Service/bob-svc: …`. */
  const events = async (member: string) =>
    (await stack.sandbox.list<CoreV1Event>("event", { namespace: member })).map(
      ({ reason, involvedObject, message }) => `${reason} ${involvedObject.kind}/${involvedObject.name}: ${message}`,
    );
  const upsThatSucceeded = async () =>
    (await watch.metric('kubecamp_ups_total{kind="targeted",result="succeeded"}')) +
    (await watch.metric('kubecamp_ups_total{kind="full",result="succeeded"}'));

  before(async () => {
    await stack.makeProject();
    await stack.configure(undefined, { membersFile: "members.yaml" });
    await members(bob, carol, ...few);
    env = { ...(await stack.behind(proxy)), NODE_OPTIONS: quickPauses };
  });
  afterEach(function () {
    if (this.currentTest?.state === "failed") {
      console.error(watch?.output);
    }
  });

  it("serves no metric of the cluster while another Pod has the Lease, and says so", async () => {
    const metadata = { name: stack.name, namespace: "kubecamp-system" };
    await stack.sandbox.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: metadata.namespace } });
    const spec = { holderIdentity: "watch-1", leaseTransitions: 1 };
    await stack.sandbox.apply({ apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec });
    const flags = ["--lease", `${metadata.namespace}/${metadata.name}`];
    watch = await RunningWatch.start(stack, { ...env, POD_NAME: "watch-0" }, flags, undefined, "waits for lease");
    const { text } = await watch.ask("/metrics");
    const gauges = text.match(/^kubecamp_(cluster|config|interval|last|lease|members)\S* \S+$/gm);
    assert.deepEqual(gauges, ["kubecamp_lease_held 0"]);
    assert.match((await watch.ask("/readyz")).text, /^pod 'watch-1' has the Lease/);
    assert.equal(await watch.end("SIGTERM"), 0);
  });

  it("brings everything up at the watch's start, which is ready only then", async () => {
    watch = await RunningWatch.start(stack, env);
    assert.match(String(watch.of("started")[0]?.msg), /^keeps stack '\w+' as declared; .* at http:/);
    assert.deepEqual(await watch.ask("/healthz"), { status: 200, text: "ok\n" });
    assert.equal((await watch.ask("/readyz")).status, 503);
    await watch.ready();
    assert.ok(await quotaOf("kim-2"));
    assert.equal(await watch.metric('kubecamp_members{state="pending"}'), few.length + 2);
    assert.equal(await watch.metric("kubecamp_config_valid"), 1);
    assert.equal(await watch.metric("kubecamp_cluster_connected"), 1);
  });

  it("opens a member's route when their Service is there, and closes the route once that is gone", async () => {
    await makeService(stack, "bob");
    await until(() => hasRoute("bob"));
    await watch.reported("route opened", { member: "bob" });
    assert.equal(await watch.metric("kubecamp_route_open_seconds_count"), 1);
    await stack.delete("service", "bob-svc", "bob");
    await until(async () => !(await hasRoute("bob")));
    await watch.reported("route closed", { member: "bob" });
    await until(async () => {
      const reported = await events("bob");
      return (
        reported.includes("RouteOpened Service/bob-svc: https://camp.test/bob/ leads to your Service.") &&
        reported.includes("RouteClosed Service/bob-svc: Your path is closed: no Service 'bob-svc' in namespace 'bob'.")
      );
    });
  });

  it("puts back what was deleted or changed by hand", async () => {
    const cpuOfCarol = async () => (await quotaOf("carol"))?.spec?.hard?.["limits.cpu"];
    const declared = await cpuOfCarol();
    assert.match(declared ?? "", /^\d/);
    await stack.sandbox.patch("resourcequota", "quota", "carol", { spec: { hard: { "limits.cpu": "64" } } });
    await stack.delete("networkpolicy", "isolation", "bob");
    await until(() => isIsolated("bob"));
    await until(async () => (await cpuOfCarol()) === declared);
    await watch.reported("drift repaired", { member: "bob", object: "NetworkPolicy bob/isolation", change: "deleted" });
    await watch.reported("drift repaired", { member: "carol", object: "ResourceQuota carol/quota", change: "changed" });
    assert.equal(await watch.metric('kubecamp_drift_repaired_total{kind="NetworkPolicy"}'), 1);
    await until(async () =>
      (await events("carol")).some((line) => line.startsWith("DriftRepaired ResourceQuota/quota: ")),
    );
  });

  it("watches the first cluster on when the kubeconfig's current context becomes another", async () => {
    const path = env.KUBECONFIG ?? "";
    const text = await readFile(path, "utf8");
    const elsewhere = { name: "elsewhere", cluster: { server: "https://127.0.0.1:2" } };
    const config = parse(text) as { contexts: object[]; clusters: object[] };
    const contexts = [...config.contexts, { name: "elsewhere", context: { cluster: "elsewhere" } }];
    const clusters = [...config.clusters, elsewhere];
    await writeFile(path, JSON.stringify({ ...config, contexts, clusters, "current-context": "elsewhere" }));
    try {
      const lines = watch.lines.length;
      await stack.delete("networkpolicy", "isolation", "bob");
      // An up of before may end in between.
      await until(() => isIsolated("bob"));
      await watch.reported("drift repaired", { object: "NetworkPolicy bob/isolation" }, lines);
      assert.deepEqual(
        watch.lines.slice(lines).filter(({ action, result }) => action === "up ended" && result !== "succeeded"),
        [],
      );
    } finally {
      await writeFile(path, text);
    }
  });

  it("takes no refused list for an empty one", async () => {
    await Promise.all([carol, ...few].map(({ member }) => makeService(stack, member)));
    await until(async () => (await routes()).length === few.length + 1);
    for (const status of [403, 500]) {
      const lines = watch.lines.length;
      proxy.refuse("/api/v1/services", status);
      await watch.reported("outage began", { what: "the Services" }, lines);
      assert.equal(await watch.metric("kubecamp_cluster_connected"), 0);
      // Repairs have to wait from now on.
      await stack.sandbox.remove("/apis/networking.k8s.io/v1/namespaces/bob/networkpolicies/isolation");
      // In growing pauses: long enough for an up that is wrong to begin.
      const { refusals } = proxy;
      await until(async () => proxy.refusals > refusals + 3);
      assert.equal((await routes()).length, few.length + 1);
      assert.deepEqual(
        watch.lines.slice(lines).filter(({ action }) => action === "up started"),
        [],
      );
      proxy.release();
      await watch.reported("outage ended", { what: "the Services" }, lines);
      await until(() => isIsolated("bob"));
      assert.equal((await routes()).length, few.length + 1);
    }
  });

  it("watches on after connections were cut, without a list for each", async () => {
    await watch.idle();
    const [lines, passed] = [watch.lines.length, proxy.passed.length];
    const asked = (isWatch: boolean) =>
      proxy.passed
        .slice(passed)
        .filter(({ agent, url }) => agent === "kubecamp" && url.pathname === "/api/v1/services")
        .filter(({ url }) => url.searchParams.has("watch") === isWatch)
        .map(({ url }) => url.search);
    for (const times of [1, 2, 3, 4]) {
      proxy.cut();
      await until(async () => asked(true).length === times);
      // A connection counts as good after a second.
      await sleep(1_500);
    }
    // Not one for each cut; something else may read the Services in between, once for itself and once for the program.
    assert.ok(asked(false).length < 3, asked(false).join("\n"));
    proxy.cut();
    // Nothing is watched at this moment.
    await stack.sandbox.remove("/apis/networking.k8s.io/v1/namespaces/bob/networkpolicies/isolation");
    await watch.reported("drift repaired", { object: "NetworkPolicy bob/isolation" }, lines);
    assert.ok((await watch.metric("kubecamp_connections_cut_total")) > 3);
    assert.deepEqual(
      watch.lines.slice(lines).filter(({ action }) => action === "outage began"),
      [],
    );
  });

  it("watches on after the API server was killed and has come back", async () => {
    const { sandbox, tools } = stack.sandbox;
    const cluster = clusterOf(sandbox, tools);
    const lines = watch.lines.length;
    await endProcesses(processesStartedFrom(join(cluster.folder, "clusters", cluster.name, "bin")));
    await watch.reported("outage began", {}, lines);
    await ensureCluster(cluster, new AbortController().signal);
    await until(async () => (await watch.metric("kubecamp_cluster_connected")) === 1);
    assert.equal((await routes()).length, few.length + 1);
    await stack.delete("service", "carol-svc", "carol");
    await until(async () => !(await hasRoute("carol")));
    assert.equal((await routes()).length, few.length);
    assert.deepEqual(
      watch.lines.slice(lines).filter(({ level }) => level === "error"),
      [],
    );
  });

  it("recovers a watch killed in the middle of an up, and removes what is nobody's by then", async () => {
    const reached = proxy.hold("/apis/rbac.authorization.k8s.io/v1/namespaces/erin/rolebindings");
    await members(bob, carol, erin, ...few);
    await reached;
    assert.ok(await isThere("namespace", "erin"));
    assert.equal(await watch.end("SIGKILL"), null);
    proxy.release();
    // Without a Lease, it frees no lock: whose it is, nobody knows.
    await stack.backend.unlock(stack.name);
    // As a run without checkpoints leaves of who has left the list since.
    const labels = { "kubecamp.dev/stack": stack.name, "kubecamp.dev/member": "zoe" };
    await makeNamespace(stack, "zoe", labels);
    watch = await RunningWatch.start(stack, env);
    await watch.ready();
    const [cleared] = watch.of("cleared");
    assert.match(String(cleared?.msg), /\n {2}Namespace zoe$/);
    await until(async () => !(await isThere("namespace", "zoe")));
    assert.ok(await isThere("rolebinding", "kubecamp-edit", "erin"));
    assert.equal((await routes()).length, few.length);
  });

  it("opens and closes paths by the last configuration while a later one has mistakes", async () => {
    const lines = watch.lines.length;
    await members(bob, { ...carol, type: "gest-user" }, erin, ...few);
    await watch.ready(503);
    const { text } = await watch.ask("/readyz");
    assert.match(
      text,
      /members\.yaml:4: members\[1\]\.type: "gest-user" is no member type; did you mean 'guest-user'\?/,
    );
    assert.match(text, /\nCorrect members\.yaml\.\nThe watch goes on with the last configuration without mistakes/);
    assert.equal(await watch.metric("kubecamp_config_valid"), 0);
    await makeService(stack, "bob");
    await until(() => hasRoute("bob"));
    await stack.delete("service", "bob-svc", "bob");
    await until(async () => !(await hasRoute("bob")));
    await makeService(stack, "bob");
    await until(() => hasRoute("bob"));
    const mended = watch.lines.length;
    await members(bob, carol, dora, erin, ...crowd);
    await until(() => isThere("namespace", "dora"));
    await watch.ready();
    await until(async () => (await quotaOf("kim-19")) !== undefined);
    // Members are made some at a time, in the order of the list: what comes next is to find all of them made.
    const { checkpoints } = await watch.reported("up ended", { kind: "full" }, mended);
    assert.equal(checkpoints, "none");
    assert.equal(await watch.metric("kubecamp_config_valid"), 1);
    const actions = watch.lines.slice(lines).map(({ action }) => action);
    assert.equal(actions.filter((action) => action === "configuration refused").length, 1);
  });

  it("leaves out a starter app while Deployments may not be listed, and serves everybody else", async () => {
    const lines = watch.lines.length;
    proxy.refuse("/apis/apps/v1/deployments", 403);
    await members(bob, carol, { ...dora, starter: "kept" }, erin, ...crowd);
    await watch.reported("left out", { level: "warn" }, lines);
    const { result } = await watch.reported("up ended", { kind: "full" }, lines);
    assert.equal(result, "succeeded");
    assert.ok(!(await isThere("deployment", "starter", "dora")));
    assert.match((await watch.ask("/readyz")).text, /^what needs the Deployments .* is left out: .*403/);
    assert.equal(await watch.metric("kubecamp_lists_left_out"), 1);
    assert.equal(await watch.metric("kubecamp_cluster_connected"), 1);
    await stack.delete("service", "bob-svc", "bob");
    await until(async () => !(await hasRoute("bob")));
    await makeService(stack, "bob");
    await until(() => hasRoute("bob"));
    proxy.release();
    await until(() => isThere("deployment", "starter", "dora"));
    await until(async () => (await watch.metric("kubecamp_lists_left_out")) === 0);
    await members(bob, carol, dora, erin, ...crowd);
    await until(async () => !(await isThere("deployment", "starter", "dora")));
    await stack.delete("service", "dora-svc", "dora");
    await until(async () => !(await hasRoute("dora")));
  });

  it("opens a score of routes with a few ups when all those Services come at once", async () => {
    const before = await upsThatSucceeded();
    const others = crowd.slice(few.length);
    // Nothing but requests, so that they lie close together: how far apart they come decides how many ups there are.
    await stack.sandbox.create(...[carol, dora, ...others].map(({ member }) => serviceOf(member)));
    await until(async () => (await routes()).length === crowd.length + 3);
    await until(async () => (await watch.metric('kubecamp_members{state="ready"}')) === crowd.length + 3);
    assert.ok((await upsThatSucceeded()) - before <= 3);
  });

  it("runs nothing in vain for a Service that a full quota has no room for", async () => {
    await stack.kubectl("create", "service", "clusterip", "other", "--tcp=80:8080", "-n", "erin");
    await until(async () => (await quotaOf("erin"))?.status?.used?.["count/services"] === "1");
    const lines = watch.lines.length;
    await members(bob, carol, dora, { ...erin, route: { readiness: { mode: "managed" } } }, ...crowd);
    const edited = await watch.reported("up ended", { kind: "full" }, lines);
    assert.equal(edited.result, "succeeded");
    await until(async () => (await watch.metric('kubecamp_members{state="pending"}')) === 1);
    // Whatever it had to do for erin would come before this, or with it.
    await stack.delete("networkpolicy", "isolation", "bob");
    const after = watch.lines.findIndex((line) => line.action === "up ended" && line.time === edited.time);
    await watch.reported("drift repaired", { member: "bob" }, after);
    const ups = watch.lines.slice(after).filter(({ action }) => action === "up started");
    assert.deepEqual(
      ups.map(({ members: target }) => target),
      [["bob"]],
    );
    assert.ok(!(await isThere("service", "erin-svc", "erin")));
  });

  it("serves all others while a leaver's namespace does not go, and says what keeps that", async () => {
    const lines = watch.lines.length;
    const succeeded = async (after: number) =>
      assert.equal((await watch.reported("up ended", { kind: "full" }, after)).result, "succeeded");
    const finalizers = ["example.org/held"];
    await stack.sandbox.create({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "held", namespace: "dora", finalizers },
    });
    const others = [bob, erin, ...crowd];
    await members(carol, ...others);
    await succeeded(lines);
    assert.ok(!(await hasRoute("dora")));
    assert.ok(!(await isThere("rolebinding", "kubecamp-edit", "dora")));
    await until(async () =>
      watch.of("namespace ending").some(({ reason }) => `${reason}`.includes("example.org/held")),
    );
    assert.equal(await watch.metric('kubecamp_namespaces_terminating{member="dora"}'), 1);

    // Opening, closing and ending access.
    await stack.delete("service", "bob-svc", "bob");
    await until(async () => !(await hasRoute("bob")));
    await makeService(stack, "bob");
    await until(() => hasRoute("bob"));
    const suspended = watch.lines.length;
    await members({ ...carol, suspended: true }, ...others);
    await succeeded(suspended);
    assert.equal((await quotaOf("carol"))?.spec?.hard?.pods, "0");
    assert.ok(!(await hasRoute("carol")));

    // Who is put back meanwhile waits alone, and is made once the namespace is gone.
    const back = watch.lines.length;
    await members(carol, dora, ...others);
    await succeeded(back);
    assert.equal(await watch.metric('kubecamp_members{state="pending"}'), 2);
    assert.ok(await isThere("configmap", "held", "dora"));
    assert.ok(!(await isThere("rolebinding", "kubecamp-edit", "dora")));
    await stack.sandbox.patch("configmap", "held", "dora", { metadata: { finalizers: null } });
    await watch.reported("namespace gone", { namespace: "dora" }, lines);
    await until(() => isThere("rolebinding", "kubecamp-edit", "dora"));
    await watch.idle();
    assert.deepEqual(
      watch.lines.slice(lines).filter(({ action, result }) => action === "up ended" && result !== "succeeded"),
      [],
    );
  });

  it("ends the watch in good order on SIGTERM in the middle of an up, and leaves no lock", async () => {
    const lines = watch.lines.length;
    await stack.sandbox.remove("/api/v1/namespaces/erin");
    await watch.reported("up started", { kind: "targeted" }, lines);
    watch.signal("SIGTERM");
    // A second one changes nothing.
    assert.equal(await watch.end("SIGTERM"), 0);
    assert.equal(watch.lines.at(-1)?.action, "stopped");
    assert.deepEqual(await readdir(stack.backend.locks(stack.name)).catch(() => []), []);
  });
});
