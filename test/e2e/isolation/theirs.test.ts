import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { stringify } from "yaml";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { kubecamp } from "../commands/kubecamp.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { until } from "../program/workloads.ts";
import { type Answer, type Caller, signedIn } from "../support/signIn/signedIn.ts";

const members: readonly Entry[] = [{ member: "ann", type: "user", route: false }];
const labels = { app: "lab" };
const configMap = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { a: "first" } });
const lab = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "lab" },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "lab", image: "lab:1" }] } },
  },
};
const service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "lab" },
  spec: { selector: labels, ports: [{ port: 80 }] },
};

const home = "/api/v1/namespaces/ann";
const merge = "application/merge-patch+json";
const wordsOf = ({ status, body }: Answer) =>
  `${status} ${(body as { message?: string }).message ?? JSON.stringify(body)}`;

describe("objects that members are given as their own", () => {
  const stack = useStack("theirs");
  let ann: Caller;

  const give = async (theirs: boolean, ...manifests: readonly object[]) => {
    const file = join(stack.folder, "lab.yaml");
    await writeFile(file, manifests.map((manifest) => stringify(manifest)).join("---\n"));
    const objects = [{ file: relative(repository, file), ...(theirs ? { theirs } : {}) }];
    await stack.configure(members, { images: ["*"], objects });
  };
  const textOf = (name: string) => stack.kubectl("get", "configmap", name, "-n", "ann", "-o", "jsonpath={.data.a}");
  const fine = (answer: Answer) => assert.ok(answer.status < 300, wordsOf(answer));
  const changes = (steps: readonly string[]) => steps.filter((step) => !step.startsWith("same "));

  before(async () => {
    await stack.makeProject();
    await give(true, configMap("notes"), configMap("hints"), lab, service);
    await stack.upFine();
    ann = await signedIn(stack.sandbox, { sub: "ann" });
  });

  it("are the member's to change and to delete", async () => {
    fine(await ann.ask("PATCH", `${home}/configmaps/notes`, { data: { a: "mine" } }, merge));
    fine(await ann.ask("PATCH", `${home}/services/lab`, { spec: { selector: { app: "mine" } } }, merge));
    fine(
      await ann.ask("PATCH", "/apis/apps/v1/namespaces/ann/deployments/lab/scale", { spec: { replicas: 0 } }, merge),
    );
    fine(await ann.ask("DELETE", `${home}/configmaps/hints`));
  });

  it("pass for the platform's with no label that the member writes", async () => {
    const path = `${home}/configmaps/notes`;
    const another = { metadata: { name: "another", labels: { "kubecamp.dev/object": "theirs" } } };
    // The API server takes a moment until it goes by a new policy.
    await until(async () => (await ann.ask("POST", `${home}/configmaps?dryRun=All`, another)).status >= 400);
    for (const value of ["true", "other"]) {
      const forged = await ann.ask("PATCH", path, { metadata: { labels: { "kubecamp.dev/object": value } } }, merge);
      assert.match(wordsOf(forged), new RegExp(`^(403|422) .*has 'kubecamp.dev/object=${value}', by which`));
    }
    assert.match(wordsOf(await ann.ask("POST", `${home}/configmaps`, another)), /^(403|422) .*ConfigMap 'another' has/);
  });

  it("are neither reset nor made again, also when their file changes", async () => {
    await give(true, { ...configMap("notes"), data: { a: "second" } }, configMap("hints"), lab, service);
    const preview = await stack.preview("--diff");
    assert.equal(preview.exitCode, 0, preview.output);
    const { steps, output } = await stack.upFine();
    // Pulumi forgets what the member has deleted.
    assert.deepEqual(changes(steps), ["delete kubernetes:core/v1:ConfigMap ann/object/configmap/hints"], output);
    assert.doesNotMatch(output, /warning/);
    const selector = await stack.kubectl("get", "service", "lab", "-n", "ann", "-o", "jsonpath={.spec.selector}");
    assert.equal(selector, JSON.stringify({ app: "mine" }));
    const replicas = await stack.kubectl("get", "deployment", "lab", "-n", "ann", "-o", "jsonpath={.spec.replicas}");
    assert.equal(replicas, "0");
    assert.equal(await textOf("notes"), "mine");
    assert.deepEqual(changes((await stack.upFine()).steps), []);
    assert.equal((await ann.ask("GET", `${home}/configmaps/hints`)).status, 404);
  });

  it("are what they were, and left as they are, after a rebuild of a lost state", async () => {
    const gone = await stack.manage("stack", "rm", stack.name, "--force", "--preserve-config", "--yes");
    assert.equal(gone.exitCode, 0, gone.stderr);
    assert.equal((await stack.manage("stack", "init", stack.name)).exitCode, 0);
    const flags = ["--stack", stack.name, "--folder", stack.folder, "--yes"];
    const { exitCode, stderr } = await kubecamp(["state", "rebuild", ...flags], { env: stack.sandbox.env });
    assert.equal(exitCode, 0, stderr);
    assert.deepEqual(changes((await stack.upFine()).steps), []);
    assert.equal(await textOf("notes"), "mine");
    assert.equal((await ann.ask("GET", `${home}/configmaps/hints`)).status, 404);
  });

  it("are made beside those that the member has, and become theirs where they were the platform's", async () => {
    await give(false, configMap("course"));
    await stack.upFine();
    await until(async () => (await ann.ask("DELETE", `${home}/configmaps/course?dryRun=All`)).status === 403);
    // What is no longer in the settings stays, and remains the member's.
    assert.equal(await textOf("notes"), "mine");
    fine(await ann.ask("DELETE", `${home}/configmaps/notes`));
    await give(true, configMap("course"), configMap("notes"));
    await stack.upFine();
    await until(async () => (await ann.ask("DELETE", `${home}/configmaps/course?dryRun=All`)).status === 200);
    // Given anew, as the entry was gone.
    assert.equal(await textOf("notes"), "first");
  });
});
