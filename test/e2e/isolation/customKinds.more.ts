import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { V1ResourceQuota } from "@kubernetes/client-node";
import { stringify } from "yaml";
import type { resultJson } from "../../../commands/up/resultText.ts";
import { backendCaName } from "../../../config/names/names.ts";
import { kubecamp } from "../commands/kubecamp.ts";
import { assertSays, refusalOf, refusedInProcess } from "../program/inProcess.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { until } from "../program/workloads.ts";
import { customDefinition } from "../support/definitions/custom.ts";
import { installDefinitions } from "../support/definitions/definitions.ts";
import { type Caller, signedIn, wordsOf } from "../support/signIn/signedIn.ts";
import { RunningWatch } from "../watch/runningWatch.ts";

const ann: Entry = { member: "ann", type: "user", route: false };
const bob: Entry = { member: "bob", type: "user", route: false, labels: { course: "cs101" } };
const settings = { images: ["*"], contact: "platform@example.org" };
const group = "custom-kinds.test";

const definitions = [
  customDefinition(group, { kind: "Widget", plural: "widgetry" }, "Namespaced", ["v1", "v1beta1"]),
  customDefinition(group, { kind: "Fleet", plural: "fleets" }, "Cluster"),
  // Called as one of Kubernetes' own.
  customDefinition(group, { kind: "ConfigMap", plural: "configmaps" }),
];

const count = `count/widgetry.${group}`;
const v1 = `${group}/v1`;
const widget = (name: string, apiVersion = v1, parts = ["a"]) => ({
  apiVersion,
  kind: "Widget",
  metadata: { name },
  spec: { owner: "$" + "{member}", replicas: 1, parts },
});
const allowed = { apiVersion: v1, kind: "Widget", plural: "widgetry" };
/** Called as one of Kubernetes' own. */
const alike = { apiVersion: v1, kind: "ConfigMap" };
const file = "widgets.yaml";
const home = `/apis/${v1}/namespaces/ann/widgetry`;
const merge = "application/merge-patch+json";

interface Widget {
  readonly metadata: { readonly uid: string };
  readonly spec: {
    readonly owner?: string;
    readonly colour?: string;
    readonly replicas?: number;
    readonly parts?: readonly string[];
  };
}

/** Waits until Kubernetes has learned to count such objects. */
async function counted(stack: ReturnType<typeof useStack>): Promise<void> {
  while (!(await isCounted(stack))) {
    await setTimeout(1000);
  }
}

async function isCounted(stack: ReturnType<typeof useStack>): Promise<boolean> {
  const metadata = { name: "counting", namespace: "default" };
  await stack.sandbox.apply({ apiVersion: "v1", kind: "ResourceQuota", metadata, spec: { hard: { [count]: "9" } } });
  const status = async () => (await stack.sandbox.get<V1ResourceQuota>("resourcequota", "counting")).status;
  await until(async () => (await status())?.hard !== undefined);
  const isKnown = (await status())?.used?.[count] !== undefined;
  await stack.delete("resourcequota", "counting", "default");
  return isKnown;
}

