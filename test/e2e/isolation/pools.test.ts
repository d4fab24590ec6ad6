import assert from "node:assert/strict";
import { type Entry, useStack } from "../program/stack.ts";
import { apply, until } from "../program/workloads.ts";
import { type Answer, type Caller, signedIn } from "../support/signIn/signedIn.ts";

const gpu = "nvidia.com/gpu";
const memberTypes = {
  gpu: {
    devices: { [gpu]: 1, "gpu.example.com": 2 },
    storage: { fast: "20Gi", bulk: 0 },
    runtimeClasses: { allowed: ["gvisor", "kata"], default: "gvisor" },
    defaults: { maxCPUm: 4000, maxMemoryMiB: 4000 },
  },
};
const members: readonly Entry[] = [
  { member: "ann", type: "gpu", route: false },
  { member: "bob", type: "user", route: false },
];

const pods = "/api/v1/namespaces/ann/pods";
const claims = "/api/v1/namespaces/ann/persistentvolumeclaims";
const deployments = "/apis/apps/v1/namespaces/ann/deployments";
const resourceClaims = "/apis/resource.k8s.io/v1/namespaces/ann/resourceclaims";
const templates = "/apis/resource.k8s.io/v1/namespaces/ann/resourceclaimtemplates";

const named = <T extends object>(name: string, rest: T) => ({ metadata: { name }, ...rest });
const container = (resource?: string, amount = "1") => ({
  name: "main",
  image: "train:1",
  ...(resource === undefined ? {} : { resources: { limits: { [resource]: amount } } }),
});
const pod = (name: string, resource?: string) => named(name, { spec: { containers: [container(resource)] } });
const claim = (name: string, spec: object, annotations: object = {}) => ({
  metadata: { name, annotations },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
});
const asking = (request: object) => ({ devices: { requests: [{ name: "one", ...request }] } });
const ofClass = (deviceClassName: string, more: object = {}) => ({ exactly: { deviceClassName, ...more } });

/** A request by ann, and the beginning of its refusal. */
type Attempt = readonly [tries: string, method: "POST" | "PATCH", path: string, body: object, refusal: RegExp];

const policy = (name: string, words: string) =>
  new RegExp(`ValidatingAdmissionPolicy 'kubecamp-${name}-pools' .*denied request: ${words}`);

const devices: readonly Attempt[] = [
  [
    "a device that is not named",
    "POST",
    pods,
    pod("a", "amd.com/gpu"),
    policy(
      "devices",
      "Pod 'a' asks for the device 'amd.com/gpu', which namespace 'ann' may not have: it may have gpu.example.com, nvidia.com/gpu; leave it out, or ask platform@example.org",
    ),
  ],
  [
    "one in a container before the others",
    "POST",
    pods,
    named("a", {
      spec: { containers: [container()], initContainers: [{ ...container("amd.com/gpu"), name: "first" }] },
    }),
    policy("devices", "Pod 'a' asks for the device 'amd.com/gpu'"),
  ],
  [
    "one by a Deployment",
    "POST",
    deployments,
    named("a", {
      spec: {
        selector: { matchLabels: { app: "a" } },
        template: { metadata: { labels: { app: "a" } }, spec: pod("a", "amd.com/gpu").spec },
      },
    }),
    policy("devices", "Deployment 'a' asks for the device 'amd.com/gpu'"),
  ],
  [
    "one by an ephemeral container, which may have no resources at all",
    "PATCH",
    `${pods}/plain/ephemeralcontainers`,
    { spec: { ephemeralContainers: [{ ...container(gpu), name: "later" }] } },
    /spec.ephemeralContainers\[0\].resources: Forbidden/,
  ],
  ["more than one", "POST", pods, named("a", { spec: { containers: [container(gpu, "2")] } }), /exceeded quota: quota/],
  [
    "one of another class, by a claim",
    "POST",
    resourceClaims,
    named("a", { spec: asking(ofClass("tpu.example.com")) }),
    policy(
      "devices",
      "ResourceClaim 'a' asks for a device of class 'tpu.example.com', which namespace 'ann' may not have",
    ),
  ],
  [
    "one of another class, if there is one",
    "POST",
    resourceClaims,
    named("a", {
      spec: asking({
        firstAvailable: ["tpu", "gpu"].map((name) => ({ name, deviceClassName: `${name}.example.com` })),
      }),
    }),
    policy("devices", "ResourceClaim 'a' asks for a device of class 'tpu.example.com'"),
  ],
  [
    "one of another class, by a template",
    "POST",
    templates,
    named("a", { spec: { spec: asking(ofClass("tpu.example.com")) } }),
    policy("devices", "ResourceClaimTemplate 'a' asks for a device of class 'tpu.example.com'"),
  ],
  [
    "one of another class, as an extended resource",
    "POST",
    pods,
    pod("a", "deviceclass.resource.kubernetes.io/tpu.example.com"),
    policy("devices", "Pod 'a' asks for the device 'deviceclass.resource.kubernetes.io/tpu.example.com'"),
  ],
  [
    "those of others, by adminAccess",
    "POST",
    templates,
    named("a", { spec: { spec: asking(ofClass("gpu.example.com", { adminAccess: true })) } }),
    /adminAccess/,
  ],
  [
    "all of its class",
    "POST",
    resourceClaims,
    named("a", { spec: asking(ofClass("gpu.example.com", { allocationMode: "All" })) }),
    /exceeded quota: quota, requested: gpu.example.com.deviceclass.resource.k8s.io\/devices=/,
  ],
  [
    "to have a claim that nobody can delete",
    "POST",
    resourceClaims,
    { metadata: { name: "a", finalizers: ["example.org/never"] }, spec: asking(ofClass("gpu.example.com")) },
    policy("finalizers", "ResourceClaim 'a' has the finalizer 'example.org/never'"),
  ],
];

