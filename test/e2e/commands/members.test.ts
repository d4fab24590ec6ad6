import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { otherKubeconfig, tokenListing } from "../program/kubeconfigs.ts";
import { type Entry, type TestStack, useStack } from "../program/stack.ts";
import { makeNamespace, makeService } from "../program/workloads.ts";
import { ApiProxy } from "../support/cluster/apiProxy.ts";
import type { CommandResult } from "../support/sandbox.ts";
import { kubecamp, kubecampProcess } from "./kubecamp.ts";

const kinds = [
  ...["namespaces", "resourcequotas", "services", "ingresses.networking.k8s.io", "pods", "deployments.apps"],
  // For the columns of buckets and staff.
  "configmaps",
  "rolebindings.rbac.authorization.k8s.io",
];
const lists = [
  "GET /api/v1/namespaces",
  "GET /api/v1/pods",
  "GET /api/v1/resourcequotas",
  "GET /api/v1/services",
  "GET /apis/apps/v1/deployments",
  // This cluster lacks the Gateway API, so one request is all.
  "GET /apis/gateway.networking.k8s.io/v1",
  "GET /apis/networking.k8s.io/v1/ingresses",
];

const listsOfDetails = [
  "GET /api/v1/configmaps",
  // This cluster lacks COSI, too.
  "GET /apis/objectstorage.k8s.io/v1alpha1",
  "GET /apis/objectstorage.k8s.io/v1alpha2",
  "GET /apis/rbac.authorization.k8s.io/v1/rolebindings",
];

const entries: readonly Entry[] = [
  { member: "ada", type: "admin" },
  { member: "bob", type: "user", maxCPUm: 1000, maxMemoryMiB: 1024, expires: "2099-12-31", adopt: true },
  { member: "cyd", type: "guest-user", protect: true, adopt: true },
  { member: "dan", type: "user", suspended: true },
  { member: "eve", type: "user", route: false },
];

