import assert from "node:assert/strict";
import type { CoreV1Event, V1Deployment, V1ResourceQuota } from "@kubernetes/client-node";
import { assertSays, warningsOf } from "../inProcess.ts";
import type { LiveObject } from "../inventory.ts";
import { type Entry, type Run, useStack } from "../stack.ts";
import { touchedBy } from "../touched.ts";
import { deploy, livingPods, objectsNamed, rolledOut, served, until } from "../workloads.ts";
import { hangOn } from "./hanging.ts";

const rbac = "kubernetes:rbac.authorization.k8s.io/v1:";
const gus: Entry = { member: "gus", type: "user", protect: true };
const hal: Entry = { member: "hal", type: "admin" };
const ivy: Entry = { member: "ivy", type: "user" };
const suspended = { suspended: true };
/** Quota of a member who may start nothing. */
const nothing = { pods: "0", "count/jobs.batch": "0" };

const closing = [
  "create kubernetes:core/v1:ResourceQuota hal/quota",
  `delete ${rbac}ClusterRoleBinding gus/others/view`,
  `delete ${rbac}ClusterRoleBinding hal/others/view`,
  `delete ${rbac}RoleBinding gus/binding/edit`,
  `delete ${rbac}RoleBinding hal/binding/edit`,
  "delete kubernetes:core/v1:Service gus/route/service",
  "delete kubernetes:networking.k8s.io/v1:Ingress gus/route/ingress",
  "update kubernetes:core/v1:Namespace gus/namespace",
  "update kubernetes:core/v1:Namespace hal/namespace",
  "update kubernetes:core/v1:ResourceQuota gus/quota",
  `update ${rbac}Role gus/role/edit`,
  `update ${rbac}Role hal/role/edit`,
].sort();
/** The reverse of `closing`, except for steps that update both times. */
const opening = closing
  .map((step) => step.replace(/^(create|delete)/, (word) => (word === "create" ? "delete" : "create")))
  .sort();