describe("objects of custom kinds that members are given", () => {
  after(async () => {
    await watch?.end("SIGTERM");
    await uninstall?.();
  });
  const stack = useStack("customkinds");
  let watch: RunningWatch | undefined;
  let uninstall: (() => Promise<void>) | undefined;
  let counting: Promise<void> | undefined;
  let caller: Caller;

  const write = async (...manifests: readonly object[]) =>
    await writeFile(join(stack.folder, file), manifests.map((each) => stringify(each)).join("---\n"));
  const configure = (more: Record<string, unknown> = {}, members: readonly Entry[] = [ann, bob]) =>
    stack.configure(members, { ...settings, objectKinds: [allowed], objects: [{ file }], ...more });
  const up = () => stack.run(["up", "--yes", "--skip-preview"], {}, stack.folder);
  const upFine = async () => {
    const run = await up();
    assert.equal(run.exitCode, 0, run.output);
    return run;
  };
  const changes = (steps: readonly string[]) => steps.filter((step) => !step.startsWith("same "));
  const find = (namespace: string, name: string) => stack.sandbox.find<Widget>("widget", name, namespace);
  const ownerOf = async (namespace: string, name: string) => (await find(namespace, name))?.spec.owner;
  const widgetsIn = async (namespace: string) => (await stack.sandbox.names("widget", { namespace })).join(" ");

  before(async () => {
    await stack.makeProject();
    await write(widget("course"));
  });
  afterEach(function () {
    if (this.currentTest?.state === "failed") {
      console.error(watch?.output);
    }
  });

  it("stops a run on a cluster that lacks a custom kind or has it otherwise", async () => {
    await configure();
    const place = { folder: stack.folder };
    const words = "Widget (custom-kinds.test/v1): there is no such kind; install its CustomResourceDefinition";
    await refusedInProcess(stack, [words], place);
    uninstall = await installDefinitions(stack.sandbox, ...definitions);
    const fleet = { apiVersion: v1, kind: "Fleet" };
    await configure({ objectKinds: [{ apiVersion: v1, kind: "Widget" }, fleet] });
    assertSays(await refusalOf(stack, false, place), [
      /Widget .*: its resource is 'widgetry', not 'widgets'; set plural: widgetry/,
      /Fleet .*: is cluster-scoped, and members get objects in their own namespace only/,
    ]);
    // It takes up to half a minute, in which the next tests run.
    counting = counted(stack);
    counting.catch(() => undefined);
  });

  it("gives each member an object of a custom kind, filled in", async () => {
    const beta = `${group}/v1beta1`;
    await write(widget("course", beta));
    await configure({ objectKinds: [{ ...allowed, apiVersion: beta }] });
    await upFine();
    for (const member of ["ann", "bob"]) {
      assert.partialDeepStrictEqual(await find(member, "course"), { spec: { owner: member, colour: "red" } });
    }
  });

  it("keeps an object of a custom kind that is given in another version", async () => {
    const uid = async () => (await stack.sandbox.get<Widget>("widget", "course", "ann")).metadata.uid;
    const was = await uid();
    await write(widget("course"));
    await configure();
    await upFine();
    assert.equal(await uid(), was);
  });

  const platforms = "belongs to the platform, and only the platform can create, change or delete it";
  const scale = { spec: { replicas: 7 } };
  const marks = { "kubecamp.dev/object": "true" };
  const finalizers = ["example.org/never"];
  const mine = (metadata: object) => ({ ...widget("mine"), metadata: { name: "mine", ...metadata } });
  const beta = home.replace("/v1/", "/v1beta1/");
  /** A member's attempt, with the policy's words if RBAC allows the kind. */
  const attempts: readonly (readonly [string, string, string, object | undefined, string])[] = [
    ["change", "PATCH", `${home}/course`, { spec: { owner: "me" } }, `Widget 'course' ${platforms}: ask platform`],
    ["delete", "DELETE", `${home}/course`, undefined, `Widget 'course' ${platforms}`],
    ["delete together", "DELETE", home, undefined, `Widget 'course' ${platforms}`],
    ["scale", "PATCH", `${home}/course/scale`, scale, `Scale 'course' ${platforms}|cannot patch resource`],
    ["relabel", "PATCH", `${home}/course`, { metadata: { labels: null } }, `Widget 'course' ${platforms}`],
    ["make up", "POST", home, mine({ labels: marks }), "Widget 'mine' has 'kubecamp.dev/object=true', which only the"],
    ["keep from going", "POST", home, mine({ finalizers }), "Widget 'mine' has the finalizer 'example.org/never'"],
    ["change in v1beta1", "PATCH", `${beta}/course`, { spec: { owner: "me" } }, `Widget 'course' ${platforms}`],
  ];
  const asked = async ([, method, path, body]: (typeof attempts)[number]) =>
    wordsOf(await caller.ask(method, path, body, method === "PATCH" ? merge : undefined));

  it("lets a member look at a given object of a custom kind, and refuses the rest by RBAC", async () => {
    caller = await signedIn(stack.sandbox, { sub: "ann" });
    await until(async () => (await caller.ask("GET", `${home}/course`)).status === 200);
    assert.equal((await caller.ask("GET", home)).status, 200);
    assert.equal((await caller.ask("GET", home.replace("/ann/", "/bob/"))).status, 403);
    for (const attempt of attempts) {
      assert.match(await asked(attempt), /^403 .*cannot (create|patch|delete|deletecollection) resource/, attempt[0]);
    }
  });

  it("mends a change by hand of a custom kind's object, and tells of it", async () => {
    await stack.sandbox.patch("widget", "course", "ann", { spec: { parts: ["b"] } });
    const { steps, output } = await upFine();
    // Nothing is left to do of the move to another version either, bob's object included.
    assert.deepEqual(changes(steps), [`update kubernetes:${v1}:Widget ann/object/widget.${group}:course`], output);
    assert.match(output, /Changed by hand;(.*\n)+?.*Widget.v1.custom-kinds.test ann\/course/);
    assert.deepEqual((await find("ann", "course"))?.spec.parts, ["a"]);
  });

  it("reads no objects of custom kinds in a preview without a cluster", async () => {
    const { exitCode, output } = await stack.run(["preview"], { KUBECAMP_OFFLINE: "1" }, stack.folder);
    assert.equal(exitCode, 0, output);
    assert.doesNotMatch(output, /widget/);
  });

  it("refuses changes of given objects where members may make their own of the kind", async () => {
    // Otherwise a quota has no figure of a new kind until Kubernetes counts everything anew, after five minutes.
    await counting;
    // The second one is for a test further below.
    await configure({ objectKinds: [allowed, alike].map((kind) => ({ ...kind, edit: true })) });
    await upFine();
    await until(async () => (await caller.ask("POST", `${home}?dryRun=All`, widget("mine"))).status === 201);
    for (const attempt of attempts) {
      const [what, method, path, body, words] = attempt;
      const refusal = new RegExp(`^(403|422) .*(${words})`);
      // The API server takes a second to put each policy in force, and what it took until then would stay.
      await until(async () => refusal.test(await asked([what, method, `${path}?dryRun=All`, body, words])));
      assert.match(await asked(attempt), refusal, what);
    }
    assert.partialDeepStrictEqual(await find("ann", "course"), { spec: { owner: "ann", replicas: 1 } });
    const quota = await stack.sandbox.get<V1ResourceQuota>("resourcequota", "quota", "ann");
    assert.equal(quota.spec?.hard?.[count], "101");
  });

  it("refuses a member's autoscaler that scales a given object of a custom kind", async () => {
    const path = "/apis/autoscaling/v2/namespaces/ann/horizontalpodautoscalers?dryRun=All";
    const scaling = async (name: string, scaledKind = "Widget") =>
      wordsOf(
        await caller.ask("POST", path, {
          metadata: { name: "mine" },
          spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: v1, kind: scaledKind, name } },
        }),
      );
    assert.match(
      await scaling("course"),
      /^403 .*HorizontalPodAutoscaler 'mine' scales Widget course, which is the platform's/,
    );
    assert.match(await scaling("mine"), /^201 /);
    assert.match(await scaling("course", "Gadget"), /^201 /);
  });

  it("judges a custom kind by its group where it is called like one of Kubernetes' own", async () => {
    const made = async (apiVersion: string, name: string) => {
      const root = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
      const path = `${root}/namespaces/ann/configmaps?dryRun=All`;
      return wordsOf(await caller.ask("POST", path, { apiVersion, kind: "ConfigMap", metadata: { name } }));
    };
    await until(async () => (await made(v1, "mine")).startsWith("201 "));
    // A name of kubecamp's own, which is about another kind.
    await until(async () => (await made(v1, backendCaName)).startsWith("201 "));
    assert.match(await made("v1", backendCaName), new RegExp(`^403 .*ConfigMap '${backendCaName}' ${platforms}`));
  });

  it("makes no custom kind's object over the member's own, unless the member is adopted", async () => {
    assert.equal((await caller.ask("POST", home, { ...widget("lab"), spec: { owner: "mine" } })).status, 201);
    await write(widget("course"), widget("lab"));
    const { output } = await upFine();
    assert.match(
      output,
      /Objects that members did not get.*\n.*ann: Widget.v1.custom-kinds.test ann\/lab is the member's own/,
    );
    assert.deepEqual([await ownerOf("ann", "lab"), await ownerOf("bob", "lab")], ["mine", "bob"]);
    await configure({ objectKinds: [{ ...allowed, edit: true }] }, [{ ...ann, adopt: true }, bob]);
    await upFine();
    assert.equal(await ownerOf("ann", "lab"), "ann");
  });

  it("makes a custom kind's object the member's own with theirs, and leaves it as they have it", async () => {
    await writeFile(join(stack.folder, "notes.yaml"), stringify(widget("notes")));
    const objects = [{ file }, { file: "notes.yaml", theirs: true }];
    await configure({ objectKinds: [{ ...allowed, edit: true }], objects });
    await upFine();
    await until(
      async () => (await caller.ask("PATCH", `${home}/notes`, { spec: { owner: "mine" } }, merge)).status === 200,
    );
  });

  it("has the watch put back objects of custom kinds that were changed or deleted", async () => {
    watch = await RunningWatch.start(stack);
    await watch.ready();
    assert.equal((await watch.reported("up ended")).changes, 0);
    assert.equal(await ownerOf("ann", "notes"), "mine");
    await stack.delete("widget", "course", "ann");
    await until(async () => (await ownerOf("ann", "course")) === "ann");
    await stack.sandbox.patch("widget", "course", "bob", { spec: { owner: "x" } });
    await until(async () => (await ownerOf("bob", "course")) === "bob");
    assert.equal(await ownerOf("ann", "notes"), "mine");
    await watch.end("SIGTERM");
    watch = undefined;
  });

  const kubecampUp = async () => {
    const flags = ["up", "--stack", stack.name, "-o", "json"];
    const { stdout, stderr } = await kubecamp(flags, { cwd: stack.folder, env: stack.sandbox.env });
    const [result] = (JSON.parse(stdout) as ReturnType<typeof resultJson>).stacks;
    return result ?? assert.fail(stderr);
  };

  it("updates objects of custom kinds by their file with kubecamp up, for their members alone", async () => {
    assert.equal((await kubecampUp()).result, "unchanged");
    const objects = [
      { file, for: { labels: { course: "cs101" } } },
      { file: "notes.yaml", theirs: true },
    ];
    await configure({ objectKinds: [{ ...allowed, edit: true }], objects });
    const first = await kubecampUp();
    assert.deepEqual([first.result, first.members], ["succeeded", ["ann"]], JSON.stringify(first));
    assert.deepEqual([await widgetsIn("ann"), await widgetsIn("bob")], ["notes", "course lab notes"]);
    await write(widget("course", v1, ["c"]), widget("lab"));
    const second = await kubecampUp();
    assert.deepEqual([second.result, second.members], ["succeeded", ["bob"]], JSON.stringify(second));
    assert.deepEqual((await find("bob", "course"))?.spec.parts, ["c"]);
  });

  it("knows objects of custom kinds after the state was lost, and deletes those no longer given", async () => {
    await stack.loseState();
    await upFine();
    const urns = (await stack.resources()).map(({ urn }) => urn).filter((urn) => urn.includes("Widget"));
    assert.deepEqual(
      urns.map((urn) => urn.split("::").slice(2).join("::")).sort(),
      ["ann", "bob", "bob", "bob"].map(
        (member, at) =>
          `kubecamp:index:MemberEnvironment$kubernetes:${v1}:Widget::${member}/object/widget.${group}:${["notes", "course", "lab", "notes"][at]}`,
      ),
    );
    await configure({ objectKinds: [{ ...allowed, edit: true }], objects: undefined });
    await upFine();
    // The member's own object stays.
    assert.deepEqual([await widgetsIn("ann"), await widgetsIn("bob")], ["notes", "notes"]);
  });

  it("deletes objects of custom kinds once neither they nor the kind are in the settings", async () => {
    await configure();
    await upFine();
    assert.equal(await widgetsIn("bob"), "course lab notes");
    await stack.configure([ann, bob], settings);
    await upFine();
    assert.deepEqual([await widgetsIn("ann"), await widgetsIn("bob")], ["notes", "notes"]);
    await until(async () => (await caller.ask("GET", home)).status === 403);
    await stack.sandbox.apply({ ...widget("left"), metadata: { name: "left", namespace: "bob" } });
    assert.deepEqual(changes((await upFine()).steps), []);
  });
});
