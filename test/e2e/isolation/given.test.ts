import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { V1ConfigMap, V1Deployment, V1Secret, V1Service, V1ServiceAccount } from "@kubernetes/client-node";
import { stringify } from "yaml";
import { previewFolder } from "../../unit/deploy/manifests.ts";
import { assertSays, refusedInProcess } from "../program/inProcess.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { until } from "../program/workloads.ts";
import { ApiProxy } from "../support/cluster/apiProxy.ts";
import { applyFiles, deleteFiles } from "../support/manifestFiles.ts";
import { assertFine, assertRefused, type Caller, callerWith, signedIn, wordsOf } from "../support/signIn/signedIn.ts";
import { attempts, autoscaler } from "./given/attempts.ts";
import { inside } from "./hostile/attempt.ts";

const cs101 = { labels: { course: "cs101" } };
const ann: Entry = { member: "ann", type: "user", route: false, ...cs101 };
const bob: Entry = { member: "bob", type: "user", route: false };
/** Was there before, with a ConfigMap of the course's name. */
const eva: Entry = { member: "eva", type: "user", route: false, adopt: true, ...cs101 };
/** Comes later. */
const zed: Entry = { member: "zed", type: "user", route: false };

const configMap = (name: string, hello: string, namespace?: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  data: { hello },
});
/** An app with values that the API server writes in another form, or leaves out. */
const app = (name: string) => {
  const labels = { app: name };
  const container = { name, image: `${name}:1`, env: [{ name: "EMPTY", value: "" }] };
  const spec = { containers: [{ ...container, resources: { limits: { cpu: "0.1" } } }] };
  return [
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name },
      spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    },
    { apiVersion: "v1", kind: "Service", metadata: { name }, spec: { selector: labels, ports: [{ port: 80 }] } },
  ];
};
const secret = (name: string, password: string) => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, namespace: "platform" },
  type: "example.org/registry",
  stringData: { password },
});
const course = [configMap("course", `\${subject} in \${namespace}, $\${HOME}`), ...app("tutor")];
const lab = (hello: string) => [configMap("notes", hello), configMap("hints", hello), ...app("lab")];

const givenCourse = { file: "course.yaml", for: cs101 };
const others = [
  { file: "lab.yaml", theirs: true },
  { copy: "Secret platform/registry", imagePullSecret: true },
  { copy: "Secret platform/key", theirs: true },
];
const home = (resource: string) => inside("ann", resource);
const merge = "application/merge-patch+json";
/** A text as it would be in a log or in Pulumi's state. */
const formsOf = (text: string) => [text, Buffer.from(text).toString("base64")];

