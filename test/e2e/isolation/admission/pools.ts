import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { V1Deployment, V1Pod, V1ReplicaSet, V1ResourceQuota } from "@kubernetes/client-node";
import { kubecamp } from "../../commands/kubecamp.ts";
import { refusedInProcess, warningsOf } from "../../program/inProcess.ts";
import type { Entry, TestStack } from "../../program/stack.ts";
import { until } from "../../program/workloads.ts";
import { assertFine, assertRefused, type Caller, signedIn, wordsOf } from "../../support/signIn/signedIn.ts";
import { named } from "../hostile/attempt.ts";
import { container, deployment, deployments, gpu, placed, pod, pods, policy } from "./confined/attempt.ts";
import { asking, devices, ofClass, resourceClaims, templates } from "./confined/devices.ts";
import { affinity, byBob, pools as ofPools, runtimes, users } from "./confined/places.ts";
import { claim, claims, storage } from "./confined/storage.ts";

export const poolTypes = {
  gpu: {
    devices: { [gpu]: 1, "gpu.example.com": 2 },
    storage: { fast: "20Gi", bulk: 0 },
    runtimeClasses: { allowed: ["gvisor", "kata"], default: "gvisor" },
    pool: {
      nodeSelector: { pool: "gpu", "example.com/site": "lab" },
      tolerations: [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }],
    },
    userNamespaces: "required",
    priorityClasses: ["batch"],
    defaults: { maxCPUm: 4000, maxMemoryMiB: 4000 },
  },
  cpu: {
    pool: {
      nodeSelector: { pool: "cpu" },
      tolerations: [
        { key: "dedicated", value: "cpu" },
        { key: "example.com/cpu", operator: "Exists", effect: "NoExecute" },
      ],
    },
  },
};
const overhead = { cpu: "10m", memory: "16Mi" };
export const poolMembers: readonly Entry[] = [
  { member: "ann", type: "gpu", route: false },
  { member: "cyd", type: "cpu", route: false, starter: "kept" },
];

interface Classed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Classes that the cluster has to have. */
export const classes: readonly Classed[] = [
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
    ...(name === "gvisor" ? { overhead: { podFixed: overhead } } : {}),
  })),
  ...["batch", "low", "urgent"].map((name) => ({
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name },
    value: 1000,
    preemptionPolicy: "Never",
  })),
];

/**
 * @param first output of the stack's first up
 * @param configure gives the stack its settings again, with other types
 */