describe("kubecamp members", () => {
  after(async () => {
    await proxy.stop();
    const names = ["overview-reader", "overview-blind"];
    await Promise.all([
      stack.kubectl("delete", "namespace", "-l", "kubecamp.dev/stack=many"),
      stack.kubectl("delete", "clusterrole,clusterrolebinding", ...names, "--ignore-not-found"),
      stack.kubectl("delete", "serviceaccount", ...names, "-n", "default", "--ignore-not-found"),
    ]);
  });
  const stack = useStack("overview");
  const proxy = new ApiProxy();
  const asked = () => proxy.passed.map(({ method, url }) => `${method} ${url.pathname}`).sort();
  let env: Record<string, string>;
  const members = (...args: string[]) => kubecamp(["members", ...args], { env });

  before(async () => {
    // Their Services exist before kubecamp runs, so that one up opens the route.
    for (const [name, port] of [
      ["bob", "80"],
      ["cyd", "8080"],
    ] as const) {
      await makeNamespace(stack, name);
      await makeService(stack, name, `${port}:8080`);
    }
    await stack.configure(entries);
    await stack.upFine();
    await runSomething(stack, "bob");
    await stack.sandbox.apply(bucketConfigMap("bob", "data"), bucketConfigMap("bob", "theirs", {}));
    await proxy.start(stack.sandbox.kubeconfig, { signIn: false });
    env = { KUBECONFIG: await kubeconfigOf(stack, "overview-reader", kinds, proxy.url) };
  });
  beforeEach(() => {
    proxy.passed.length = 0;
  });

  it("shows state, used of hard, route and expiry of each, in six LISTs", async () => {
    assert.deepEqual(await kubecampProcess(["members"], { env }), {
      exitCode: 0,
      stderr:
        "ada is pending: no Service 'ada-svc' in namespace 'ada'\ncyd is pending: Service 'cyd-svc' has no TCP port 80 (it has 8080)",
      stdout: `MEMBER  TYPE        STATE      CPU     MEMORY     PVCS  PODS  ROUTE  EXPIRES
ada     admin       pending    -       -          -     0     -      -
bob     user        ready      250m/1  129Mi/1Gi  1/5   2/50  /bob   2099-12-31
cyd     guest-user  pending    0/500m  0/500Mi    0/5   0/50  -      -
dan     user        suspended  0/500m  0/500Mi    0/5   0/0   -      -
eve     user        ready      0/500m  0/500Mi    0/5   0/50  -      -`,
    });
    assert.deepEqual(asked(), lists);
  });

  it("shows one by one all that is known of some, and says who is not there", async () => {
    const { exitCode, stdout } = await members("show", "cyd", "bob");
    assert.equal(exitCode, 0);
    const [bob = "", cyd = ""] = stdout.split("\n\n");
    assert.match(bob, /^STACK +overview\nMEMBER +bob\nTYPE +user\nSTATE +ready\nCPU +250m\/1\nMEMORY +135M\/1Gi\n/);
    assert.match(bob, /\nBUCKETS +data\nURL +https:\/\/camp\.test\/bob\/\nREASON +-$/);
    assert.match(cyd, /\nMEMBER +cyd\n[\s\S]*\nREASON +Service 'cyd-svc' has no TCP port 80 \(it has 8080\)$/);
    assert.deepEqual(asked(), [...lists, ...listsOfDetails].toSorted());
    const one = JSON.parse((await members("show", "bob", "-o", "json")).stdout) as object[];
    assert.deepEqual(one, JSON.parse((await members("-o", "json")).stdout).slice(1, 2));
    failed(await members("show", "bob", "--stack", "overvew"), [
      "did you mean 'overview'?",
      "It has those of overview.",
    ]);
    failed(await members("show", "bob", "cydd", "nobody"), [
      "Error: There is no member 'cydd', 'nobody' on this cluster.",
      "'cydd' has no namespace here; did you mean 'cyd'?\n",
      "Run 'kubecamp members' for those who are there",
    ]);
  });

  it("prints JSON that a program can rely on", async () => {
    const { exitCode, stdout } = await members("-o", "json");
    assert.equal(exitCode, 0);
    const all = JSON.parse(stdout) as Record<string, unknown>[];
    assert.deepEqual(
      all.map(({ member, state }) => `${member} ${state}`),
      ["ada pending", "bob ready", "cyd pending", "dan suspended", "eve ready"],
    );
    assert.deepEqual(all[1], {
      stack: "overview",
      member: "bob",
      namespace: "bob",
      type: "user",
      labels: null,
      state: "ready",
      reason: null,
      url: "https://camp.test/bob/",
      host: "camp.test",
      path: "/bob",
      expires: "2099-12-31",
      leaves: null,
      protected: false,
      starter: null,
      buckets: [{ name: "data", bucketName: "bob-data", endpoint: "https://s3.example.org", ready: null }],
      pods: { used: 2, hard: 50 },
      cpu: { used: "250m", hard: "1", usedMillicores: 250, hardMillicores: 1000 },
      memory: { used: "135M", hard: "1Gi", usedBytes: 135000000, hardBytes: 1073741824 },
      storage: { used: "100Mi", hard: "5000Mi", usedBytes: 104857600, hardBytes: 5242880000 },
      persistentVolumeClaims: { used: 1, hard: 5 },
      devices: null,
      storageClasses: null,
      staff: [],
      ci: [],
    });
  });

  it("writes one page to look at with -o html, for which the stack's files have labels", async () => {
    await stack.configure(
      entries.map((entry) => (entry.member === "bob" ? { ...entry, labels: { course: "cs101" } } : entry)),
    );
    const file = join(stack.folder, "board.html");
    const args = ["--stack", "overview", "-o", "html", "--lang", "ja", "--by", "course", "--out", file];
    assert.deepEqual(await kubecamp(["members", ...args], { env, cwd: stack.folder }), {
      exitCode: 0,
      stdout: `Wrote a page with 5 members to ${file}.`,
      stderr: "",
    });
    assert.deepEqual(asked(), [...lists, ...listsOfDetails].toSorted());
    assert.match(await readFile(file, "utf8"), /^<!doctype html>\n<html lang="ja">/);
  });

  it("writes sums of each course as CSV", async () => {
    const { exitCode, stdout } = await kubecamp(["members", "--stack", "overview", "--by", "course", "-o", "csv"], {
      env,
      cwd: stack.folder,
    });
    assert.equal(exitCode, 0);
    assert.deepEqual(stdout.split("\r\n").slice(0, 2), [
      "label,value,members,withoutQuota,cpuUsedMillicores,cpuHardMillicores,memoryUsedBytes,memoryHardBytes,storageUsedBytes,storageHardBytes",
      "course,cs101,1,0,250,1000,135000000,1073741824,104857600,5242880000",
    ]);
    assert.deepEqual(asked(), lists);
  });

  it("asks no more of a cluster with many members, and tells their stacks apart", async () => {
    // Longer than a terminal's line: output to a pipe is not cut.
    const names = Array.from({ length: 30 }, (_, index) => `many-${index}-${"x".repeat(50)}`);
    await stack.sandbox.create(...names.map(earlierNamespace));
    const { stdout } = await members();
    assert.deepEqual(asked(), lists);
    const lines = stdout.split("\n");
    assert.equal(lines.length, 1 + 30 + 5);
    assert.match(lines[0] ?? "", /^STACK +MEMBER/);
    assert.match(lines[1] ?? "", /^many +many-0-x{50} +\? +pending +- +- +- +0 +- +-$/);
    const one = await members("--stack", "overview");
    assert.match(one.stdout, /^MEMBER .*\nada /);
  });

  it("fails for a stack that nobody is of, and says where somebody is", async () => {
    for (const output of ["table", "html"]) {
      failed(await members("--stack", "overvew", "-o", output), [
        "Error: There are no members of stack 'overvew' on this cluster; did you mean 'overview'?",
        "It has those of many, overview.",
      ]);
    }
  });

  it("takes a refused LIST for no answer", async () => {
    const readable = kinds.filter((kind) => kind !== "pods");
    const KUBECONFIG = await kubeconfigOf(stack, "overview-blind", readable, proxy.url);
    failed(await kubecamp(["members"], { env: { KUBECONFIG } }), [
      `Error: Can't read the Pods from the API server ${proxy.url}\n  why:        403 pods is forbidden`,
      "what to do: Give the identity in the kubeconfig the right to list them",
    ]);
  });

  it("says what to do without a kubeconfig, or the context, or an API server", async () => {
    const nowhere = join(stack.folder, "nowhere");
    failed(await kubecamp(["members"], { env: { KUBECONFIG: nowhere } }), [
      `Error: There is no kubeconfig at ${nowhere}.\n  what to do: Point KUBECONFIG at a kubeconfig of the cluster`,
    ]);
    failed(await members("--context", "prod"), [
      "Error: --context: 'prod' is no context of the kubeconfig (it has elsewhere)",
    ]);
    const closed = new ApiProxy();
    await closed.start(stack.sandbox.kubeconfig);
    const { url } = closed;
    await closed.stop();
    failed(await kubecamp(["members"], { env: { KUBECONFIG: await otherKubeconfig(stack, { server: url }) } }), [
      `from the API server ${url}\n  why:        connect ECONNREFUSED`,
    ]);
  });
});

