import assert from "node:assert/strict";
import type { V1EndpointSlice } from "@kubernetes/client-node";
import { execa } from "execa";
import { type Entry, type Run, useStack } from "../stack.ts";
import { deploy, objectsNamed, rolledOut, until } from "../workloads.ts";

/** Under the restricted standard, with a list of images that lacks the starter's. */
const kit: Entry = { member: "kit", type: "user", starter: "kept", podSecurity: "restricted", images: ["nginx"] };
const lee: Entry = { member: "lee", type: "user", starter: "once" };
const mia: Entry = { member: "mia", type: "user" };
const nia: Entry = { member: "nia", type: "user", starter: "once", images: ["nginx"] };
const noa: Entry = { member: "noa", type: "user", starter: "once" };
/** Their starter app stays untouched. */
const pam: Entry = { member: "pam", type: "user", starter: "kept" };
/** Has one Deployment, and may have no more at first. */
const sam: Entry = { member: "sam", type: "user", maxObjects: 1 };
/** Joins after all others. */
const ora: Entry = { member: "ora", type: "user", starter: "once" };

const app = "kubernetes:apps/v1:Deployment";
const pages = "kubernetes:core/v1:ConfigMap";

interface Live {
  readonly metadata: { readonly uid: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly spec: { readonly containers: readonly Readonly<Record<string, unknown>>[] } };
  };
}

