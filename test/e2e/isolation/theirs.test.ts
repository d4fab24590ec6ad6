import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { V1ConfigMap, V1Deployment, V1Secret, V1Service } from "@kubernetes/client-node";
import { stringify } from "yaml";
import { rebuildState } from "../commands/kubecamp.ts";
import { refusedInProcess } from "../program/inProcess.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { until } from "../program/workloads.ts";
import { type Answer, type Caller, signedIn, wordsOf } from "../support/signIn/signedIn.ts";

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

describe("objects that members are given as their own", () => {
  const stack = useStack("theirs");
  let ann: Caller;

  const give = async (theirs: boolean, ...manifests: readonly object[]) => {
    const file = join(stack.folder, "lab.yaml");
    await writeFile(file, manifests.map((manifest) => stringify(manifest)).join("---\n"));
    const objects = [{ file: "lab.yaml", ...(theirs ? { theirs } : {}) }];
    await stack.configure(members, { images: ["*"], objects });
  };
  /** As a project of its own, where a rebuild of the state reads the same file. */
  const up = async (...flags: string[]) => {
    const run = await stack.run(
      ["up", "--yes", ...(flags.length === 0 ? ["--skip-preview"] : flags)],
      {},
      stack.folder,
    );
    assert.equal(run.exitCode, 0, run.output);
    return run;
  };
  const textOf = async (name: string) => (await stack.sandbox.get<V1ConfigMap>("configmap", name, "ann")).data?.a;
  const fine = (answer: Answer) => assert.ok(answer.status < 300, wordsOf(answer));
  const changes = (steps: readonly string[]) => steps.filter((step) => !step.startsWith("same "));

  before(async () => {
    await stack.makeProject();
    await give(true, configMap("notes"), configMap("hints"), lab, service);
    await up();
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
      assert.match(
        wordsOf(forged),
        new RegExp(`^(403|422) .*has 'kubecamp.dev/object=${value}', which only the platform may set`),
      );
    }
    assert.match(wordsOf(await ann.ask("POST", `${home}/configmaps`, another)), /^(403|422) .*ConfigMap 'another' has/);
  });

  it("are neither reset nor made again, also when their file changes", async () => {
    await give(true, { ...configMap("notes"), data: { a: "second" } }, configMap("hints"), lab, service);
    const { steps, output } = await up("--diff");
    // Pulumi forgets what the member has deleted.
    assert.deepEqual(changes(steps), ["delete kubernetes:core/v1:ConfigMap ann/object/configmap/hints"], output);
    assert.doesNotMatch(output, /warning/);
    const { spec } = await stack.sandbox.get<V1Service>("service", "lab", "ann");
    assert.deepEqual(spec?.selector, { app: "mine" });
    assert.equal((await stack.sandbox.get<V1Deployment>("deployment", "lab", "ann")).spec?.replicas, 0);
    assert.equal(await textOf("notes"), "mine");
  });

  it("are what they were, and left as they are, after a rebuild of a lost state", async () => {
    await stack.loseState();
    await rebuildState(stack);
    assert.deepEqual(changes((await up()).steps), []);
    assert.equal(await textOf("notes"), "mine");
    assert.equal((await ann.ask("GET", `${home}/configmaps/hints`)).status, 404);
  });

  it("are made beside those that the member has, and become theirs where they were the platform's", async () => {
    await give(false, configMap("course"));
    await up();
    await until(async () => (await ann.ask("DELETE", `${home}/configmaps/course?dryRun=All`)).status === 403);
    // The object stays the member's without its entry.
    assert.equal(await textOf("notes"), "mine");
    fine(await ann.ask("DELETE", `${home}/configmaps/notes`));
    await give(true, configMap("course"), configMap("notes"));
    await up();
    await until(async () => (await ann.ask("DELETE", `${home}/configmaps/course?dryRun=All`)).status === 200);
    // Given anew, as the entry was gone.
    assert.equal(await textOf("notes"), "first");
  });

  describe("as copies", () => {
    const source = (password: string) => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "key", namespace: "source-of-theirs" },
      type: "example.org/key",
      stringData: { password },
    });
    const bob: Entry = { member: "bob", type: "user", route: false };
    const settings = { images: ["*"], objects: [{ copy: "Secret source-of-theirs/key", theirs: true }] };
    const secrets = `${home}/secrets`;
    const passwordOf = async (member: string) => {
      const secret = await stack.sandbox.find<V1Secret>("secret", "key", member);
      return Buffer.from(secret?.data?.password ?? "", "base64").toString();
    };

    before(async () => {
      await stack.sandbox.apply(
        { apiVersion: "v1", kind: "Namespace", metadata: { name: "source-of-theirs" } },
        source("first"),
      );
      await stack.configure(members, settings);
      await up();
    });
    after(() => stack.delete("namespace", "source-of-theirs"));

    it("have the type and data of the source, and are the member's to change", async () => {
      assert.partialDeepStrictEqual((await ann.ask("GET", `${secrets}/key`)).body, {
        type: "example.org/key",
        metadata: { labels: { "kubecamp.dev/object": "theirs" } },
      });
      assert.equal(await passwordOf("ann"), "first");
      // Its source is not theirs.
      assert.equal((await ann.ask("GET", "/api/v1/namespaces/source-of-theirs/secrets/key")).status, 403);
      fine(await ann.ask("PATCH", `${secrets}/key`, { stringData: { password: "mine" } }, merge));
    });

    it("stay as they are when the source changes, which only new members see", async () => {
      await stack.sandbox.apply(source("second"));
      await stack.configure([...members, bob], settings);
      const { output } = await up();
      assert.doesNotMatch(output, /warning/);
      assert.deepEqual([await passwordOf("ann"), await passwordOf("bob")], ["mine", "second"]);
      const state = JSON.stringify(await stack.resources());
      for (const password of ["first", "mine", "second"]) {
        const forms = [`"${password}"`, Buffer.from(password).toString("base64")];
        assert.ok(!forms.some((form) => state.includes(form)), password);
      }
    });

    it("stay away once the member has deleted them", async () => {
      fine(await ann.ask("DELETE", `${secrets}/key`));
      const { steps, output } = await up();
      // Nothing of bob's copy, which is there since the last run.
      assert.deepEqual(changes(steps), ["delete kubernetes:core/v1:Secret ann/object/secret/key"], output);
      assert.deepEqual([await passwordOf("ann"), await passwordOf("bob")], ["", "second"]);
      assert.deepEqual(changes((await up()).steps), []);
    });

    it("stay when their source goes, which stops the run, and when their entry does", async () => {
      await stack.delete("secret", "key", "source-of-theirs");
      await refusedInProcess(stack, ["There is no Secret 'source-of-theirs/key' to copy for members (objects)"]);
      await stack.configure([...members, bob], { images: ["*"] });
      await up();
      assert.equal(await passwordOf("bob"), "second");
    });
  });
});
