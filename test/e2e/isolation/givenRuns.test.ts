import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { V1ConfigMap } from "@kubernetes/client-node";
import { stringify } from "yaml";
import type { resultJson } from "../../../commands/up/print/resultText.ts";
import { kubecamp, rebuildState } from "../commands/kubecamp.ts";
import { refusedInProcess } from "../program/inProcess.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { until } from "../program/workloads.ts";
import { ApiProxy } from "../support/cluster/apiProxy.ts";
import { RunningWatch } from "../watch/runningWatch.ts";

const ann: Entry = { member: "ann", type: "user", route: false };
const bob: Entry = { member: "bob", type: "user", route: false, labels: { course: "cs101" } };
const settings = { images: ["*"] };
const configMap = (name: string, a: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data: { a },
});
const space = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
const registry = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "registry", namespace: "platform" },
  type: "example.org/registry",
  stringData: { password: "of-the-registry" },
};
const course = { file: "course.yaml" };
const copy = { copy: "Secret platform/registry" };

describe("objects that members are given", () => {
  // Before the stack goes: the watch would bring it up again.
  after(async () => {
    await watch?.end("SIGTERM");
    await proxy.stop();
    await stack.delete("namespace", "platform");
  });
  const stack = useStack("givenruns");
  const proxy = new ApiProxy();
  let watch: RunningWatch | undefined;
  let proxied: { readonly KUBECONFIG: string };

  const write = async (...manifests: readonly object[]) =>
    await writeFile(join(stack.folder, "course.yaml"), manifests.map((each) => stringify(each)).join("---\n"));
  const up = async (...args: string[]) => {
    const flags = ["up", "--stack", stack.name, "-o", "json", ...args];
    const { stdout, stderr } = await kubecamp(flags, { cwd: stack.folder, env: stack.sandbox.env });
    const [result] = (JSON.parse(stdout) as ReturnType<typeof resultJson>).stacks;
    return result ?? assert.fail(stderr);
  };
  const givenIn = async (namespace: string) => {
    const given = { namespace, labelSelector: "kubecamp.dev/object" };
    return [await stack.sandbox.names("configmap", given), await stack.sandbox.names("secret", given)];
  };
  const textOf = async (namespace: string, name: string) =>
    (await stack.sandbox.find<V1ConfigMap>("configmap", name, namespace))?.data?.a;

  before(async () => {
    await stack.makeProject();
    await stack.sandbox.apply(space("platform"), registry);
    proxied = await stack.behind(proxy);
    // The member's own, from before.
    await stack.sandbox.apply(space("bob"), {
      ...configMap("course", "bob's"),
      metadata: { name: "course", namespace: "bob" },
    });
  });
  afterEach(function () {
    proxy.release();
    if (this.currentTest?.state === "failed") {
      console.error(watch?.output);
    }
  });

  it("are made by an adoption, over the member's own of the name", async () => {
    await write(configMap("course", "first"));
    await stack.configure([ann, { ...bob, adopt: true }], { ...settings, objects: [course, copy] });
    const first = await up();
    assert.equal(first.result, "succeeded", JSON.stringify(first));
    assert.deepEqual([await textOf("ann", "course"), await textOf("bob", "course")], ["first", "first"]);
    assert.deepEqual(await givenIn("bob"), [["course"], ["registry"]]);
    const second = await up();
    assert.deepEqual([second.result, second.plan], ["unchanged", "nothing differs"]);
  });

  it("follow their file with kubecamp up, which changes those alone who are given it", async () => {
    await stack.configure([ann, bob], {
      ...settings,
      objects: [{ ...course, for: { labels: { course: "cs101" } } }, copy],
    });
    await write(configMap("course", "second"));
    const { result, members } = await up();
    assert.deepEqual([result, members], ["succeeded", ["ann", "bob"]]);
    // It left whom it is no longer for.
    assert.deepEqual([await textOf("ann", "course"), await textOf("bob", "course")], [undefined, "second"]);
    await write(configMap("course", "third"));
    const again = await up();
    assert.deepEqual([again.result, again.members], ["succeeded", ["bob"]]);
    assert.equal(await textOf("bob", "course"), "third");
  });

  it("stay as they are if a run may not read what they are copied from, which stops it with the name", async () => {
    proxy.refuse("/api/v1/namespaces/platform/secrets", 403);
    const words = ["Can't read the Secret 'platform/registry' from the API server"];
    await refusedInProcess(stack, words, { env: proxied, folder: stack.folder });
    assert.ok(proxy.refusals >= 2);
    assert.deepEqual(await givenIn("ann"), [[], ["registry"]]);
    assert.deepEqual(await givenIn("bob"), [["course"], ["registry"]]);
  });

  it("come back with the watch when they were deleted, and not where they are the member's own", async () => {
    await writeFile(join(stack.folder, "notes.yaml"), stringify(configMap("notes", "first")));
    await stack.configure([ann, bob], {
      ...settings,
      objects: [course, copy, { file: "notes.yaml", theirs: true }],
    });
    watch = await RunningWatch.start(stack, proxied);
    await watch.ready();
    assert.deepEqual([await textOf("ann", "course"), await textOf("ann", "notes")], ["third", "first"]);
    await stack.delete("configmap", "notes", "ann");
    await stack.delete("configmap", "course", "ann");
    await until(async () => (await textOf("ann", "course")) === "third");
    await stack.sandbox.patch("configmap", "course", "bob", { data: { a: "changed" } });
    await until(async () => (await textOf("bob", "course")) === "third");
    assert.equal(await textOf("ann", "notes"), undefined);
    await watch.end("SIGTERM");
  });

  it("are found by a rebuild of a lost state, also those that no setting gives any more, and go then", async () => {
    await stack.configure([ann, bob], settings);
    await stack.loseState();
    await stack.configure([ann, bob], settings);
    await rebuildState(stack);
    const state = JSON.stringify(await stack.resources());
    assert.match(state, /ann\/object\/secret\/registry/);
    const { password } = registry.stringData;
    assert.ok([password, Buffer.from(password).toString("base64")].every((text) => !state.includes(text)));
    const last = await up();
    assert.equal(last.result, "succeeded", JSON.stringify(last));
    // The member's own object stays.
    assert.deepEqual(await givenIn("ann"), [[], []]);
    assert.deepEqual(await givenIn("bob"), [["notes"], []]);
  });
});