describe("what members are given", () => {
  after(async () => {
    await proxy.stop();
    await stack.delete("namespace", "platform");
  });
  const stack = useStack("given");
  const proxy = new ApiProxy();
  let caller: Caller;

  const write = (file: string, manifests: readonly object[]) =>
    writeFile(join(stack.folder, file), manifests.map((manifest) => stringify(manifest)).join("---\n"));
  const configure = (members: readonly Entry[], objects: readonly object[] = [givenCourse, ...others]) =>
    stack.configure(members, { images: ["*"], contact: "platform@example.org", objects });
  const up = async (...flags: string[]) => {
    const run = await stack.run(["up", "--yes", "--skip-preview", ...flags], {}, stack.folder);
    assert.equal(run.exitCode, 0, run.output);
    const steps = run.steps.filter((step) => !step.startsWith("same "));
    return { ...run, of: (member: string) => steps.filter((step) => step.includes(` ${member}/`)).sort(), steps };
  };
  const textOf = async (name: string, namespace = "ann") =>
    (await stack.sandbox.find<V1ConfigMap>("configmap", name, namespace))?.data?.hello;
  const passwordOf = async (name: string, namespace: string) => {
    const { data } = (await stack.sandbox.find<V1Secret>("secret", name, namespace)) ?? {};
    return Buffer.from(data?.password ?? "", "base64").toString();
  };
  const replicasOf = async (name: string) =>
    (await stack.sandbox.get<V1Deployment>("deployment", name, "ann")).spec?.replicas;
  const names = async (namespace: string) => {
    const given = ["configmap", "deployment", "service", "secret"].map(async (kind) => {
      const found = await stack.sandbox.names(kind, { namespace, labelSelector: "kubecamp.dev/object" });
      return found.map((name) => `${kind}/${name}`);
    });
    return (await Promise.all(given)).flat();
  };

  before(async () => {
    await stack.makeProject();
    await stack.sandbox.apply(
      ...["platform", "eva"].map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })),
      ...[secret("registry", "first-password"), secret("key", "first-key"), configMap("course", "eva's", "eva")],
    );
    await write("course.yaml", course);
    await write("lab.yaml", lab("first"));
    await configure([ann, bob, eva]);
    const { output } = await up();
    assert.ok(!formsOf("first-password").some((form) => output.includes(form)), output);
    caller = await signedIn(stack.sandbox, { sub: "ann" });
    // The API server takes a second to put policies in force.
    for (const path of ["configmaps/course", "secrets/registry"]) {
      await until(async () => (await caller.ask("DELETE", `${home(path)}?dryRun=All`)).status === 403);
    }
  });

  it("gives objects to those whom they are for, filled in and copied, over adopted members' own", async () => {
    const theirs = ["configmap/hints", "configmap/notes", "deployment/lab", "service/lab", "secret/key"];
    const all = [...theirs, "secret/registry"];
    assert.deepEqual(await names("bob"), all);
    assert.deepEqual(
      (await names("ann")).toSorted(),
      [...all, "configmap/course", "deployment/tutor", "service/tutor"].sort(),
    );
    assert.deepEqual(
      [await textOf("course"), await textOf("course", "eva")],
      [`ann in ann, $${"{HOME}"}`, `eva in eva, $${"{HOME}"}`],
    );
    assert.deepEqual(
      [await passwordOf("registry", "bob"), await passwordOf("key", "bob")],
      ["first-password", "first-key"],
    );
    assert.equal((await stack.sandbox.get<V1Secret>("secret", "registry", "ann")).type, "example.org/registry");
    assertFine(await caller.ask("GET", home("configmaps/course")));
    const pods = { namespace: "ann", labelSelector: "app=tutor" };
    await until(async () => (await stack.sandbox.names("pod", pods)).length > 0);
  });

  it("has pods pull images with a given Secret, and keeps it secret in Pulumi's state", async () => {
    const pod = { metadata: { name: "a" }, spec: { containers: [{ name: "a", image: "a:1" }] } };
    const made = await caller.ask("POST", `${home("pods")}?dryRun=All`, pod);
    assert.partialDeepStrictEqual(made.body, { spec: { imagePullSecrets: [{ name: "registry" }] } });
    const state = JSON.stringify(await stack.resources());
    assert.ok([...formsOf("first-password"), ...formsOf("first-key")].every((form) => !state.includes(form)));
  });

  for (const [what, ask, refusal] of attempts) {
    it(`refuses a member who tries to ${what}`, async () => assertRefused(await ask(caller, stack.sandbox), refusal));
  }

  it("refuses an autoscaler from before that scales a given Deployment", async () => {
    const metadata = { name: "tutor", namespace: "ann" };
    const body = JSON.stringify({ apiVersion: "autoscaling/v1", kind: "Scale", metadata, spec: { replicas: 2 } });
    const scaled = (headers: Readonly<Record<string, string>>) =>
      stack.sandbox.ask("PUT", `${home("deployments/tutor/scale")}?dryRun=All`, {
        headers: { "content-type": "application/json", ...headers },
        body,
      });
    const controller = "system:serviceaccount:kube-system:horizontal-pod-autoscaler";
    const refused = await scaled({ "impersonate-user": controller });
    assert.ok(refused.code >= 400);
    assert.match(refused.body, /no HorizontalPodAutoscaler can scale it/);
    assert.equal((await scaled({})).code, 200);
  });

  it("lets a member make, change and delete objects of their own", async () => {
    assertFine(await caller.ask("POST", home("configmaps"), { metadata: { name: "mine" }, data: { a: "b" } }));
    assertFine(await caller.ask("PATCH", home("configmaps/mine"), { data: { a: "c" } }, merge));
    assertFine(await caller.ask("DELETE", home("configmaps/mine")));
    assertFine(await caller.ask("POST", `${home("horizontalpodautoscalers")}?dryRun=All`, autoscaler("mine", "web")));
    assertFine(await caller.ask("DELETE", `${home("pods")}?labelSelector=app%3Dtutor`));
  });

  it("lets a member change and delete what is theirs, and make no label of the platform's", async () => {
    const change = async (path: string, body: object) => assertFine(await caller.ask("PATCH", home(path), body, merge));
    await change("configmaps/notes", { data: { hello: "mine" } });
    await change("services/lab", { spec: { selector: { app: "mine" } } });
    await change("deployments/lab/scale", { spec: { replicas: 0 } });
    for (const path of ["configmaps/hints", "secrets/key"]) {
      assertFine(await caller.ask("DELETE", home(path)));
    }
    for (const value of ["true", "other"]) {
      const labels = { "kubecamp.dev/object": value };
      const forged = await caller.ask("PATCH", home("configmaps/notes"), { metadata: { labels } }, merge);
      assert.match(wordsOf(forged), /^(403|422) .*which only the platform may set/);
    }
  });

  it("updates given objects by file and source unless theirs, and mends an admin's change", async () => {
    await write("lab.yaml", lab("second"));
    await stack.sandbox.apply(secret("registry", "second-password"), secret("key", "second-key"));
    await stack.sandbox.patch("deployment/scale", "tutor", "ann", { spec: { replicas: 0 } });
    await configure([ann, bob, eva, zed]);
    const { of, output } = await up("--diff");
    const registry = (member: string) => `update kubernetes:core/v1:Secret ${member}/object/secret/registry`;
    // Pulumi forgets what the member has deleted.
    assert.deepEqual(of("ann"), [
      "delete kubernetes:core/v1:ConfigMap ann/object/configmap/hints",
      "delete kubernetes:core/v1:Secret ann/object/secret/key",
      "update kubernetes:apps/v1:Deployment ann/object/deployment/tutor",
      registry("ann"),
    ]);
    assert.deepEqual(of("bob"), [registry("bob")]);
    assert.match(output, /Changed by hand;(.*\n)+?.*Deployment ann\/tutor/);
    const passwords = ["first-password", "second-password", "first-key", "second-key"];
    assert.ok(!passwords.flatMap(formsOf).some((form) => output.includes(form)), output);
    assert.deepEqual(
      [await textOf("notes"), await textOf("notes", "bob"), await textOf("notes", "zed")],
      ["mine", "first", "second"],
    );
    assert.deepEqual([await passwordOf("registry", "ann"), await passwordOf("key", "ann")], ["second-password", ""]);
    assert.deepEqual([await passwordOf("key", "bob"), await passwordOf("key", "zed")], ["first-key", "second-key"]);
    assert.deepEqual([await replicasOf("tutor"), await replicasOf("lab")], [1, 0]);
    const { spec } = await stack.sandbox.get<V1Service>("service", "lab", "ann");
    assert.deepEqual(spec?.selector, { app: "mine" });
  });

  it("makes no given object over one of the member's own", async () => {
    // With the marks of a run, which members can make up for names that nobody is given yet.
    const { metadata } = await stack.sandbox.get<V1ConfigMap>("configmap", "course", "ann");
    const marks = { labels: metadata?.labels, annotations: { "kubecamp.dev/applied": "x" } };
    const marked = configMap("marked", "mine", "ann");
    await stack.sandbox.apply(configMap("own", "mine", "ann"), {
      ...marked,
      metadata: { ...marked.metadata, ...marks },
    });
    await write("course.yaml", [...course, configMap("own", "theirs"), configMap("marked", "theirs")]);
    const first = await up();
    assert.deepEqual(first.of("ann"), [], first.output);
    assertSays(first.output, [
      "Objects that members did not get",
      "ann: ConfigMap ann/own is the member's own",
      "ann: ConfigMap ann/marked is the member's own",
    ]);
    assert.deepEqual([await textOf("own"), await textOf("marked")], ["mine", "mine"]);
    assertFine(await caller.ask("DELETE", home("configmaps/own")));
    await stack.delete("configmap", "marked", "ann");
    await up();
    assert.deepEqual([await textOf("own"), await textOf("marked")], ["theirs", "theirs"]);
  });

  it("lets the identity for previews read a copied Secret by its name, and no other", async () => {
    const files = ["rbac.yaml", "optional/objects.yaml"].map((file) => join(previewFolder, file));
    await applyFiles(stack.sandbox, ...files);
    const token = await stack.sandbox.token("kubecamp-preview", "kubecamp-system");
    const identity = callerWith(stack.sandbox, token);
    const byName = "?fieldSelector=metadata.name%3Dregistry";
    await until(async () => (await identity.ask("GET", `/api/v1/secrets${byName}`)).status === 200);
    for (const path of ["/api/v1/secrets", inside("platform", "secrets"), home("secrets/other")]) {
      assert.equal((await identity.ask("GET", path)).status, 403, path);
    }
    await deleteFiles(stack.sandbox, ...files);
  });

  it("stops a run that can't read a given object's file or source, and leaves the object", async () => {
    const folder = stack.folder;
    const proxied = await stack.behind(proxy);
    proxy.refuse("/api/v1/namespaces/platform/secrets", 403);
    await refusedInProcess(stack, ["Can't read the Secret 'platform/registry'"], { env: proxied, folder });
    proxy.release();
    await stack.delete("secret", "registry", "platform");
    await refusedInProcess(stack, ["There is no Secret 'platform/registry' to copy for members (objects)"], { folder });
    await configure([ann, bob, eva, zed], [{ file: "gone.yaml" }]);
    await refusedInProcess(stack, [/gone\.yaml.* does not exist/], { folder });
    assert.equal(await passwordOf("registry", "bob"), "second-password");
  });

  it("makes a given object the member's own once it is given as theirs", async () => {
    await stack.sandbox.apply(secret("registry", "second-password"));
    await configure([ann, bob, eva, zed], [{ ...givenCourse, theirs: true }, ...others]);
    await up();
    const path = `${home("configmaps/course")}?dryRun=All`;
    await until(async () => (await caller.ask("DELETE", path)).status === 200);
  });

  it("knows given objects after the state was lost, and deletes those no longer given but theirs", async () => {
    await stack.loseState();
    await configure([ann, bob, eva, zed], [{ ...givenCourse, theirs: true }, ...others]);
    await up();
    await configure([ann, bob, eva, zed], []);
    await up();
    assert.ok(!(await names("ann")).includes("secret/registry"));
    assert.deepEqual([await textOf("notes"), await textOf("course")], ["mine", `ann in ann, $${"{HOME}"}`]);
    assert.equal(await passwordOf("key", "bob"), "first-key");
    const account = await stack.sandbox.get<V1ServiceAccount>("serviceaccount", "default", "ann");
    assert.equal(account.imagePullSecrets, undefined);
    const own = { metadata: { name: "registry" } };
    await until(async () => (await caller.ask("POST", `${home("secrets")}?dryRun=All`, own)).status === 201);
  });
});