describe("a starter app", () => {
  const stack = useStack("starter");
  const kubectl = (...args: string[]) => stack.kubectl(...args);
  const names = async (namespace: string) => {
    const found = ["configmap", "deployment", "service"].map(async (kind) =>
      (await stack.sandbox.names(kind, { namespace })).map((name) => `${kind}/${name}`),
    );
    return (await Promise.all(found)).flat().filter((name) => name !== "configmap/kube-root-ca.crt");
  };
  const get = (kind: string, name: string, namespace: string) => stack.sandbox.get<Live>(kind, name, namespace);
  const whole = (member: string) => ["configmap/starter-pages", "deployment/starter", `service/${member}-svc`];
  const statusOf = async (member: string) => {
    const { members } = (await stack.outputs()) as { members: Record<string, { state: string; starter?: unknown }> };
    return members[member];
  };
  const ready = (member: string) => rolledOut(stack, member, "starter");
  let first: Run;

  before(async () => {
    await stack.configure([kit, lee, mia, noa, pam, nia, sam]);
    first = await stack.upFine();
  });

  it("makes a starter app with an open path in one run, before the member has a key", async () => {
    for (const member of ["kit", "lee", "noa", "pam"]) {
      assert.deepEqual(await names(member), whole(member));
      const order = first.steps.map((step) => step.split(" ")[2]);
      const at = (part: string) => order.indexOf(`${member}/${part}`);
      for (const part of ["starter/pages", "starter/deployment"]) {
        assert.ok(at("isolation") < at(part) && at("quota") < at(part), part);
      }
      for (const part of ["starter/pages", "starter/deployment", "service"]) {
        assert.ok(at(part) >= 0 && at(part) < at("role/edit") && at("role/edit") < at("binding/edit"), part);
      }
      assert.ok(at("route/ingress") > 0);
      assert.equal((await get("role", "kubecamp-edit", member)).metadata.annotations?.["kubecamp.dev/starter"], "made");
    }
    assert.deepEqual(await statusOf("lee"), {
      ...{ type: "user", namespace: "lee", state: "ready", url: "https://camp.test/lee/" },
      starter: { mode: "once", replicas: 1, available: 0 },
    });
    assert.deepEqual(await names("mia"), []);
    assert.match((await get("configmap", "starter-pages", "lee")).data?.["index.md"] ?? "", /^# Welcome, lee$/m);
  });

  it("admits a starter app's pods under the strictest standard and a list of other images", async () => {
    await ready("kit");
    const other = ["create", "deployment", "x", "--image=docker.io/library/redis:7", "-n", "kit", "--dry-run=server"];
    const images = await stack.sandbox.kubectl(other);
    assert.match(images.stderr, /it allows nginx, docker\.io\/library\/caddy:2;/);
  });

  it("lets a member replace their starter app as its page says", async () => {
    const page = (await get("configmap", "starter-pages", "noa")).data?.["index.md"] ?? "";
    const [make = "", remove = ""] = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands ?? "");
    const script = `set -e\n${make}${remove}`.replace("IMAGE", "nginx").replaceAll(/^kubectl /gm, "$&--as=oidc:noa ");
    await execa("sh", ["-c", script], { env: stack.sandbox.env });
    assert.deepEqual(await names("noa"), ["deployment/my-app", "service/noa-svc"]);
    await rolledOut(stack, "noa", "my-app");
    const behind = async () =>
      (await stack.sandbox.list<V1EndpointSlice>("endpointslice", { namespace: "noa" }))
        // Before there is any, it is null.
        .flatMap(({ endpoints }) => endpoints ?? [])
        .map(({ targetRef }) => targetRef?.name);
    await until(async () => /^my-app-\S+$/.test((await behind()).join(" ")));
  });

  it("lets no member change or delete a kept starter app, or mark another as one", async () => {
    const refused = async (words: RegExp, member: string, args: readonly string[], input?: string) => {
      const flags = ["-n", member, `--as=oidc:${member}`];
      const { exitCode, stderr } = await stack.sandbox.kubectl(
        [...args, ...flags],
        input === undefined ? {} : { input },
      );
      assert.notEqual(exitCode, 0, args.join(" "));
      assert.match(stderr, words);
    };
    const platforms =
      /'kubecamp-reserved-starter' .*'starter(-pages)?' belongs to the platform, and only the platform can create, change or delete it: ask .* for 'starter: once' or 'starter: off'/;
    const fill = JSON.stringify({ data: { fill: "x".repeat(100_000) } });
    await refused(platforms, "kit", ["patch", "configmap/starter-pages", "--type=merge", "-p", fill]);
    await refused(platforms, "kit", ["patch", "configmap/starter-pages", "--type=merge", "-p", '{"immutable":true}']);
    await refused(platforms, "kit", ["delete", "configmap/starter-pages"]);
    await refused(platforms, "kit", ["annotate", "deployment/starter", "a=b"]);
    await refused(platforms, "kit", ["delete", "deployment/starter"]);
    // The member may scale it: a run does not fail because of that, and resets it.
    await kubectl("scale", "deployment/starter", "--replicas=0", "-n", "kit", "--as=oidc:kit", "--dry-run=server");
    const marked = { metadata: { name: "mine", annotations: { "kubecamp.dev/applied": "x" } } };
    const marks = /ConfigMap 'mine' has 'kubecamp.dev\/applied=x', which only the platform may set: leave it out/;
    const mine = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", ...marked });
    await refused(marks, "lee", ["create", "-f", "-"], mine);
    // A starter app with `once` belongs to the member.
    await kubectl("annotate", "deployment/starter", "mine=yes", "-n", "lee", "--as=oidc:lee");
    await kubectl("annotate", "deployment/starter", "mine-", "-n", "lee", "--as=oidc:lee");
  });

  it("goes on for others where one starter app is full or its change is refused", async () => {
    const pagesOf = async (member: string) => (await get("configmap", "starter-pages", member)).data ?? {};
    const size = Object.values(await pagesOf("kit")).reduce((sum, page) => sum + Buffer.byteLength(page), 0);
    const fill = (data: object) => ({
      ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "starter-pages", namespace: "kit" }, data },
    });
    // Possible before there was such a policy.
    await stack.sandbox.patch("configmap", "starter-pages", "kit", { data: { "index.md": null } });
    // With the removed page restored, it is one byte over the limit.
    await stack.sandbox.applyAs("kit", fill({ fill: "x".repeat(1024 * 1024 - size + 1) }));
    // Once nia has deleted a starter app of `once` and Pulumi's state has dropped it, another Deployment may have its name.
    await kubectl("delete", "deployment/starter", "-n", "nia", "--as=oidc:nia");
    const full = await stack.upFine();
    assert.match(
      full.output,
      /kit: ConfigMap 'kit\/starter-pages' is there, and it is not kubecamp's, or nobody can change it/,
    );
    const labels = { app: "nia", "app.kubernetes.io/name": "starter" };
    const env = ["1", "2"].map((value) => ({ name: "TWICE", value }));
    await stack.sandbox.create({
      ...{ apiVersion: "apps/v1", kind: "Deployment" },
      metadata: { name: "starter", namespace: "nia", annotations: { "kubecamp.dev/applied": "x" } },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "own", image: "nginx", env }] } },
      },
    });
    // With another trigger, the run would add its own port beside theirs, under the same name.
    const annotations = { "kubecamp.dev/made": "x" };
    const ports = [{ name: "http", port: 8080, protocol: "TCP" }];
    const theirs = JSON.stringify({ metadata: { annotations }, spec: { ports } });
    await kubectl("patch", "service/nia-svc", "-n", "nia", "--as=oidc:nia", "--type=merge", "-p", theirs);
    // One quota is full of the member's own pods while the starter app changes; the other is raised for one more.
    await Promise.all(["pam", "sam"].map((name) => deploy(stack, name, 1)));
    const others = [
      { ...pam, maxPods: 2, route: { path: "/pamela" } },
      { ...sam, maxObjects: 5, starter: "once" },
    ];
    await stack.configure([{ ...kit, maxPods: 20 }, lee, mia, noa, nia, ...others]);
    const { steps } = await stack.upPreviewed();
    assert.ok(
      steps.some((step) => step.endsWith(" kit/quota")),
      steps.join("\n"),
    );
    await ready("pam");
    assert.deepEqual(await names("sam"), [...whole("sam"), "deployment/web"].sort());
    const { containers } = (await get("deployment", "starter", "nia")).spec.template.spec;
    assert.deepEqual(containers[0]?.env, env);
    assert.equal((await statusOf("nia"))?.state, "pending");
    await stack.sandbox.patch("configmap", "starter-pages", "kit", { data: { fill: null } });
    await stack.configure([kit, lee, mia, noa, pam, nia, sam]);
    await stack.upFine();
    assert.match((await pagesOf("kit"))["index.md"] ?? "", /^# Welcome, kit$/m);
  });

  it("restores a kept starter app, and leaves one of `once` as the member has it", async () => {
    const container = { name: "miner", image: "nginx", command: ["mine"] };
    const spec = {
      replicas: 0,
      template: { spec: { hostname: "own", containers: [{ name: "starter", args: ["x"] }] } },
    };
    await kubectl("patch", "deployment/starter", "-n", "kit", "-p", JSON.stringify({ spec }));
    await stack.delete("configmap", "starter-pages", "kit");
    await kubectl(
      "patch",
      "deployment/starter",
      "-n",
      "lee",
      "-p",
      JSON.stringify({ spec: { ...spec, template: { spec: { containers: [container] } } } }),
    );
    await stack.sandbox.patch("configmap", "starter-pages", "lee", { data: { "index.md": "mine" } });
    const theirs = await get("deployment", "starter", "lee");
    // A member with an app of that name must not lose it to a starter app.
    await stack.sandbox.apply({
      ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "starter", namespace: "mia" } },
      spec: {
        selector: { matchLabels: { app: "own" } },
        template: { metadata: { labels: { app: "own" } }, spec: { containers: [{ name: "own", image: "own" }] } },
      },
    });
    const mias = await get("deployment", "starter", "mia");
    await stack.configure([kit, lee, { ...mia, starter: "once" }, noa, pam, nia, ora, sam]);
    const run = await stack.upFine("--refresh");
    assert.deepEqual(
      run.steps.filter((step) => /(kit|lee|mia|pam)\//.test(step)),
      [`create ${pages} kit/starter/pages`, `update ${app} kit/starter/deployment`],
    );
    assert.match(run.output, /Changed by hand.*\n\s+Deployment kit\/starter/);
    assert.match(
      run.output,
      /mia: Deployment 'mia\/starter' is there, and it is not kubecamp's, .*kubectl delete -n mia/,
    );
    const kits = await get("deployment", "starter", "kit");
    assert.deepEqual(
      kits.spec.template.spec.containers.map(({ name, args }) => [name, args]),
      [["starter", undefined]],
    );
    assert.equal(kits.spec.replicas, 1);
    await ready("kit");
    assert.deepEqual((await get("deployment", "starter", "lee")).spec, theirs.spec);
    assert.equal((await get("configmap", "starter-pages", "lee")).data?.["index.md"], "mine");
    assert.deepEqual((await get("deployment", "starter", "mia")).spec, mias.spec);
    assert.deepEqual(await names("mia"), ["deployment/starter"]);
    // One run both adds a new member and opens their path.
    assert.deepEqual(await names("ora"), whole("ora"));
    assert.deepEqual(await statusOf("ora"), {
      ...{ type: "user", namespace: "ora", state: "ready", url: "https://camp.test/ora/" },
      starter: { mode: "once", replicas: 1, available: 0 },
    });
    await objectsNamed(stack, "ingress-nginx", "ingress/ora", "service/ora-svc");
    assert.deepEqual(await names("noa"), ["deployment/my-app", "service/noa-svc"]);
  });

  it("deletes a kept starter app that is turned off, and leaves one that is the member's", async () => {
    await stack.configure([kit, lee, nia, noa, sam].map((entry) => ({ ...entry, starter: "off" })));
    const run = await stack.upFine();
    assert.deepEqual(await names("kit"), ["service/kit-svc"]);
    assert.deepEqual(await names("lee"), whole("lee"));
    assert.deepEqual(await names("nia"), whole("nia"));
    // Their starter app's image stays allowed when its pod is recreated, as on another node.
    const again = ["create", "deployment", "x", "--image=caddy:2", "--dry-run=server", "-n"];
    await kubectl(...again, "nia");
    assert.match((await stack.sandbox.kubectl([...again, "kit"])).stderr, /it allows nginx;/);
    assert.ok(run.steps.includes(`delete ${app} kit/starter/deployment`), run.steps.join("\n"));
    assert.equal((await get("role", "kubecamp-edit", "nia")).metadata.annotations?.["kubecamp.dev/starter"], undefined);
  });
});
