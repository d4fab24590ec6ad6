import assert from "node:assert/strict";
import type { V1Namespace, V1ResourceQuota } from "@kubernetes/client-node";
import { kubecamp } from "../../commands/kubecamp.ts";
import { assertSays, refusedInProcess } from "../inProcess.ts";
import { type Entry, useStack } from "../stack.ts";
import { deploy, hasNamespace, livingPods, objectsNamed, served, setLeaves, until } from "../workloads.ts";

const bob: Entry = { member: "bob", type: "user", subject: "bob@example.org", maxCPUm: 900 };
const [ana, kay, leo, mia] = ["ana", "kay", "leo", "mia"].map((member): Entry => ({ member, type: "user" })) as [
  Entry,
  Entry,
  Entry,
  Entry,
];
/** One at a time: who is in their grace already doesn't count. */
const grace = { offboarding: { graceDays: 30, maxRemovals: 1 } };
const none = { offboarding: { graceDays: 30, maxRemovals: 0 } };
const removing = { offboarding: { graceDays: 30 } };

describe("who leaves a list with offboarding.graceDays", () => {
  const stack = useStack("grace");
  const command = (...args: string[]) => kubecamp(args, { cwd: stack.folder, env: stack.sandbox.env });
  const labelOf = async (name: string, label: string) => {
    const { metadata } = await stack.sandbox.get<V1Namespace>("namespace", name);
    return metadata?.labels?.[label];
  };
  const leaves = (name: string) => labelOf(name, "kubecamp.dev/leaves");
  /** UIDs of what is bob's in the namespace, and of the namespace itself. */
  const theirs = async () => {
    const names = ["persistentvolumeclaim/data", "deployment/web", "service/bob-svc", "namespace/bob"];
    return (await objectsNamed(stack, "bob", ...names)).map(({ metadata }) => metadata.uid);
  };
  const urns = async () => (await stack.urns()).filter((urn) => /::bob(\/|$)/.test(urn)).sort();
  let had: Awaited<ReturnType<typeof theirs>>;
  let known: string[];
  let day: string | undefined;

  before(async () => {
    await stack.makeProject();
    await stack.configure([ana, bob, kay, leo, mia], grace);
    await served(stack, "bob", { selector: { app: "web" } });
    await stack.upFine();
    const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "100Mi" } } };
    await stack.sandbox.apply({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "data", namespace: "bob" },
      spec: claim,
    });
    await deploy(stack, "bob", 1);
    had = await theirs();
    known = await urns();
  });

  it("is told with the day, and touches nothing in a preview", async () => {
    await stack.configure([ana, kay, leo, mia], none);
    await refusedInProcess(stack, ["1 member is no longer in the list; a run may suspend none"]);
    await stack.configure([ana, kay, leo, mia], grace);
    const { exitCode, output } = await stack.preview();
    assert.equal(exitCode, 0, output);
    assertSays(output, [
      /No longer in the list, and suspended until a run deletes everything of theirs on the day or later: bob \(\d{4}-\d\d-\d\d\)\./,
      "Suspended or expired; 'pulumi up' ends their access and closes their route: bob (left the list)",
    ]);
    assert.equal(await leaves("bob"), undefined);
  });

  it("is suspended by the next run, and keeps what is theirs", async () => {
    const { exitCode, stdout, stderr } = await command("up", "--stack", "grace");
    assert.equal(exitCode, 0, stdout + stderr);
    assert.deepEqual(await livingPods(stack, "bob"), []);
    assert.deepEqual(await theirs(), had);
    assert.equal(await labelOf("bob", "kubecamp.dev/standing"), "suspended");
    day = await leaves("bob");
    assert.match(day ?? "", /^\d{4}-\d\d-\d\d$/);
    const { spec } = await stack.sandbox.get<V1ResourceQuota>("resourcequota", "quota", "bob");
    assert.equal(spec?.hard?.["limits.cpu"], "900m");
  });

  it("is shown with the day, and a further run finds nothing to do", async () => {
    assert.equal(await leaves("bob"), day);
    const { members } = (await stack.outputs()) as { members: Record<string, object> };
    assert.deepEqual(members.bob, {
      type: "user",
      namespace: "bob",
      state: "suspended",
      reason: `leaving, removed on ${day}`,
    });
    const { stdout: planned, stderr } = await command("up", "--stack", "grace");
    assertSays(planned + stderr, ["grace: unchanged"]);
  });

  it("keeps the name from another person", async () => {
    await stack.configure([ana, { ...bob, subject: "eve@example.org" }, kay, leo, mia], grace);
    await refusedInProcess(stack, [
      `"eve@example.org" is another person than 'bob@example.org', who left the list as 'bob' and has the namespace until ${day}`,
    ]);
  });

  it("has everything as it was once they are back", async () => {
    await stack.configure([ana, bob, kay, leo, mia], grace);
    const { steps } = await stack.upFine();
    assert.ok(!steps.some((step) => /Namespace|replace/.test(step) && !step.startsWith("update")), steps.join("\n"));
    assert.deepEqual(await urns(), known);
    assert.deepEqual(await theirs(), had);
    assert.equal(await leaves("bob"), undefined);
    assert.equal(await labelOf("bob", "kubecamp.dev/standing"), "active");
    assert.equal(await stack.sandbox.may("oidc:bob@example.org", "list", "pods", "bob"), true);
  });

  it("is removed by a run on the day, with the limits of every removal", async () => {
    await stack.configure([ana, kay, leo, mia], grace);
    await stack.upFine();
    await setLeaves(stack, "bob", new Date().toISOString().slice(0, 10));
    await stack.configure([ana, kay, leo, mia], none);
    await refusedInProcess(stack, ["1 member is no longer in the list; a run may remove none"]);
    assert.equal(await hasNamespace(stack, "bob"), true);
    await stack.configure([ana, kay, leo, mia], removing);
    const { output } = await stack.upFine();
    assertSays(output, [
      "No longer in the list. A run that succeeds deletes what Pulumi's state has of theirs, which can't be undone:",
    ]);
    assert.equal(await hasNamespace(stack, "bob"), false);
    assert.deepEqual(await urns(), []);
  });

  it("is removed at once if offboarding.removeNow has the name, and by 'kubecamp up' too", async () => {
    await stack.configure([ana, leo, mia], { offboarding: { graceDays: 30, removeNow: ["kay"] } });
    const { exitCode, stdout, stderr } = await command("up", "--stack", "grace");
    assert.equal(exitCode, 0, stdout + stderr);
    await until(async () => !(await hasNamespace(stack, "kay")));
  });
});