/** Expects exit code 1, these words on stderr only, and no stack trace. */
function failed({ exitCode, stdout, stderr }: CommandResult, words: readonly string[]): void {
  assert.deepEqual({ exitCode, stdout }, { exitCode: 1, stdout: "" });
  for (const word of words) {
    assert.ok(stderr.includes(word), `${word} in\n${stderr}`);
  }
  assert.doesNotMatch(stderr, /^\s+at /m);
}

/** Pods and a volume that count against the quota, and a pod that has finished. */
async function runSomething(stack: TestStack, namespace: string): Promise<void> {
  const pod = (name: string, cpu: string, memory: string) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace },
    spec: { containers: [{ name: "main", image: "nobody/runs-it", resources: { limits: { cpu, memory } } }] },
  });
  const claim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data", namespace },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "100Mi" } } },
  };
  await stack.sandbox.apply(pod("web", "200m", "100000000"), pod("worker", "50m", "35000000"), claim);
  await stack.sandbox.apply(pod("done", "100m", "1Mi"));
  const succeeded = JSON.stringify({ status: { phase: "Succeeded" } });
  await stack.kubectl("patch", "pod", "done", "-n", namespace, "--subresource=status", "--type=merge", "-p", succeeded);
  const counted = ["wait", "resourcequota/quota", "-n", namespace, "--timeout=30s"];
  await stack.kubectl(...counted, "--for=jsonpath={.status.used.limits\\.cpu}=250m");
}

/** The ConfigMap that describes a bucket; without labels, one of the member's own. */
function bucketConfigMap(
  namespace: string,
  name: string,
  labels: object = { "app.kubernetes.io/managed-by": "kubecamp", "kubecamp.dev/bucket": name },
): object {
  const annotations = { "kubecamp.dev/endpoint": "https://s3.example.org" };
  const data = { BUCKET_NAME: `${namespace}-${name}` };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, labels, annotations }, data };
}

/** A namespace from a kubecamp version that recorded neither type nor standing. */
function earlierNamespace(name: string): object {
  const labels = {
    "app.kubernetes.io/managed-by": "kubecamp",
    "kubecamp.dev/member": name,
    "kubecamp.dev/stack": "many",
  };
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } };
}

/** A kubeconfig of a new ServiceAccount that may only list these kinds. */
async function kubeconfigOf(stack: TestStack, name: string, kinds: readonly string[], server: string): Promise<string> {
  return await otherKubeconfig(stack, { server, token: await tokenListing(stack, name, kinds) });
}
