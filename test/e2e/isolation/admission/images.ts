import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { V1Deployment } from "@kubernetes/client-node";
import { imageFilter, imageRules } from "../../../../config/images.ts";
import { kubecamp } from "../../commands/kubecamp.ts";
import type { Entry, TestStack } from "../../program/stack.ts";
import { rolledOut, until } from "../../program/workloads.ts";

const sha256 = `@sha256:${"0123456789abcdef".repeat(4)}`;
const kept = ["nginx:1.*", "ghcr.io/acme/*", `redis${sha256}`, "localhost:5000/x", "acme/app:2"];
export const allowed = [...kept, "old/*"];

/** Every image that is tried, and whether ivy may use it. */
const tries: Readonly<Record<string, boolean>> = {
  nginx: false,
  "nginx:latest": false,
  "nginx:1.27": true,
  "nginx:1.": true,
  "nginx:11": false,
  "library/nginx:1.27": true,
  "docker.io/nginx:1.27": true,
  "docker.io/library/nginx:1.27": true,
  "index.docker.io/nginx:1.27": true,
  "index.docker.io/library/nginx:1.27": true,
  "docker.io:443/library/nginx:1.27": false,
  "DOCKER.IO/library/nginx:1.27": false,
  "evil.com/library/nginx:1.27": false,
  "NGINX:1.27": false,
  "Nginx/nginx:1.27": false,
  "nginx:1.27\n": false,
  "\nnginx:1.27": false,
  "nginx:1.27 ": false,
  "nginx:1.27/evil": false,
  [`nginx:1.27${sha256}`]: false,
  [`nginx${sha256}`]: false,
  "localhost/nginx:1.27": false,
  "mallory/nginx:1.27": false,
  [`redis${sha256}`]: true,
  [`redis:whatever${sha256}`]: true,
  [`docker.io/library/redis:7${sha256}`]: true,
  [`redis${sha256}0`]: false,
  [`evil/redis${sha256}`]: false,
  redis: false,
  [sha256.slice(1)]: false,
  "localhost:5000/x": true,
  "localhost:5000/x:1": true,
  "localhost:5001/x": false,
  "localhost/x": false,
  "localhost:5000/x/y": false,
  "acme/app:2": true,
  "acme/app": false,
  "acme/app:3": false,
  [`acme/app:2${sha256}`]: false,
  "app:2": false,
  "ghcr.io/acme/any/thing:1": true,
  "ghcr.io/acme": false,
  "ghcr.io.example.org/acme/tool:1": false,
  "ghcr.io/acme-evil/app": false,
  "ghcr.io/acme/../evil/app": false,
  "evil/ghcr.io/acme/app": false,
  "ghcr.io/acme/app@evil.com/app": false,
  "http://ghcr.io/acme/app": false,
};

/** A list of the longest permitted length, with every kind of entry. */
const longList = Array.from({ length: 500 }, (_, at) => {
  const name = `registry.example.org/department/team-${at}/application-${at}`;
  return name + ["", ":1.2.3", ":1.*", "/*"][at % 4];
});
const listed = (at: number) =>
  `registry.example.org/department/team-${at}/application-${at}${at % 4 === 3 ? "/part" : ""}:1.2.3`;

export const imageMembers = (list: readonly string[]): Entry[] => [
  { member: "ivy", type: "admin", route: false, images: list },
  { member: "cleo", type: "admin", route: false },
  { member: "dora", type: "admin", route: false, images: longList },
];

const pods = (image: string, more: object = {}) => ({ containers: [{ name: "main", image }], ...more });
const template = (image: string, more: object = {}) => ({
  metadata: { labels: { app: "x" } },
  spec: pods(image, more),
});
const selected = (image: string, more: object = {}) => ({
  spec: { selector: { matchLabels: { app: "x" } }, template: template(image), ...more },
});
const job = (image: string) => ({ template: template(image, { restartPolicy: "Never" }) });
const apiVersions: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"].map((kind) => [kind, "apps/v1"])),
  ...Object.fromEntries(["CronJob", "Job"].map((kind) => [kind, "batch/v1"])),
};
const object = (kind: string, name: string, content: object, namespace = "ivy") => ({
  apiVersion: apiVersions[kind] ?? "v1",
  kind,
  metadata: { name, namespace },
  ...content,
});

