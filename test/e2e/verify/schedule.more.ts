import assert from "node:assert/strict";
import type { V1ConfigMap } from "@kubernetes/client-node";
import { parseAllDocuments } from "yaml";
import { grants, type Manifest, rightsOf, textOf, unneeded } from "../../unit/deploy/manifests.ts";
import { kubecamp } from "../commands/kubecamp.ts";
import { otherKubeconfig } from "../program/kubeconfigs.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { until } from "../program/workloads.ts";
import { FrontDoor } from "../watch/frontDoor.ts";
import { RunningWatch } from "../watch/runningWatch.ts";
import type { Proof } from "./proof.ts";
import { madeBy } from "./runningVerify.ts";

const ada: Entry = { member: "ada", type: "user", groups: ["class-a"] };
const gus: Entry = { member: "gus", type: "guest-user" };
const rbac = "rbac.authorization.k8s.io";
const name = "kubecamp-verify-nightly";
const identity = `system:serviceaccount:kubecamp-system:${name}`;

/** Kubernetes is faster, or no path opens here, since no container runs. */
const unasked = ["create serviceaccounts", "patch services", "delete services"];

interface CronJob {
  readonly spec: { readonly jobTemplate: { readonly spec: { readonly template: { readonly spec: object } } } };
}

const results = ["held", "broken", "unproven"];

