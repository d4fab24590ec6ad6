import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { isDeepStrictEqual } from "node:util";
import type { jsonOf } from "../../../commands/report/show.ts";
import { repository } from "../../../sandbox/paths.ts";
import { declared, everything, type LiveObject, nameOf } from "../program/inventory.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { deploy } from "../program/workloads.ts";
import { kubecamp } from "./kubecamp.ts";

type Report = ReturnType<typeof jsonOf>;

/** A comment of this test, which docs/pictures/comment.svg shows. */
const example = join(import.meta.dirname, "comment.md");

const user = (member: string, more: object = {}): Entry => ({ member, type: "user", ...more });
/** Their Services exist before kubecamp runs, so that one up opens their routes. */
const early = ["bob", "erin", "finn", "gus"];
const listBefore: readonly Entry[] = [
  { member: "alice", type: "admin" },
  { member: "carol", type: "guest-user" },
  user("dan"),
  ...early.map((name) => user(name, { adopt: true })),
];
/** carol leaves and hana joins; bob, erin and gus change, and finn's path moves. */
const listAfter: readonly Entry[] = [
  { member: "alice", type: "admin" },
  user("bob", { maxCPUm: 1500, maxMemoryMiB: 2048, numOfPVCs: 10 }),
  user("dan"),
  user("erin", { suspended: true }),
  user("finn", { route: { path: "/team/finn" } }),
  user("gus", { images: ["nginx:1.*"], expires: "2099-12-31", subject: "gus@example.org" }),
  user("hana", { groups: ["class-b"] }),
];

const namespace = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

const service = (name: string) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: `${name}-svc`, namespace: name },
  spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: 8080 }] },
});

/** The stack's declared objects, by name. */
type Objects = ReadonlyMap<string, LiveObject>;
const memberOf = (object: LiveObject | undefined) => object?.metadata.labels?.["kubecamp.dev/member"] ?? "";
const urlOf = (object: LiveObject | undefined) => object?.metadata.annotations?.["kubecamp.dev/url"];

