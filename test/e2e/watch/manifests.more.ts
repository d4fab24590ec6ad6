import assert from "node:assert/strict";
import { mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { V1Pod } from "@kubernetes/client-node";
import { parseAllDocuments } from "yaml";
import { freePort } from "../../../sandbox/cluster/ports.ts";
import type { Manifest } from "../../unit/deploy/manifests.ts";
import { loginAt } from "../../unit/samples.ts";
import { kubecamp } from "../commands/kubecamp.ts";
import { otherKubeconfig } from "../program/kubeconfigs.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { makeService, until } from "../program/workloads.ts";
import { installMonitoring } from "../support/definitions/monitoring.ts";
import { imageFolder, removeImage } from "../support/imageFolder.ts";
import { RunningWatch } from "./runningWatch.ts";

const bob: Entry = { member: "bob", type: "user", starter: "kept" };
const ned: Entry = { member: "ned", type: "user", schedule: { sleep: "0 3 1 1 *", wake: "1 3 1 1 *" } };
const login = loginAt("camp.test");
const route = { host: "camp.test", login };
const host = "board.test";
/** An admin's own words, which are no markup for anybody. */
const contact = "<script>alert(1)</script>";

describe("kubecamp watch manifests", () => {
  const stack = useStack("prod");
  let forget = async () => undefined as unknown;
  let text = "";
  let root = "";
  let image = "";
  let watch: RunningWatch | undefined;

  const command = (...args: string[]) =>
    kubecamp(["watch", "manifests", ...args], { cwd: stack.folder, env: stack.sandbox.env });
  const board = async (path: string, visitor: string) =>
    (await watch?.board(path, { host, "X-Auth-Request-User": visitor })) ?? assert.fail("there is no watch");
  const kubectl = async (...args: string[]) => await stack.sandbox.kubectl([...args, "-f", "-"], { input: text });

  before(async () => {
    forget = await installMonitoring(stack.sandbox);
    root = await mkdtemp(join(tmpdir(), "kubecamp-image-"));
    image = await imageFolder(root);
    // As the Pod's first container does.
    for (const part of ["index.ts", "package.json", "node_modules"]) {
      await symlink(join(image, part), join(stack.folder, part));
    }
    const board = { host, port: await freePort(), admins: ["tina"] };
    await stack.configure([bob, ned], { route, board, contact });
    // As an admin does once, whose part the admission policies are.
    await stack.upFine();
  });
  after(async () => {
    await watch?.end("SIGKILL");
    if (text !== "") {
      await kubectl("delete", "--ignore-not-found");
    }
    await forget();
    await removeImage(root);
  });

  it("are printed from the stack's files alone, and say what they grant", async () => {
    const withImage = ["--image", "registry.example.org/kubecamp:1"];
    const { exitCode, stdout, stderr } = await command("--stack", "prod", ...withImage, "--monitoring", "release=prom");
    assert.equal(exitCode, 0, stderr);
    assert.equal(stderr, "rights of stack 'prod': the common ones");
    text = stdout;
  });

  it("are taken by the API server as they are, and change nothing the second time", async () => {
    const applied = await kubectl("apply", "--validate=strict");
    assert.equal(applied.exitCode, 0, applied.stderr);
    // A Deployment whose Pods would be refused is taken, with a warning.
    assert.equal(applied.stderr, "");
    const again = await kubectl("apply", "--dry-run=server", "--validate=strict");
    assert.equal(again.exitCode, 0, again.stderr);
    const changed = again.stdout.split("\n").filter((line) => !/ unchanged \(server dry run\)$/.test(line));
    assert.deepEqual(changed, []);
    const accounts = async () =>
      (await stack.sandbox.list<V1Pod>("pod", { namespace: "kubecamp-system" })).map(
        ({ spec }) => spec?.serviceAccountName,
      );
    await until(async () => (await accounts()).join() === "kubecamp-watch");
  });

  it("has the image's watch open a path, put back what is gone, and end, by the ServiceAccount", async () => {
    const token = await stack.kubectl("create", "token", "kubecamp-watch", "-n", "kubecamp-system");
    const env = { KUBECONFIG: await otherKubeconfig(stack, { token }), POD_NAME: "watch-0" };
    watch = await RunningWatch.start(stack, env, ["--lease", "kubecamp-system/kubecamp-watch"], image);
    await watch.ready();
    assert.match((await board("/members/ned", "tina")).text, /<h1>ned <span class="badge pending">/);
    await makeService(stack, "ned");
    await stack.sandbox.patch("service", "ned-svc", "ned", { metadata: { annotations: { note: contact } } });
    await watch.reported("route opened", { member: "ned" });
    await stack.delete("configmap", "starter-pages", "bob");
    await watch.reported("drift repaired", { member: "bob", object: "ConfigMap bob/starter-pages" });
  });

  it("let its board show admins all members, members themselves alone, and others nothing", async () => {
    await until(async () => /<h1>ned <span class="badge ready">/.test((await board("/members/ned", "tina")).text));
    // The object is back a moment before the up ends.
    await until(async () => (await board("/", "tina")).text.includes("bob/starter/pages"));
    const all = await board("/", "tina");
    assert.equal(all.status, 200);
    for (const part of ['href="/members/bob"', 'href="/members/ned"', "ned/route/ingress"]) {
      assert.ok(all.text.includes(part), part);
    }
    const own = await board("/", "ned");
    assert.equal(own.status, 200);
    assert.match(own.text, /<h1>ned /);
    assert.match(own.text, /&lt;script&gt;alert\(1\)/);
    assert.doesNotMatch(own.text, /bob|tina|<script/);
    const refused = { status: 403, text: "You may not look at this page. If you should, ask your admin.\n" };
    assert.deepEqual(await board("/members/bob", "ned"), refused);
    assert.deepEqual(await board("/members/nobody", "ned"), refused);
    for (const stranger of ["eve", "oidc:tina", ""]) {
      assert.deepEqual(await board("/", stranger), refused, stranger);
    }
    assert.deepEqual(await watch?.board("/", { host }), refused);
    assert.equal((await watch?.board("/", { "X-Auth-Request-User": "tina" }))?.status, 421);
  });

  it("have given it all the rights that it asked for", async () => {
    assert.equal(await watch?.end("SIGTERM"), 0, watch?.output);
    assert.doesNotMatch(watch?.output ?? "", /forbidden/i);
  });

  it("can be read by the Pod as files of a project", async () => {
    const objects = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
    const config = objects.find(
      ({ kind, metadata }) => kind === "ConfigMap" && metadata.name === "kubecamp-watch-config",
    );
    assert.deepEqual(Object.keys((config?.data ?? {}) as object), ["Pulumi.yaml", "Pulumi.prod.yaml"]);
  });

  it("go with everything that they made", async () => {
    // Here, what is in the namespace may have gone with it before kubectl comes to it.
    const deleted = await kubectl("delete", "--ignore-not-found");
    assert.equal(deleted.exitCode, 0, deleted.stderr);
    const left = await stack.kubectl(
      "get",
      "clusterroles,clusterrolebindings,roles,rolebindings,validatingadmissionpolicies,namespaces,ingresses,services",
      "-A",
      "-o",
      "name",
    );
    assert.doesNotMatch(left, /kubecamp-(watch|system)/);
    text = "";
  });

  it("refuses manifests for a stack with mistakes, for no stack, and for unknown features", async () => {
    const { exitCode, stderr } = await command("--stack", "school");
    assert.equal(exitCode, 1);
    assert.match(stderr, /There is no stack 'school' in this folder/);
    const unknown = await command("--stack", "prod", "--with", "starters");
    assert.equal(unknown.exitCode, 1);
    assert.match(unknown.stderr, /There are no further rights 'starters'\.\n.*archive, policies, secrets\./);
    assert.equal((await command("--stack", "prod", "--name", "A_b")).exitCode, 2);
    await stack.configure([bob, bob]);
    const wrong = await command("--stack", "prod");
    assert.equal(wrong.exitCode, 1);
    assert.match(wrong.stderr, /The configuration of stack 'prod' has mistakes/);
    assert.equal(wrong.stdout, "");
  });
});