/** @param configure gives this part's members, and leaves all else of the stack */
export function images(stack: TestStack, configure: (members: readonly Entry[]) => Promise<void>): void {
  describe("members' lists of images", () => {
    /** Makes objects, and returns the API server's refusals by name. */
    async function refusals(objects: readonly object[], query = ""): Promise<Map<string, string>> {
      const headers = { "content-type": "application/json" };
      const found = new Map<string, string>();
      for (const each of objects) {
        const path = `${await stack.sandbox.placeOf(each)}?fieldValidation=Strict${query}`;
        const { code, body } = await stack.sandbox.askPatiently("POST", path, { headers, body: JSON.stringify(each) });
        if (code === 201) {
          continue;
        }
        const [, name = assert.fail(body), why = ""] =
          /"([^" ]+)" is forbidden: (.*)$/m.exec(JSON.parse(body).message) ?? [];
        found.set(name, why);
      }
      return found;
    }
    const dryRun = (...objects: object[]) => refusals(objects, "&dryRun=All");
    const isRefused = async (image: string) => (await dryRun(object("Pod", "probe", { spec: pods(image) }))).size > 0;
    const off = (...args: string[]) =>
      kubecamp(["images", "--stack", stack.name, ...args], {
        cwd: stack.folder,
        env: { KUBECONFIG: stack.sandbox.kubeconfig },
      });

    before(async () => {
      // An API server notices a policy and a namespace only a moment after they were written.
      await until(() => isRefused("evil/miner"));
    });

    it("judges an image as container runtimes read its name, whatever the spelling", async () => {
      const tried = Object.entries(tries);
      const refused = await dryRun(
        ...tried.map(([image], at) => object("PodTemplate", `t-${at}`, { template: template(image) })),
      );
      const passed = tried.map(([image], at) => [image, !refused.has(`t-${at}`)]);
      assert.deepEqual(Object.fromEntries(passed), tries);
      // The search for workloads off the list must agree with the policy.
      const isAllowed = imageFilter(imageRules(allowed) ?? "");
      assert.deepEqual(Object.fromEntries(tried.map(([image]) => [image, isAllowed(image)])), tries);
    });

    it("refuses an image off the list in any part of a pod, and in all that makes pods", async () => {
      const evil = { name: "more", image: "evil/miner" };
      const refused = await dryRun(
        object("Pod", "container", { spec: { containers: [{ name: "main", image: "nginx:1.27" }, evil] } }),
        object("Pod", "init", { spec: pods("nginx:1.27", { initContainers: [evil] }) }),
        object("Pod", "volume", {
          spec: pods("nginx:1.27", { volumes: [{ name: "more", image: { reference: "evil/miner" } }] }),
        }),
        object("Deployment", "deployment", selected("evil/miner")),
        object("ReplicaSet", "replicaset", selected("evil/miner")),
        object("StatefulSet", "statefulset", selected("evil/miner", { serviceName: "x" })),
        object("DaemonSet", "daemonset", selected("evil/miner")),
        object("Job", "job", { spec: job("evil/miner") }),
        object("CronJob", "cronjob", { spec: { schedule: "@yearly", jobTemplate: { spec: job("evil/miner") } } }),
        object("ReplicationController", "controller", { spec: { template: template("evil/miner") } }),
        object("PodTemplate", "template", { template: template("evil/miner") }),
      );
      const why = (of: string) =>
        `ValidatingAdmissionPolicy 'kubecamp-images-admission' with binding 'kubecamp-images-admission' denied request: ${of} ` +
        `has the image 'evil/miner', which namespace 'ivy' does not allow: it allows ${allowed.join(", ")}; ` +
        `use what is allowed, or ask platform@example.org for another`;
      const all = ["deployment", "replicaset", "statefulset", "daemonset", "job", "cronjob", "controller", "template"];
      assert.deepEqual(Object.fromEntries(refused), {
        container: why("container 'more'"),
        init: why("initContainer 'more'"),
        volume: why("volume 'more'"),
        ...Object.fromEntries(all.map((name) => [name, why("container 'main'")])),
      });
    });

    it("refuses an image off the list that is added to a running pod", async () => {
      assert.equal((await refusals([object("Pod", "runs", { spec: pods("nginx:1.27") })])).size, 0);
      const flags = ["--container=shell", "--profile=baseline", "--attach=false"];
      const debug = (image: string) =>
        stack.sandbox.kubectl(["debug", "runs", "-n", "ivy", `--image=${image}`, ...flags]);
      assert.match((await debug("evil/shell")).stderr, /ephemeralContainer 'shell' has the image 'evil\/shell'/);
      assert.equal((await debug("nginx:1.28")).exitCode, 0);
      const change = ["set", "image", "pod/runs", "-n", "ivy"];
      assert.match(
        (await stack.sandbox.kubectl([...change, "main=evil/x"])).stderr,
        /container 'main' has the image 'evil\/x'/,
      );
      assert.equal((await stack.sandbox.kubectl([...change, "main=nginx:1.29"])).exitCode, 0);
    });

    it("allows any image to a member without a list of images", async () => {
      assert.deepEqual(await dryRun(object("Pod", "any", { spec: pods("evil/miner") }, "cleo")), new Map());
    });

    it("judges a pod of 100 containers by a list of 500 images", async () => {
      const containers = (last: string) =>
        Array.from({ length: 100 }, (_, at) => ({ name: `c-${at}`, image: at < 99 ? listed(at * 5) : last }));
      const refused = await dryRun(
        object("Pod", "right", { spec: { containers: containers(listed(499)) } }, "dora"),
        object("Pod", "wrong", { spec: { containers: containers("registry.example.org/department/evil") } }, "dora"),
      );
      assert.deepEqual([...refused.keys()], ["wrong"]);
      assert.match(
        refused.get("wrong") ?? "",
        /: container 'c-99' has the image 'registry\.example\.org\/department\/evil', which/,
      );
      assert.match(
        refused.get("wrong") ?? "",
        /it allows registry\S+, .*\.\.\. \(all of them: its annotation kubecamp\.dev\/images\); use/,
      );
    });

    describe("that are tightened", () => {
      const old = [
        object("Deployment", "web", selected("old/app")),
        object(
          "StatefulSet",
          "data",
          selected("old/app", { serviceName: "x", selector: { matchLabels: { app: "x" } } }),
        ),
        object("CronJob", "nightly", { spec: { schedule: "@yearly", jobTemplate: { spec: job("old/app") } } }),
        object("Pod", "solo", { spec: pods("old/app") }),
        object("Deployment", "by-hand", selected("old/app")),
        object("Deployment", "elsewhere", selected("old/app"), "cleo"),
      ];
      before(async () => {
        assert.deepEqual(await refusals(old), new Map());
        await rolledOut(stack, "ivy");
        await configure(imageMembers(kept));
        await stack.upFine();
        await until(() => isRefused("old/app"));
      });

      it("lets existing workloads off a tightened list scale down and go, and make no more pods", async () => {
        await stack.sandbox.patch("deployment/scale", "web", "ivy", { spec: { replicas: 3 } });
        await stack.sandbox.patch("deployment", "web", "ivy", { metadata: { annotations: { note: "kept" } } });
        const failure = async () => {
          const { status } = await stack.sandbox.get<V1Deployment>("deployment", "web", "ivy");
          return status?.conditions?.find(({ type }) => type === "ReplicaFailure")?.message ?? "";
        };
        await until(async () => (await failure()).includes("container 'main' has the image 'old/app'"));
        const fromCron = await stack.sandbox.kubectl(["create", "job", "now", "--from=cronjob/nightly", "-n", "ivy"]);
        assert.match(fromCron.stderr, /container 'main' has the image 'old\/app'/);
        await stack.sandbox.patch("deployment/scale", "web", "ivy", { spec: { replicas: 1 } });
        await stack.kubectl("delete", "deployment/by-hand", "-n", "ivy", "--cascade=foreground", "--timeout=60s");
      });

      it("lists and deletes workloads off the list with 'kubecamp images', in the stack alone", async () => {
        const table = `MEMBER  KIND         NAME     PODS  IMAGE    IN
ivy     CronJob      nightly  0     old/app  container 'main'
ivy     Deployment   web      1     old/app  container 'main'
ivy     Pod          solo     1     old/app  container 'main'
ivy     StatefulSet  data     1     old/app  container 'main'`;
        const wayOut = "Allow these images in the stack's settings, or delete the workloads with --delete.";
        assert.deepEqual(await off(), { exitCode: 1, stdout: table, stderr: wayOut });
        const unasked = await off("--delete");
        assert.deepEqual([unasked.exitCode, unasked.stdout], [2, table]);
        assert.match(unasked.stderr, /^Error: Nothing is deleted: there is no terminal to ask at\.\n.*\n.*Add --yes/);
        // Another cluster may have a stack of the same name.
        const elsewhere = join(stack.folder, "elsewhere");
        await mkdir(elsewhere);
        const env = { KUBECONFIG: stack.sandbox.kubeconfig };
        const deleting = ["images", "--stack", stack.name, "--delete", "--yes"];
        const unknown = await kubecamp(deleting, { cwd: elsewhere, env });
        assert.deepEqual([unknown.exitCode, unknown.stdout], [2, ""]);
        assert.match(unknown.stderr, /^Error: Nothing is deleted: it is not known on which cluster the stack is\./);
        await writeFile(join(elsewhere, "Pulumi.admission.yaml"), 'config: {"kubecamp:cluster": {"id": "other"}}\n');
        const foreign = await kubecamp(deleting, { cwd: elsewhere, env });
        assert.deepEqual([foreign.exitCode, foreign.stdout], [2, ""]);
        assert.match(foreign.stderr, /^Error: Nothing was written: /);
        const { exitCode, stdout, stderr } = await off("--delete", "--yes", "-o", "json");
        assert.equal(exitCode, 0, stderr);
        assert.deepEqual(stderr.split("\n").toSorted(), [
          "Deleted CronJob ivy/nightly",
          "Deleted Deployment ivy/web",
          "Deleted Pod ivy/solo",
          "Deleted StatefulSet ivy/data",
        ]);
        assert.deepEqual((JSON.parse(stdout) as object[])[1], {
          stack: "admission",
          member: "ivy",
          namespace: "ivy",
          kind: "Deployment",
          name: "web",
          pods: 1,
          images: [{ image: "old/app", in: "container 'main'" }],
          allowed: kept,
          deleted: true,
        });
        await until(async () => (await stack.sandbox.names("pod", { namespace: "ivy" })).join() === "runs");
        assert.deepEqual(await stack.sandbox.names("deployment", { namespace: "ivy" }), []);
        assert.deepEqual(await stack.sandbox.names("deployment", { namespace: "cleo" }), ["elsewhere"]);
        const nothing = "All workloads have allowed images. Members with a list of images: 2 of 12";
        assert.deepEqual(await off(), { exitCode: 0, stdout: "", stderr: nothing });
      });

      it("refuses 'kubecamp images' for an unknown stack, and --yes without --delete", async () => {
        const env = { KUBECONFIG: stack.sandbox.kubeconfig };
        const wrong = await kubecamp(["images", "--stack", "admissio"], { env });
        assert.deepEqual([wrong.exitCode, wrong.stdout], [2, ""]);
        assert.match(
          wrong.stderr,
          /^Error: There are no members of stack 'admissio' on this cluster; did you mean 'admission'\?/,
        );
        assert.match((await off("--yes")).stderr, /^error: option '--yes' does nothing without '--delete'/);
      });
    });
  });
}