const storage: readonly Attempt[] = [
  [
    "a class that is not named",
    "POST",
    claims,
    claim("a", { storageClassName: "slow" }),
    policy(
      "storage",
      "PersistentVolumeClaim 'a' has the StorageClass 'slow', its own or the default, which namespace 'ann' may not use: set storageClassName to fast, or ask platform@example.org",
    ),
  ],
  [
    "a class of which there is nothing",
    "POST",
    claims,
    claim("a", { storageClassName: "bulk" }),
    policy("storage", "PersistentVolumeClaim 'a' has the StorageClass 'bulk'"),
  ],
  [
    "the default class, by naming none",
    "POST",
    claims,
    claim("a", {}),
    policy("storage", "PersistentVolumeClaim 'a' has the StorageClass 'slow'"),
  ],
  [
    "any volume without a class",
    "POST",
    claims,
    claim("a", { storageClassName: "" }),
    policy("storage", "PersistentVolumeClaim 'a' has no StorageClass"),
  ],
  [
    "another class in the words of long ago",
    "POST",
    claims,
    claim("a", { storageClassName: "fast" }, { "volume.beta.kubernetes.io/storage-class": "slow" }),
    policy("storage", "PersistentVolumeClaim 'a' has the StorageClass 'slow'"),
  ],
  [
    "more than its share of the class",
    "POST",
    claims,
    claim("a", { storageClassName: "fast", resources: { requests: { storage: "20Gi" } } }),
    /exceeded quota: quota, requested: fast.storageclass.storage.k8s.io\/requests.storage=20Gi/,
  ],
];

const deployment = (name: string, spec: object = {}) =>
  named(name, {
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [container()], ...spec } },
    },
  });

const places: readonly Attempt[] = [
  [
    "a runtime that is not allowed",
    "POST",
    pods,
    named("a", { spec: { containers: [container()], runtimeClassName: "fast" } }),
    policy(
      "runtimes",
      "Pod 'a' has the RuntimeClass 'fast', and namespace 'ann' may only have gvisor, kata: add 'runtimeClassName: gvisor' to the pod's spec, or ask platform@example.org",
    ),
  ],
  [
    "one by a Deployment",
    "POST",
    deployments,
    deployment("a", { runtimeClassName: "fast" }),
    policy("runtimes", "Deployment 'a' has the RuntimeClass 'fast'"),
  ],
];

const wordsOf = ({ status, body }: Answer) =>
  `${status} ${(body as { message?: string }).message ?? JSON.stringify(body)}`;