describe("kubecamp verify --schedule", () => {
  after(async () => {
    await watch?.end("SIGTERM");
    await door?.close();
    if (text !== "") {
      await kubectl("delete", "--ignore-not-found");
    }
  });
  const stack = useStack("nightly");
  let door: FrontDoor | undefined;
  let watch: RunningWatch | undefined;
  let text = "";
  let objects: readonly Manifest[] = [];

  const verify = (args: readonly string[], KUBECONFIG = stack.sandbox.kubeconfig) =>
    kubecamp(["verify", "--stack", stack.name, ...args], { cwd: stack.folder, env: { KUBECONFIG } });
  /** As the CronJob's pod does. */
  const asItself = async (flags: readonly string[], server?: string) => {
    const token = await stack.sandbox.token(name, "kubecamp-system");
    const kubeconfig = await otherKubeconfig(stack, { token, ...(server === undefined ? {} : { server }) });
    const result = await verify([...flags, "-o", "json"], kubeconfig);
    assert.notEqual(result.stdout, "", result.stderr);
    return { ...result, proofs: (JSON.parse(result.stdout) as { readonly proofs: readonly Proof[] }).proofs };
  };
  const kubectl = (...args: string[]) => stack.sandbox.kubectl([...args, "-f", "-"], { input: text });

  before(async () => {
    await stack.configure([ada, gus], { staff: [{ group: "tutors", role: "view" }] });
    await stack.upFine();
  });

  it("prints manifests that the API server takes as they are, and that change nothing the second time", async () => {
    const { exitCode, stdout, stderr } = await verify(["--schedule", "--kubecamp-image", "registry.test/kubecamp:1"]);
    assert.equal(exitCode, 0, stderr);
    assert.match(stderr, /^warning: whoever has the token .* can act as ANY USER OF THE CLUSTER/);
    text = stdout;
    objects = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
    const applied = await kubectl("apply", "--validate=strict");
    assert.deepEqual([applied.exitCode, applied.stderr], [0, ""]);
    const again = await kubectl("apply", "--dry-run=server", "--validate=strict");
    assert.deepEqual(
      again.stdout.split("\n").filter((line) => !/ unchanged \(server dry run\)$/.test(line)),
      [],
    );
  });

  it("has rights with which nothing is unproven that needs no pod", async () => {
    const { exitCode, stderr, proofs } = await asItself(["--only", "guards,access,admission,limits"]);
    assert.deepEqual(
      proofs.filter(({ result }) => result !== "held"),
      [],
      stderr,
    );
    assert.equal(exitCode, 0, stderr);
    assert.deepEqual(await madeBy(stack), []);
  });

  it("has no further rights", async () => {
    door = new FrontDoor(stack.sandbox, identity);
    await door.open(stack.folder);
    const { stdout, stderr, proofs } = await asItself(["--record"], door.url);
    assert.doesNotMatch(stdout + stderr, /forbidden|kubecamp verify may/);
    assert.notDeepEqual(proofs, []);
    const count = (result: string) => String(proofs.filter((proof) => proof.result === result).length);
    const { data } = await stack.sandbox.get<V1ConfigMap>("configmap", name, "kubecamp-system");
    assert.deepEqual([data?.held, data?.broken, data?.unproven], results.map(count));
    assert.match(data?.report ?? "", /^Stack nightly: \d+ held, 0 broken, \d+ not proven\n/);
    const rights = rightsOf(objects);
    assert.deepEqual(
      unneeded(rights, door.asked)
        .map(textOf)
        .filter((right) => !unasked.includes(right)),
      [],
    );
    const beyond = door.asked.filter((asked) => !grants(rights, asked)).map(textOf);
    // Everybody may ask about themselves; the other two are asked for whoever impersonates somebody, and come to nothing.
    assert.deepEqual([...new Set(beyond)].sort(), [
      "create selfsubjectaccessreviews.authorization.k8s.io",
      "impersonate-on:serviceaccount:create selfsubjectrulesreviews.authorization.k8s.io",
      "impersonate-on:user-info:create selfsubjectrulesreviews.authorization.k8s.io",
    ]);
  });

  it("gives no rights beside verifications, though RBAC would", async () => {
    const ours = { "kubecamp.dev/verify": stack.name };
    const level = { "pod-security.kubernetes.io/enforce": "baseline" };
    const namespace = (named: string, labels: object) => ({
      ...{ apiVersion: "v1", kind: "Namespace", metadata: { name: named, labels } },
    });
    const binding = (roleName: string, labels: object) => ({
      ...{ apiVersion: `${rbac}/v1`, kind: "ClusterRoleBinding", metadata: { name: "mine", labels } },
      ...{ roleRef: { apiGroup: rbac, kind: "ClusterRole", name: roleName }, subjects: [] },
    });
    const twin = (place: string, labels: object) => ({
      ...{ apiVersion: "v1", kind: "Service", metadata: { name: "mine", namespace: place, labels } },
      spec: { ports: [{ port: 80 }] },
    });
    const role = (place: string) => ({
      ...{ apiVersion: `${rbac}/v1`, kind: "Role", metadata: { name: "mine", namespace: place, labels: ours } },
      rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }],
    });
    const beside =
      /may write routes, bindings and namespaces with the label kubecamp\.dev\/verify: nightly, and what is/;
    const view = `kubecamp:${stack.name}:view`;
    for (const [object, refusal] of [
      [namespace("anew", { ...ours, ...level }), undefined],
      [namespace("anew", level), beside],
      [namespace("anew", { "kubecamp.dev/verify": "prod", ...level }), beside],
      [namespace("kube-system", { ...ours, ...level }), beside],
      [namespace("ada", { ...ours, ...level }), beside],
      [namespace("anew", { ...ours, ...level, "kubecamp.dev/stack": "prod" }), /of its own stack alone/],
      [namespace("anew", ours), /may let nobody's pods be privileged/],
      [binding(view, ours), undefined],
      [binding(view, {}), beside],
      [binding(name, ours), /may bind to its stack's views alone/],
      [role("ada"), beside],
      [twin("ada", ours), beside],
      [twin("ingress-nginx", {}), beside],
      [role("ingress-nginx"), beside],
      [role("kube-system"), beside],
    ] as const) {
      const path = `${await stack.sandbox.placeOf(object)}/${object.metadata.name}?fieldManager=x&force=true&dryRun=All`;
      const headers = { "content-type": "application/apply-patch+yaml", "impersonate-user": identity };
      const { code, body } = await stack.sandbox.askPatiently("PATCH", path, { headers, body: JSON.stringify(object) });
      assert.match(code < 300 ? "done" : body, refusal ?? /^done$/, JSON.stringify(object));
    }
    const headers = { "impersonate-user": identity };
    const { body } = await stack.sandbox.askPatiently("DELETE", "/api/v1/namespaces/ada?dryRun=All", { headers });
    assert.match(body, beside);
  });

  it("has a pod that its namespace admits", async () => {
    const job = objects.find(({ kind }) => kind === "CronJob") as unknown as CronJob;
    const metadata = { name: "verify", namespace: "kubecamp-system" };
    const pod = { apiVersion: "v1", kind: "Pod", metadata, spec: job.spec.jobTemplate.spec.template.spec };
    const headers = { "content-type": "application/json" };
    const path = "/api/v1/namespaces/kubecamp-system/pods?dryRun=All";
    const { code, body, warnings } = await stack.sandbox.ask("POST", path, { headers, body: JSON.stringify(pod) });
    assert.deepEqual([code, warnings], [201, []], body);
  });

  it("gives the watch its metrics", async () => {
    await stack.makeProject();
    watch = await RunningWatch.start(stack);
    const { data } = await stack.sandbox.get<V1ConfigMap>("configmap", name, "kubecamp-system");
    await until(async () => (await watch?.ask("/metrics"))?.text.includes("kubecamp_verify_promises{") === true);
    assert.equal(await watch.metric('kubecamp_verify_promises{result="held"}'), Number(data?.held));
    const at = await watch.metric("kubecamp_verify_last_run_timestamp_seconds");
    assert.equal(new Date(at * 1000).toISOString(), data?.at);
  });
});