export function pools(
  stack: TestStack,
  first: () => string,
  configure: (types?: Record<string, object>) => Promise<void>,
): void {
  describe("what a type's pods and claims may use", () => {
    let ann: Caller;
    const listed = <T extends object>(kind: string, app: string) =>
      stack.sandbox.list<T>(kind, { namespace: "ann", labelSelector: `app=${app}` });
    const dryRun = (path: string, body: object) => ann.ask("POST", `${path}?dryRun=All`, body);
    const tried = (spec: object) => dryRun(pods, placed(spec));
    /** Pods of an app of Ann's. */
    const podsOf = async (app: string) => (await listed<V1Pod>("pod", app)).map(({ spec }) => spec);
    /** What the ReplicaSets of an app of Ann's make. */
    const templatesOf = async (app: string) =>
      (await listed<V1ReplicaSet>("replicaset", app)).map(({ spec }) => spec?.template?.spec);
    const used = async () => {
      const [quota] = await stack.sandbox.list<V1ResourceQuota>("resourcequota", { namespace: "ann" });
      return quota?.status?.used?.["limits.cpu"];
    };

    before(async () => {
      ann = await signedIn(stack.sandbox, { sub: "ann" });
      await until(async () => (await used()) !== undefined);
      // The API server takes a second to put policies in force.
      await until(async () => {
        const early = await dryRun(pods, pod("early"));
        // A refusal names the class too.
        return early.status < 300 && JSON.stringify(early.body).includes("gvisor");
      });
      assertFine(await ann.ask("POST", pods, pod("plain")));
      for (const [path, body] of [
        [pods, pod("early", "amd.com/gpu")],
        [claims, claim("early", {})],
      ] as const) {
        await until(async () => (await dryRun(path, body)).status >= 400);
      }
    });

    it("fills in what pods and Deployments leave out of the type's runtime and pool", async () => {
      const made = await ann.ask("POST", deployments, deployment("web", {}));
      assertFine(made);
      const { template } = (made.body as { spec: { template: { spec: object } } }).spec;
      const { nodeSelector, tolerations } = poolTypes.gpu.pool;
      const [toleration] = tolerations.map((each) => ({ ...each, operator: "Equal" }));
      assert.partialDeepStrictEqual(template.spec, {
        runtimeClassName: "gvisor",
        hostUsers: false,
        nodeSelector,
        tolerations: [toleration],
      });
      const chosen = await tried({ runtimeClassName: "kata" });
      assert.partialDeepStrictEqual(chosen.body, { spec: { runtimeClassName: "kata", nodeSelector } });
      const more = { nodeSelector: { "kubernetes.io/arch": "arm64", pool: "gpu" }, tolerations: [{ key: "spot" }] };
      const added = await tried(more);
      const { spec } = added.body as { spec: { nodeSelector: object; tolerations: readonly object[] } };
      assert.deepEqual(spec.nodeSelector, { ...more.nodeSelector, ...nodeSelector });
      assert.deepEqual(spec.tolerations.slice(0, 1), [{ key: "spot" }]);
      assert.partialDeepStrictEqual(spec.tolerations.at(-1), toleration);
      for (const specsOf of [podsOf, templatesOf]) {
        await until(async () => (await specsOf("web")).map((spec) => spec?.runtimeClassName).join() === "gvisor");
      }
    });

    it("fills in the type's runtime and pool for every kind that makes pods", async () => {
      const spec = { containers: [container()], restartPolicy: "Never" };
      const labels = { app: "each" };
      const template = (more: object = {}) => ({ template: { metadata: { labels }, spec: { ...spec, ...more } } });
      const always = { selector: { matchLabels: labels }, ...template({ restartPolicy: "Always" }) };
      const kinds: Readonly<Record<string, object>> = {
        "apps/v1 DaemonSet": { spec: always },
        "apps/v1 ReplicaSet": { spec: always },
        "apps/v1 StatefulSet": { spec: { ...always, serviceName: "each" } },
        "batch/v1 CronJob": { spec: { schedule: "* * * * *", jobTemplate: { spec: template() } } },
        "batch/v1 Job": { spec: template() },
      };
      for (const [kind, rest] of Object.entries(kinds)) {
        const [version = "", name = ""] = kind.split(" ");
        const path = `/apis/${version}/namespaces/ann/${name.toLowerCase()}s?dryRun=All`;
        const { status, body } = await ann.ask("POST", path, named("each", rest));
        const text = JSON.stringify(body);
        assert.equal(status, 201, text);
        assert.match(text, /"runtimeClassName":"gvisor"/, kind);
        assert.match(text, /"hostUsers":false/, kind);
        assert.match(text, /"nodeSelector":{"example.com\/site":"lab","pool":"gpu"}/, kind);
      }
    });

    describe("with classes that the API server completes before and after it fills in", () => {
      const filled = { runtimeClassName: "gvisor", overhead, hostUsers: false };

      it("leaves a pod the priority of its class, and adds the overhead of its RuntimeClass", async () => {
        const both = { priorityClassName: "batch", priority: 1000, preemptionPolicy: "Never" };
        const made = await tried({ priorityClassName: "batch" });
        assertFine(made);
        assert.partialDeepStrictEqual(made.body, { spec: { ...filled, ...both } });
        const none = await tried({});
        assert.partialDeepStrictEqual(none.body, { spec: { ...filled, priority: 0 } });
        const chosen = await tried({ priorityClassName: "batch", runtimeClassName: "kata" });
        assertFine(chosen);
        assert.equal((chosen.body as { spec: { overhead?: object } }).spec.overhead, undefined);
      });

      it("lets controllers make pods with overhead, which the quota counts", async () => {
        const limits = { cpu: "200m", memory: "100Mi" };
        const containers = [{ ...container(), resources: { limits } }];
        assertFine(await ann.ask("POST", deployments, deployment("prior", { containers, priorityClassName: "batch" })));
        await until(async () => (await podsOf("prior")).map((spec) => spec?.priority).join() === "1000");
        const [spec] = await podsOf("prior");
        assert.deepEqual(spec?.overhead, overhead);
        assert.deepEqual(
          spec?.containers.map(({ resources }) => resources?.limits?.cpu),
          ["200m"],
        );
        const milliCpu = async () => Number.parseInt((await used()) ?? "", 10);
        const before = await milliCpu();
        assertFine(await ann.ask("DELETE", `${deployments}/prior`));
        await until(async () => before - (await milliCpu()) === 210);
      });

      it("takes the cluster's default PriorityClass for pods that are filled in", async () => {
        const usual = { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", value: 500, globalDefault: true };
        await stack.sandbox.apply({ ...usual, metadata: { name: "usual" } });
        const spec = { ...filled, priorityClassName: "usual", priority: 500 };
        await until(async () => JSON.stringify(await tried({})).includes('"priorityClassName":"usual"'));
        const made = await tried({});
        await stack.delete("priorityclass", "usual");
        assertFine(made);
        assert.partialDeepStrictEqual(made.body, { spec });
        await until(async () => !JSON.stringify(await tried({})).includes('"priorityClassName":"usual"'));
      });

      it("refuses another PriorityClass, and a priority or an overhead of one's own", async () => {
        for (const [spec, refusal] of [
          [{ priorityClassName: "urgent" }, policy("pods", "Pod 'a' has the PriorityClass 'urgent', with which")],
          [
            { priorityClassName: "batch", priority: 7 },
            /integer value of priority \(7\) must not be provided in pod spec/,
          ],
          [
            { runtimeClassName: "kata", overhead },
            /Pod Overhead set without corresponding RuntimeClass defined Overhead/,
          ],
          [
            { runtimeClassName: "gvisor", overhead: { cpu: "1m" } },
            /Pod's Overhead doesn't match RuntimeClass's defined/,
          ],
        ] as const) {
          assertRefused(await tried(spec), refusal);
        }
      });
    });

    it("leaves existing Deployments as they are, and fills in the pods that come of them", async () => {
      const old = { apiVersion: "apps/v1", kind: "Deployment", ...deployment("old") };
      const file = join(stack.folder, "old.json");
      await writeFile(file, JSON.stringify({ ...old, spec: { ...old.spec, replicas: 0 } }));
      await stack.beforePolicies("ann", ["apply", "-f", file, "-n", "ann"]);
      await until(async () => (await templatesOf("old")).length > 0);
      // The controller makes another that must be as the Deployment is.
      for (const name of await stack.sandbox.names("replicaset", { namespace: "ann", labelSelector: "app=old" })) {
        await stack.delete("replicaset", name, "ann");
      }
      assertFine(
        await ann.ask("PATCH", `${deployments}/old/scale`, { spec: { replicas: 1 } }, "application/merge-patch+json"),
      );
      await until(async () => (await podsOf("old")).map((spec) => spec?.runtimeClassName).join() === "gvisor");
      assert.deepEqual(
        (await templatesOf("old")).map((spec) => spec?.runtimeClassName),
        [undefined],
      );
      const image = { spec: { template: { spec: { containers: [{ name: "main", image: "train:2" }] } } } };
      const changed = await ann.ask("PATCH", `${deployments}/old`, image, "application/strategic-merge-patch+json");
      assert.match(JSON.stringify(changed.body), /"runtimeClassName":"gvisor"/);
    });

    describe("nobody minds", () => {
      it("allows the devices and classes that the type names", async () => {
        assertFine(await dryRun(pods, pod("a", gpu)));
        assertFine(await dryRun(pods, pod("a", "deviceclass.resource.kubernetes.io/gpu.example.com")));
        assertFine(await ann.ask("POST", resourceClaims, named("own", { spec: asking(ofClass("gpu.example.com")) })));
        assertFine(
          await ann.ask("POST", templates, named("own", { spec: { spec: asking(ofClass("gpu.example.com")) } })),
        );
        assertFine(await ann.ask("POST", claims, claim("own", { storageClassName: "fast" })));
      });

      it("allows devices and nodes to members whose type names none", async () => {
        const bob = await signedIn(stack.sandbox, { sub: "bob" });
        const elsewhere = (path: string) => `${path.replace("/ann/", "/bob/")}?dryRun=All`;
        assertFine(await bob.ask("POST", elsewhere(pods), pod("a", "amd.com/gpu")));
        assertFine(
          await bob.ask("POST", elsewhere(claims), claim("a", { resources: { requests: { storage: "1Mi" } } })),
        );
        assertFine(await bob.ask("POST", elsewhere(pods), placed({ nodeSelector: { "kubernetes.io/arch": "arm64" } })));
        assertFine(
          await bob.ask("POST", elsewhere(pods), placed({ tolerations: [{ key: "dedicated", value: "tpu" }] })),
        );
        assertFine(await bob.ask("POST", elsewhere(pods), placed(affinity("pool", "DoesNotExist"))));
        const refused = await bob.ask("POST", elsewhere(resourceClaims), named("a", { spec: asking(ofClass("x")) }));
        assert.match(wordsOf(refused), /cannot create resource "resourceclaims" in API group "resource.k8s.io"/);
      });
    });

    for (const [on, attempts] of Object.entries({ devices, storage, runtimes, pools: ofPools, users })) {
      describe(`refuses, of ${on}`, () => {
        for (const [tries, ask, refusal] of attempts) {
          it(tries, async () => assertRefused(await ask(ann, stack.sandbox), refusal));
        }
      });
    }

    it("judges pods that another object seems to control, and claims that a controller makes", async () => {
      const { spec } = deployment("handed", { hostUsers: true });
      // One that is there: the garbage collector would delete what another owns.
      const { uid } = (await stack.sandbox.get<V1Deployment>("deployment", "web", "ann")).metadata ?? assert.fail();
      const ownerReferences = [{ apiVersion: "apps/v1", kind: "Deployment", name: "web", uid, controller: true }];
      const replicaSets = deployments.replace("deployments", "replicasets");
      assertFine(await ann.ask("POST", replicaSets, { metadata: { name: "handed", ownerReferences }, spec }));
      await until(async () => {
        const { body } = await ann.ask("GET", `${replicaSets}/handed`);
        return /runs with the users of its node/.test(JSON.stringify((body as V1ReplicaSet).status ?? {}));
      });
      const annotations = { "resource.kubernetes.io/extended-resource-claim": "true" };
      const made = { metadata: { name: "forged", annotations }, spec: asking(ofClass("tpu.example.com")) };
      const { code, body } = await stack.sandbox.ask("POST", resourceClaims, {
        headers: {
          "content-type": "application/json",
          "impersonate-user": "system:serviceaccount:kube-system:resource-claim-controller",
        },
        body: JSON.stringify(made),
      });
      assert.equal(code, 403, body);
      assert.match(body, /ResourceClaim 'forged' asks for a device of class 'tpu.example.com'/);
    });

    describe("refuses somebody without a pool", () => {
      for (const [tries, ask, refusal] of byBob) {
        it(tries, async () => {
          assertRefused(await ask(await signedIn(stack.sandbox, { sub: "bob" }), stack.sandbox), refusal);
        });
      }
    });

    it("shows the used devices and classes in lists of members", async () => {
      const { stdout } = await kubecamp(["members", "-o", "json"], { env: stack.sandbox.env });
      const found = JSON.parse(stdout) as { member: string; devices: object | null; storageClasses: object | null }[];
      const of = (name: string) => found.find(({ member }) => member === name);
      assert.deepEqual(Object.keys(of("ann")?.devices ?? {}), ["gpu.example.com", gpu]);
      assert.deepEqual(Object.keys(of("ann")?.storageClasses ?? {}), ["bulk", "fast"]);
      assert.deepEqual([of("bob")?.devices, of("bob")?.storageClasses], [null, null]);
      const wide = await kubecamp(["members", "-o", "wide"], { env: stack.sandbox.env });
      assert.match(wide.stdout, /nvidia\.com\/gpu 0\/1/);
    });

    describe("warns", () => {
      const node = "node-000000";
      const patched = (amount: string | null) => {
        const status = { capacity: { [gpu]: amount }, allocatable: { [gpu]: amount } };
        return stack.sandbox.patch("node/status", node, undefined, { status });
      };
      const labelled = (labels: object) => stack.sandbox.patch("node", node, undefined, { metadata: { labels } });
      after(async () => {
        await labelled({ pool: null, "example.com/site": null });
        await stack.kubectl("taint", "node", node, "dedicated-");
        await patched(null);
      });
      const warnings = async () => {
        const lines = (await warningsOf(stack)).split("\n");
        return lines.flatMap((line) => /^(?:pool|devices): (?:.*?;|.*)/.exec(line)?.[0] ?? []).sort();
      };
      const noClass =
        "devices: there is no DeviceClass 'gpu.example.com', so that pods of ann that ask for it stay Pending;";
      const ofCyd = "pool: no node has the labels pool=cpu, so that pods of cyd stay Pending;";

      it("warns of pools that no node is in, and devices that no node has", () => {
        for (const text of [
          "pool: no node has the labels example.com/site=lab, pool=gpu, so that pods of ann stay Pending; the nodes",
          ofCyd,
          noClass,
        ]) {
          assert.ok(first().includes(text), first());
        }
      });

      it("warns of a pool as long as nodes lack its devices or taint", async () => {
        await labelled({ pool: "gpu", "example.com/site": "lab" });
        const lacks =
          "devices: no node with example.com/site=lab, pool=gpu has the device 'nvidia.com/gpu', so that pods of ann that ask for it stay Pending;";
        const open = `pool: anybody's pods run on nodes of the pool example.com/site=lab, pool=gpu of ann that have none of the taints it tolerates: taint ${node} with 'kubectl taint node'`;
        assert.deepEqual(await warnings(), [noClass, lacks, open, ofCyd].sort());
        await stack.kubectl("taint", "node", node, "dedicated=gpu:NoSchedule");
        await patched("8");
        assert.deepEqual(await warnings(), [noClass, ofCyd].sort());
      });
    });

    describe("where the cluster lacks a class", () => {
      const runtimeClasses = { allowed: ["gvsor"], default: "gvsor" };
      before(() => configure({ gpu: { ...poolTypes.gpu, runtimeClasses } }));
      after(() => configure());

      it("stops a run before it touches anything", async () => {
        const refusal =
          "the cluster has no RuntimeClass 'gvsor', which ann may use; did you mean 'gvisor'? Make it, or take it out";
        await refusedInProcess(stack, [refusal]);
      });
    });

    // In a describe of its own: mocha runs a suite's own tests before those of nested suites.
    describe("where the API server fills in nothing, as before 1.36", () => {
      before(() => stack.delete("mutatingadmissionpolicybinding", "kubecamp-fill-in-admission"));

      const inPool = poolTypes.gpu.pool;
      const runtime = { runtimeClassName: "gvisor", hostUsers: false };

      it("names the line to add where the API server fills in nothing", async () => {
        await until(async () => (await tried({})).status >= 400);
        const runtimes =
          "Pod 'a' names no RuntimeClass, and namespace 'ann' may only have gvisor, kata: add 'runtimeClassName: gvisor' to the pod's spec";
        assert.match(wordsOf(await tried({ ...inPool, hostUsers: false })), policy("runtimes", runtimes));
        const users =
          "Pod 'a' runs with the users of its node, which namespace 'ann' does not allow: add 'hostUsers: false' to the pod's spec";
        assert.match(wordsOf(await tried({ ...inPool, runtimeClassName: "kata" })), policy("users", users));
        const words =
          "Pod 'a' does not run on the nodes of namespace 'ann' alone: have in the pod's spec 'nodeSelector:";
        assert.match(wordsOf(await tried({ ...runtime, nodeSelector: inPool.nodeSelector })), policy("pools", words));
        assert.match(wordsOf(await tried({ ...runtime, tolerations: inPool.tolerations })), policy("pools", words));
        assertFine(await tried({ ...runtime, ...inPool }));
      });

      it("runs a starter app in its pool where the API server fills in nothing", async () => {
        for (const name of await stack.sandbox.names("pod", { namespace: "cyd" })) {
          await stack.delete("pod", name, "cyd");
        }
        const chosen = async () =>
          (await stack.sandbox.list<V1Pod>("pod", { namespace: "cyd" })).map(({ spec }) => spec?.nodeSelector?.pool);
        await until(async () => (await chosen()).join() === "cpu");
      });

      it("puts the deleted binding of the filling policy back with a refresh, and no more", async () => {
        const { steps, output } = await stack.upFine("--refresh");
        assert.match(output, /MutatingAdmissionPolicyBinding kubecamp-fill-in-admission/);
        const binding = "MutatingAdmissionPolicyBinding access/admission/mutating/fill-in/binding";
        assert.deepEqual(steps, [`create kubernetes:admissionregistration.k8s.io/v1:${binding}`]);
        await until(async () => (await tried({})).status < 300);
      });
    });
  });
}