describe("what a type's pods and claims may use", () => {
  const stack = useStack("pools");
  let ann: Caller;
  const fine = (answer: Answer) => assert.ok(answer.status < 300, wordsOf(answer));

  before(async () => {
    await apply(
      stack,
      ...["fast", "slow", "bulk"].map((name) => ({
        apiVersion: "storage.k8s.io/v1",
        kind: "StorageClass",
        metadata: {
          name,
          annotations: { "storageclass.kubernetes.io/is-default-class": String(name === "slow") },
        },
        provisioner: "example.org/disk",
      })),
      ...["fast", "gvisor", "kata"].map((name) => ({
        apiVersion: "node.k8s.io/v1",
        kind: "RuntimeClass",
        metadata: { name },
        handler: name,
      })),
    );
    await stack.configure(members, { memberTypes, contact: "platform@example.org" });
    await stack.upFine();
    ann = await signedIn(stack.sandbox, { sub: "ann" });
    await until(async () =>
      (await stack.kubectl("get", "quota", "quota", "-n", "ann", "-o", "yaml")).includes("used:"),
    );
    fine(await ann.ask("POST", pods, pod("plain")));
    // The API server takes a second to put policies in force.
    for (const [path, body] of [
      [pods, pod("early", "amd.com/gpu")],
      [claims, claim("early", {})],
    ] as const) {
      await until(async () => (await ann.ask("POST", `${path}?dryRun=All`, body)).status >= 400);
    }
  });

  after(async () => {
    await stack.kubectl("delete", "storageclass", "fast", "slow", "bulk");
    await stack.kubectl("delete", "runtimeclass", "fast", "gvisor", "kata");
  });

  it("is filled in where pods leave it out, and what makes them", async () => {
    const made = await ann.ask("POST", deployments, deployment("web", {}));
    fine(made);
    const { template } = (made.body as { spec: { template: { spec: object } } }).spec;
    assert.partialDeepStrictEqual(template.spec, { runtimeClassName: "gvisor" });
    const chosen = await ann.ask(
      "POST",
      `${pods}?dryRun=All`,
      named("a", { spec: { containers: [container()], runtimeClassName: "kata" } }),
    );
    assert.partialDeepStrictEqual(chosen.body, { spec: { runtimeClassName: "kata" } });
    for (const kind of ["pods", "replicasets"]) {
      const format = "jsonpath={.items[*]..runtimeClassName}";
      await until(
        async () => (await stack.kubectl("get", kind, "-l", "app=web", "-n", "ann", "-o", format)) === "gvisor",
      );
    }
  });

  it("leaves everything as it is in a second run", async () => {
    const { steps } = await stack.upFine();
    assert.deepEqual(steps, []);
  });

  describe("nobody minds", () => {
    it("the devices and classes that it names", async () => {
      fine(await ann.ask("POST", `${pods}?dryRun=All`, pod("a", gpu)));
      fine(await ann.ask("POST", `${pods}?dryRun=All`, pod("a", "deviceclass.resource.kubernetes.io/gpu.example.com")));
      fine(await ann.ask("POST", resourceClaims, named("own", { spec: asking(ofClass("gpu.example.com")) })));
      fine(await ann.ask("POST", templates, named("own", { spec: { spec: asking(ofClass("gpu.example.com")) } })));
      fine(await ann.ask("POST", claims, claim("own", { storageClassName: "fast" })));
    });

    it("what others use whose type names none", async () => {
      const bob = await signedIn(stack.sandbox, { sub: "bob" });
      const elsewhere = (path: string) => `${path.replace("/ann/", "/bob/")}?dryRun=All`;
      fine(await bob.ask("POST", elsewhere(pods), pod("a", "amd.com/gpu")));
      fine(await bob.ask("POST", elsewhere(claims), claim("a", { resources: { requests: { storage: "1Mi" } } })));
      const refused = await bob.ask("POST", elsewhere(resourceClaims), named("a", { spec: asking(ofClass("x")) }));
      assert.match(wordsOf(refused), /cannot create resource "resourceclaims" in API group "resource.k8s.io"/);
    });
  });

  for (const [on, attempts] of Object.entries({ devices, storage, places })) {
    describe(`refuses, of ${on}`, () => {
      for (const [tries, method, path, body, refusal] of attempts) {
        it(tries, async () => {
          const type = method === "PATCH" ? "application/strategic-merge-patch+json" : undefined;
          const answer = await ann.ask(method, path, body, type);
          assert.ok(answer.status >= 400, wordsOf(answer));
          assert.match(wordsOf(answer), refusal);
        });
      }
    });
  }

  it("stops a run before it touches anything where the cluster lacks a class", async () => {
    const runtimeClasses = { allowed: ["gvsor"], default: "gvsor" };
    await stack.configure(members, { memberTypes: { gpu: { ...memberTypes.gpu, runtimeClasses } } });
    const { exitCode, output } = await stack.preview();
    assert.notEqual(exitCode, 0);
    const refusal =
      "the cluster has no RuntimeClass 'gvsor', which ann may use; did you mean 'gvisor'? Make it, or take it out";
    assert.ok(output.includes(refusal), output);
  });

  // Last, since an API server of before 1.36 is one without this binding.
  it("says which line to add where the API server fills in nothing", async () => {
    await stack.kubectl("delete", "mutatingadmissionpolicybinding", "kubecamp-fill-in-pools");
    const plain = () => ann.ask("POST", `${pods}?dryRun=All`, pod("a"));
    await until(async () => (await plain()).status >= 400);
    assert.match(
      wordsOf(await plain()),
      policy(
        "runtimes",
        "Pod 'a' names no RuntimeClass, and namespace 'ann' may only have gvisor, kata: add 'runtimeClassName: gvisor' to the pod's spec",
      ),
    );
    await stack.configure(members, { memberTypes, contact: "platform@example.org" });
    const { steps, output } = await stack.upFine("--refresh");
    assert.match(output, /MutatingAdmissionPolicyBinding kubecamp-fill-in-pools/);
    assert.ok(
      steps.some((step) => step.endsWith("access/admission/mutating/fill-in/binding")),
      steps.join("\n"),
    );
    await until(async () => (await plain()).status < 300);
  });
});