describe("kubecamp report", () => {
  const stack = useStack("camp");
  let comment = "";
  let whole = "";
  let report: Report;
  let again: Report;
  let exitCode = 0;
  let was: Objects = new Map();
  let is: Objects = new Map();
  let pending: unknown;

  const run = (...args: string[]) =>
    kubecamp(["report", ...args], { cwd: stack.folder, env: { ...stack.sandbox.env, NO_COLOR: "1" } });
  const objects = async (): Promise<Objects> =>
    new Map(
      (await everything(stack.sandbox))
        .filter(({ metadata }) => metadata.labels?.["app.kubernetes.io/managed-by"] === "kubecamp")
        .map((object) => [nameOf(object), object]),
    );

  before(async () => {
    await stack.makeProject();
    await stack.sandbox.apply(...early.flatMap((name) => [namespace(name), service(name)]));
    await stack.configure(listBefore);
    await stack.upFine();
    // gus's path closes, dan's opens; bob's isolation is changed by hand, and carol has a volume to lose.
    await stack.delete("service", "gus-svc", "gus");
    const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "500Mi" } } };
    const metadata = { name: "diary", namespace: "carol" };
    await stack.sandbox.apply(service("dan"), {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata,
      spec: claim,
    });
    await deploy(stack, "carol", 2);
    await stack.sandbox.patch("role", "kubecamp-edit", "bob", {
      metadata: { labels: { "kubecamp.dev/member": "ann" } },
    });

    await stack.configure(listAfter);
    was = await objects();
    const first = await run("--stack", "camp", "-o", "json", "--fail-on", "removal");
    report = JSON.parse(first.stdout) as Report;
    exitCode = first.exitCode;
    const attached = join(stack.folder, "report.md");
    comment = (await run("--stack", "camp", "-o", "markdown", "--attach", attached)).stdout;
    whole = await readFile(attached, "utf8");
    await stack.upFine();
    is = await objects();
    pending = ((await stack.outputs()) as { pending: unknown }).pending;
    again = JSON.parse(
      (await run("--stack", "camp", "-o", "json", "--fail-on", "removal,replacement")).stdout,
    ) as Report;
  });

  const keys = (all: Objects, kind: string) => [...all.keys()].filter((name) => name.startsWith(`${kind} `));
  const gone = (kind: string) => keys(was, kind).filter((name) => !is.has(name));
  const made = (kind: string) => keys(is, kind).filter((name) => !was.has(name));
  const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

  it("says who leaves and joins, as namespaces are gone and new", () => {
    const names = (all: readonly { readonly member: string }[]) => all.map(({ member }) => `Namespace ${member}`);
    assert.deepEqual(names(report.leaving.filter(({ namespaceDeleted }) => namespaceDeleted)), gone("Namespace"));
    assert.deepEqual(names(report.joining), made("Namespace"));
    assert.deepEqual([gone("Namespace"), made("Namespace")], [["Namespace carol"], ["Namespace hana"]]);
    assert.match(report.leaving[0]?.lost ?? "", /2 unfinished pods, 1 PersistentVolumeClaim \(diary 500Mi\)/);
  });

  it("says what was changed by hand, as it is put back", () => {
    assert.deepEqual(report.putBack, [{ object: "Role bob/kubecamp-edit", note: "" }]);
    assert.equal(memberOf(is.get("Role bob/kubecamp-edit")), "bob");
  });

  it("says who changes, as the objects of no one else are different", () => {
    const reported = [...report.leaving, ...report.joining].map(({ member }) => member);
    const putBack = report.putBack.map(({ object }) => object);
    const isRoute = (name: string) => /^(Ingress|Service) ingress-nginx\//.test(name);
    const differs = (name: string) => {
      const [old, now] = [was.get(name), is.get(name)];
      return old === undefined || now === undefined || !isDeepStrictEqual(declared(old), declared(now));
    };
    const different = [...new Set([...was.keys(), ...is.keys()])]
      .filter((name) => !isRoute(name) && !putBack.includes(name) && differs(name))
      .map((name) => memberOf(was.get(name) ?? is.get(name)))
      .filter((member) => !reported.includes(member));
    assert.deepEqual(
      report.changing.map(({ member }) => member),
      sorted(different),
    );
    assert.deepEqual(sorted(different), ["bob", "erin", "gus"]);
    assert.deepEqual(report.shared, []);
    assert.deepEqual(report.replacements, []);
  });

  it("says what quotas hold, as they do", () => {
    const hard = (all: Objects, member: string): Readonly<Record<string, string>> =>
      Object(all.get(`ResourceQuota ${member}/quota`)?.spec).hard;
    const reported = (member: string, what: string) => {
      const found = report.changing.find((one) => one.member === member)?.differences.find((one) => one.what === what);
      return [found?.from ?? "", found?.to ?? ""].map((text) => text.replace(" GiB", "Gi").replace(" MiB", "Mi"));
    };
    for (const [member, what, resource] of [
      ["bob", "memory", "limits.memory"],
      ["bob", "PVCs", "persistentvolumeclaims"],
      ["erin", "pods", "pods"],
    ] as const) {
      assert.deepEqual(reported(member, what), [hard(was, member)[resource], hard(is, member)[resource]]);
    }
    assert.deepEqual([reported("bob", "CPU"), hard(is, "bob")["limits.cpu"]], [["500m", "1.5"], "1500m"]);
  });

  it("says which routes open, close and move, as Ingresses do", () => {
    const urls = (change: string) => report.routes.filter((one) => one.change === change).map(({ url }) => url);
    assert.deepEqual(
      urls("opens"),
      made("Ingress").map((name) => urlOf(is.get(name))),
    );
    assert.deepEqual(sorted(urls("closes")), sorted(gone("Ingress").map((name) => urlOf(was.get(name)) ?? "")));
    const moved = keys(is, "Ingress").filter((name) => was.has(name) && urlOf(was.get(name)) !== urlOf(is.get(name)));
    assert.deepEqual(
      report.routes.filter(({ change }) => change === "moves").map(({ from, url }) => [from, url]),
      moved.map((name) => [urlOf(was.get(name)), urlOf(is.get(name))]),
    );
    assert.equal(
      report.summary,
      "1 joins, 1 leaves, 3 change, 1 route opens, 2 routes close, 1 route moves, 1 object is restored, 3 pending",
    );
  });

  it("says who is pending, as the stack's output does", () => {
    assert.deepEqual(
      report.pending.map(({ member }) => member),
      pending,
    );
  });

  it("says afterwards that nothing changes, and nothing is found", () => {
    assert.equal(again.summary, "Nothing changes. 3 pending");
    assert.deepEqual([again.found, exitCode], [["pending"], 3]);
  });

  it("makes the comment that the documentation shows", async () => {
    assert.equal(comment, whole.trimEnd());
    if (process.env.KUBECAMP_WRITE_REPORT === "1") {
      await writeFile(example, `${comment}\n`);
    }
    assert.equal(await readFile(example, "utf8"), `${comment}\n`);
  });

  it("says in red why there is no preview", async () => {
    await stack.configure([user("bob", { maxCPUm: -3 })]);
    const mistaken = await run("--stack", "camp", "-o", "markdown", "--fail-on", "pending");
    assert.equal(mistaken.exitCode, 1);
    assert.match(mistaken.stdout, /\[!CAUTION\][\s\S]*members\[0\]\.maxCPUm: -3 must be at least 1 \(member 'bob'\)/);
    const unknown = await run("--stack", "nowhere", "-o", "markdown");
    assert.equal(unknown.exitCode, 1);
    assert.match(
      unknown.stdout,
      /^<!-- kubecamp report: nowhere -->\n[\s\S]*\n> Stack 'nowhere' .* no stack named 'nowhere' found\n/,
    );
  });

  it("ends with 130 and without a report by Ctrl-C, which a terminal sends to Pulumi, too", async () => {
    await stack.configure(listAfter);
    const command = [join(repository, "bin/kubecamp.mjs"), "report", "--stack", "camp"];
    const env = { ...process.env, ...stack.sandbox.env };
    const child = spawn(process.execPath, command, { cwd: stack.folder, env, detached: true });
    const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
    const exit = once(child, "exit");
    await once(child.stderr, "data");
    assert.ok(child.pid);
    process.kill(-child.pid, "SIGINT");
    assert.deepEqual([(await exit)[0], await stdout], [130, ""]);
    assert.match(await stderr, /Interrupted/);
    const group = -child.pid;
    assert.throws(() => process.kill(group, 0), /ESRCH/);
  });
});
