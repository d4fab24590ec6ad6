import assert from "node:assert/strict";
import { join } from "node:path";
import type { V1Secret, V1ServiceAccount } from "@kubernetes/client-node";
import { previewFolder } from "../../unit/deploy/manifests.ts";
import { refusedInProcess } from "../program/inProcess.ts";
import { otherKubeconfig } from "../program/kubeconfigs.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { until } from "../program/workloads.ts";
import { applyFiles, deleteFiles } from "../support/manifestFiles.ts";
import { type Caller, callerWith, signedIn } from "../support/signIn/signedIn.ts";

const members: readonly Entry[] = [
  { member: "ann", type: "user", route: false },
  { member: "bob", type: "user", route: false },
];
const settings = { images: ["*"], objects: [{ copy: "Secret platform/registry", imagePullSecret: true }] };
const registry = (password: string) => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "registry", namespace: "platform" },
  type: "example.org/registry",
  stringData: { password },
});
const first = "first-password";
const second = "second-password";
const home = "/api/v1/namespaces/ann/secrets";

describe("copies that members are given", () => {
  const stack = useStack("copies");
  let ann: Caller;

  const passwordOf = async (member: string) => {
    const { data } = await stack.sandbox.get<V1Secret>("secret", "registry", member);
    return Buffer.from(data?.password ?? "", "base64").toString();
  };
  const stateText = async () => JSON.stringify(await stack.resources());
  /** A text as it would be in a log or in Pulumi's state. */
  const formsOf = (text: string) => [text, Buffer.from(text).toString("base64")];

  before(async () => {
    await stack.sandbox.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "platform" } }, registry(first));
    await stack.configure(members, settings);
    const { output } = await stack.upFine();
    for (const form of formsOf(first)) {
      assert.ok(!output.includes(form), output);
    }
    ann = await signedIn(stack.sandbox, { sub: "ann" });
    await until(async () => (await ann.ask("DELETE", `${home}/registry?dryRun=All`)).status === 403);
  });

  after(() => stack.delete("namespace", "platform"));

  it("are there for each member, with the type, and a secret in Pulumi's state", async () => {
    assert.equal(await passwordOf("ann"), first);
    assert.equal(await passwordOf("bob"), first);
    const { type } = await stack.sandbox.get<V1Secret>("secret", "registry", "ann");
    assert.equal(type, "example.org/registry");
    const state = await stateText();
    assert.ok(formsOf(first).every((form) => !state.includes(form)));
  });

  it("pull images for pods that don't ask for it", async () => {
    const pod = { metadata: { name: "a" }, spec: { containers: [{ name: "a", image: "a:1" }] } };
    const made = await ann.ask("POST", "/api/v1/namespaces/ann/pods?dryRun=All", pod);
    assert.partialDeepStrictEqual(made.body, { spec: { imagePullSecrets: [{ name: "registry" }] } });
  });

  const merge = "application/merge-patch+json";
  const theirs = /Secret 'registry' belongs to the platform/;
  const whole = { metadata: { name: "registry" }, type: "example.org/registry", stringData: { password: "mine" } };
  const attempts: readonly (readonly [string, string, string, object | undefined, RegExp])[] = [
    ["to change", "PATCH", `${home}/registry`, { stringData: { password: "mine" } }, theirs],
    ["to replace", "PUT", `${home}/registry`, whole, theirs],
    ["to take kubecamp's label off", "PATCH", `${home}/registry`, { metadata: { labels: null } }, theirs],
    ["to freeze", "PATCH", `${home}/registry`, { immutable: true }, theirs],
    [
      "to tie to an object of their own",
      "PATCH",
      `${home}/registry`,
      { metadata: { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "x" }] } },
      theirs,
    ],
    [
      "to keep from going",
      "PATCH",
      `${home}/registry`,
      { metadata: { finalizers: ["example.org/never"] } },
      // Two policies refuse it, and the API server answers with either.
      /Secret 'registry' (belongs to the platform|has the finalizer 'example.org\/never', which only a controller may put there)/,
    ],
    ["to delete", "DELETE", `${home}/registry`, undefined, theirs],
    [
      "to delete with all others",
      "DELETE",
      home,
      undefined,
      /Secret 'registry' belongs to the platform|cannot deletecollection/,
    ],
    [
      "to keep from their pods' ServiceAccount",
      "PATCH",
      "/api/v1/namespaces/ann/serviceaccounts/default",
      { imagePullSecrets: null },
      /cannot patch resource .*serviceaccounts/,
    ],
    [
      "to read where it comes from",
      "GET",
      "/api/v1/namespaces/platform/secrets/registry",
      undefined,
      /cannot get resource .*secrets/,
    ],
  ];
  for (const [tries, method, path, body, words] of attempts) {
    it(`are not the member's ${tries}`, async () => {
      const answer = await ann.ask(method, path, body, method === "PATCH" ? merge : undefined);
      assert.ok([403, 422].includes(answer.status), JSON.stringify(answer.body));
      assert.match(JSON.stringify(answer.body), words);
    });
  }

  it("are as they were, after all of that", async () => {
    assert.equal(await passwordOf("ann"), first);
  });

  it("follow their source, and nothing else changes", async () => {
    await stack.sandbox.apply(registry(second));
    const { steps, output } = await stack.upPreviewed("--diff");
    assert.deepEqual(
      steps.toSorted(),
      members.map(({ member }) => `update kubernetes:core/v1:Secret ${member}/object/secret/registry`),
      output,
    );
    for (const form of [...formsOf(first), ...formsOf(second)]) {
      assert.ok(!output.includes(form), output);
    }
    assert.equal(await passwordOf("ann"), second);
  });

  it("are read by the identity for previews by their names, and no other Secret is; unchanged, they change nothing", async () => {
    const files = ["rbac.yaml", "optional/objects.yaml"].map((file) => join(previewFolder, file));
    await applyFiles(stack.sandbox, ...files);
    const token = await stack.sandbox.token("kubecamp-preview", "kubecamp-system");
    const caller = callerWith(stack.sandbox, token);
    const KUBECONFIG = await otherKubeconfig(stack, { token });
    const byName = "?fieldSelector=metadata.name%3Dregistry";
    await until(async () => (await caller.ask("GET", `/api/v1/secrets${byName}`)).status === 200);
    for (const path of ["/api/v1/secrets", "/api/v1/namespaces/platform/secrets", `${home}/other`]) {
      assert.equal((await caller.ask("GET", path)).status, 403, path);
    }
    const { exitCode, output, steps } = await stack.run(["preview"], { KUBECONFIG });
    assert.equal(exitCode, 0, output);
    assert.deepEqual(
      steps.filter((step) => !step.startsWith("same ")),
      [],
    );
    await deleteFiles(stack.sandbox, ...files);
  });

  it("stay if a preview reads no cluster", async () => {
    const { exitCode, output } = await stack.run(["preview"], { KUBECAMP_OFFLINE: "1" });
    assert.equal(exitCode, 0, output);
    assert.doesNotMatch(output, /object\/secret\/registry/);
  });

  it("stop a run whose source is gone, with its name, and stay", async () => {
    await stack.delete("secret", "registry", "platform");
    await refusedInProcess(stack, ["There is no Secret 'platform/registry' to copy for members (objects)"]);
    assert.equal(await passwordOf("bob"), second);
  });

  it("go once they are no longer in the settings", async () => {
    await stack.configure(members, { images: ["*"] });
    await stack.upFine();
    assert.deepEqual(await stack.sandbox.names("secret", { labelSelector: "kubecamp.dev/object=true" }), []);
    const account = await stack.sandbox.get<V1ServiceAccount>("serviceaccount", "default", "ann");
    assert.equal(account.imagePullSecrets, undefined);
  });
});