describe("a suspended member", () => {
  const stack = useStack("rest");
  const pods = (namespace: string) => livingPods(stack, namespace);
  const may = (user: string, verb: string, resource: string, namespace: string) =>
    stack.sandbox.may(`oidc:${user}`, verb, resource, namespace);
  const names = (kind: string, namespace: string) => stack.sandbox.names(kind, { namespace });
  const hard = async (namespace: string) =>
    (await stack.sandbox.get<V1ResourceQuota>("resourcequota", "quota", namespace)).spec?.hard ?? {};
  /** UIDs of the member's own objects, which have to stay. */
  const namespaceContents = async () => {
    const own = ["persistentvolumeclaim/data", "secret/key", "deployment/web", "service/gus-svc", "pod/finished"];
    return (await objectsNamed(stack, "gus", ...own)).map(({ metadata }) => metadata.uid);
  };
  /** In the past for the whole suite, even if midnight passes. */
  const expired = day(-1);
  let theirs: unknown[];
  let neighbours: string[];

  before(async () => {
    await stack.configure([gus, hal, ivy]);
    await served(stack, "gus", { selector: { app: "web" } });
    await stack.upFine();
    const metadata = (name: string) => ({ name, namespace: "gus" });
    await stack.sandbox.apply(
      { apiVersion: "v1", kind: "Secret", metadata: metadata("key"), stringData: { key: "value" } },
      {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: metadata("data"),
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "100Mi" } } },
      },
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: metadata("finished"),
        spec: { restartPolicy: "Never", containers: [{ name: "job", image: "job" }] },
      },
    );
    await stack.kubectl("wait", "pod/finished", "-n", "gus", "--for=condition=Ready", "--timeout=60s");
    const phase = JSON.stringify({ status: { phase: "Succeeded" } });
    await stack.kubectl("patch", "pod", "finished", "-n", "gus", "--subresource=status", "--type=merge", "-p", phase);
    await hangOn(stack, "gus", "rolebinding/kubecamp-edit");
    await stack.kubectl("label", "namespace", "gus", "istio-injection=enabled");
    await stack.kubectl("annotate", "namespace", "gus", "example.org/project=p-1");
    await Promise.all([deploy(stack, "gus", 2), deploy(stack, "hal", 1), deploy(stack, "ivy", 1)]);
    assert.deepEqual(await names("ingress", "ingress-nginx"), ["gus"]);
    theirs = await namespaceContents();
    neighbours = await pods("ivy");
  });

  it("is announced by a preview that says how many pods are stopped, and stops none", async () => {
    await stack.configure([{ ...gus, ...suspended }, { ...hal, ...suspended }, ivy]);
    const running = [await pods("gus"), await pods("hal")];
    const touched = await touchedBy(stack, async () => {
      const { exitCode, output } = await stack.preview();
      assert.equal(exitCode, 0, output);
      assert.match(output, /'pulumi up' stops their pods: gus \(2 pods\), hal \(1 pod\)\n/);
      assert.match(output, /1 to create/);
      assert.match(output, /5 to update/);
      assert.match(output, /6 to delete/);
    });
    assert.deepEqual(touched, []);
    assert.deepEqual([await pods("gus"), await pods("hal")], running);
  });

  it("loses access, route and pods with one up, also when protected, whatever hangs on them", async () => {
    const { steps } = await stack.upFine();
    assert.deepEqual([...steps].sort(), closing);
    assert.deepEqual(await names("rolebinding", "gus"), []);
    assert.deepEqual([await names("ingress", "ingress-nginx"), await names("service", "ingress-nginx")], [[], []]);
    for (const user of ["gus", "hal"]) {
      assert.equal(await may(user, "list", "pods", user), false);
      assert.equal(await may(user, "list", "pods", "ivy"), false);
    }
    const { pods: podsOfGus, "count/jobs.batch": jobsOfGus } = await hard("gus");
    assert.deepEqual([podsOfGus, jobsOfGus], ["0", "0"]);
    assert.deepEqual(await hard("hal"), nothing);
    assert.deepEqual([await pods("gus"), await pods("hal")], [[], []]);
  });

  it("has no pods for as long as that lasts, though the controllers try", async () => {
    const refused = { namespace: "gus", fieldSelector: "reason=FailedCreate" };
    const refusals = async () =>
      (await stack.sandbox.list<CoreV1Event>("event", refused)).map(({ message }) => message).join(" ");
    await until(async () => (await refusals()) !== "");
    assert.match(await refusals(), /exceeded quota: quota, requested: pods=1, used: pods=0, limited: pods=0/);
    assert.deepEqual([await pods("gus"), await pods("hal")], [[], []]);
  });

  it("has no new Jobs, of which a CronJob would make one each minute", async () => {
    const spec = { template: { spec: { restartPolicy: "Never", containers: [{ name: "job", image: "job" }] } } };
    const job = (namespace: string) => ({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "more", namespace },
      spec,
    });
    for (const namespace of ["gus", "hal"]) {
      const input = JSON.stringify(job(namespace));
      const { stderr } = await stack.sandbox.kubectl(["create", "--dry-run=server", "-f", "-"], { input });
      assert.match(
        stderr,
        /exceeded quota: quota, requested: count\/jobs.batch=1, used: .*, limited: count\/jobs.batch=0/,
      );
    }
  });

  it("keeps what is theirs, finished pods with their logs included, and others notice nothing", async () => {
    assert.deepEqual(await namespaceContents(), theirs);
    const [home] = await stack.sandbox.list<LiveObject>("namespace", { fieldSelector: "metadata.name=gus" });
    const { labels = {}, annotations = {} } = home?.metadata ?? {};
    assert.deepEqual([labels["istio-injection"], annotations["example.org/project"]], ["enabled", "p-1"]);
    assert.equal((await stack.sandbox.get<V1Deployment>("deployment", "web", "gus")).spec?.replicas, 2);
    assert.deepEqual(await pods("ivy"), neighbours);
  });

  it("is in the outputs with the reason, and not among those who are pending", async () => {
    const rests = (name: string, type: string) => ({ type, namespace: name, state: "suspended", reason: "suspended" });
    const { members, pending } = (await stack.outputs()) as { members: Record<string, unknown>; pending: string[] };
    assert.deepEqual([members.gus, members.hal], [rests("gus", "user"), rests("hal", "admin")]);
    assert.deepEqual(pending, ["ivy"]);
  });

  it("stays so: nothing is left to change, to stop or to warn of", async () => {
    const { output } = await stack.upFine("--expect-no-changes");
    assert.doesNotMatch(output, /podsStop|stops their pods|Deleted by hand|Changed by hand|below what is used/);
  });

  it("has everything back when the flag goes, the keys after the guard rails", async () => {
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
    await stack.configure([gus, hal, ivy]);
    const { steps, output } = await stack.upFine();
    assert.doesNotMatch(output, /Deleted by hand|Changed by hand|podsStop|stops their pods/);
    assert.deepEqual([...steps].sort(), opening);
    const at = (step: string) => steps.indexOf(step);
    const lifted = at("update kubernetes:core/v1:ResourceQuota gus/quota");
    assert.ok(lifted < at(`create ${rbac}RoleBinding gus/binding/edit`));
    assert.ok(lifted < at(`create ${rbac}ClusterRoleBinding gus/others/view`));
    assert.equal(await may("gus", "create", "deployments.apps", "gus"), true);
    assert.equal(await may("hal", "list", "pods", "ivy"), true);
    assert.deepEqual(await names("ingress", "ingress-nginx"), ["gus"]);
    assert.equal((await hard("gus")).pods, "50");
    assert.deepEqual(await names("resourcequota", "hal"), []);
    assert.doesNotMatch(output, /backLater/);
    // The controllers would try again by themselves some minutes later; the run has them do it at once.
    for (const { kind, metadata } of formers) {
      const former = [kind.toLowerCase(), metadata.name, metadata.namespace] as const;
      const { annotations } = (await stack.sandbox.get<LiveObject>(...former)).metadata;
      assert.match(annotations?.["kubecamp.dev/nudged"] ?? "", /^\d{4}-\d\d-\d\dT/, former.join(" "));
      await stack.delete(...former);
    }
    await rolledOut(stack, "gus");
    await rolledOut(stack, "hal");
    assert.deepEqual(await namespaceContents(), theirs);
  });

  it("is also who has expired: the last day was yesterday", async () => {
    await stack.configure([gus, hal, { ...ivy, expires: expired }]);
    await stack.upFine();
    assert.equal(await may("ivy", "list", "pods", "ivy"), false);
    assert.deepEqual(await pods("ivy"), []);
    const { members } = (await stack.outputs()) as { members: Record<string, unknown> };
    assert.deepEqual(members.ivy, {
      type: "user",
      namespace: "ivy",
      state: "suspended",
      reason: `expired: the last day was ${expired}`,
    });
  });

  it("is nobody whose last day is still to come, or is today; both are told of", async () => {
    const expires = day(10);
    await stack.configure([gus, { ...hal, ...suspended }, { ...ivy, expires }]);
    // Midnight may pass meanwhile.
    assertSays(await warningsOf(stack), [new RegExp(`Expires soon: ivy on ${expires} \\(in (10|9) days\\)$`, "m")]);

    let today: string;
    let run: Run;
    do {
      today = day(0);
      await stack.configure([
        { ...gus, protect: false },
        { ...hal, ...suspended },
        { ...ivy, expires: today },
      ]);
      run = await stack.upFine();
    } while (today !== day(0));
    assert.match(run.output, new RegExp(`Expires soon: ivy on ${today} \\(today\\)\n`));
    assert.equal(await may("ivy", "list", "pods", "ivy"), true);
  });
});

/** A date in UTC, this many days after today. */
function day(after: number): string {
  return new Date(Date.now() + after * 86_400_000).toISOString().slice(0, 10);
}
