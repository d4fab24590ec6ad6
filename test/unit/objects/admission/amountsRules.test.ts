import assert from "node:assert/strict";
import { policyOf } from "../../../../objects/admission/policies.ts";
import { refusalsOf } from "../../cel.ts";
import { settings } from "../../samples.ts";

const policy = policyOf("amounts", settings);
const request = {
  namespace: "bob",
  resource: { resource: "pods" },
  userInfo: { username: "oidc:bob", groups: ["oidc:class"] },
};
/** Whether an object is refused, with its words if they are of interest. */
const wordsOf = (object: object, oldObject: object | null = null): unknown[] =>
  refusalsOf(policy, { request, object, oldObject, namespaceObject: { metadata: {} } });
const isRefused = (...objects: Parameters<typeof wordsOf>) => wordsOf(...objects).length > 0;
/** The words of its refusals, without whom to ask. */
const begun = (object: object) => wordsOf(object).map((words) => String(words).split("; ask")[0]);
const metadata = { name: "web" };
const pod = (spec: object, container: object = {}) => ({
  kind: "Pod",
  metadata,
  spec: { containers: [{ name: "web", ...container }], ...spec },
});
const deployment = (spec: object, container: object = {}) => ({
  kind: "Deployment",
  metadata,
  spec: { template: { spec: pod(spec, container).spec } },
});
// test/e2e/isolation/hostile tries it on the API server.
describe("the policy on amounts, of a pod's own resources", () => {
  const both = { cpu: "1", memory: "1Gi" };
  const refused =
    "Pod 'web' has resources of the pod itself (spec.resources) without limits of both cpu and memory, and could reserve more " +
    "than it is counted for: set both in spec.resources.limits, or leave spec.resources out";

  it("refuses requests without limits of both CPU and memory, in words that say what to do", () => {
    for (const resources of [
      { requests: both },
      { requests: { cpu: "30" }, limits: { memory: "1Mi" } },
      { requests: { memory: "1Gi" }, limits: { cpu: "1" } },
      { limits: { cpu: "1" } },
    ]) {
      assert.deepEqual(begun(pod({ resources })), [refused]);
      assert.ok(isRefused(deployment({ resources })));
    }
  });

  it("takes requests with both limits, and pods that leave limits to their containers", () => {
    const limited = [{ resources: { limits: both } }, { resources: { requests: both, limits: both } }];
    for (const spec of [{}, { resources: {} }, ...limited]) {
      assert.deepEqual([wordsOf(pod(spec)), wordsOf(deployment(spec, { resources: { limits: both } }))], [[], []]);
    }
  });

  describe("with containers that the LimitRange gives limits", () => {
    const resources = { limits: both };
    const words = (kind: string) =>
      `${kind} 'web' has resources of the pod itself (spec.resources), and a container without limits of both cpu and memory, ` +
      "which gets those of LimitRange 'default-limits' and no more: set limits up to the pod's for each container, and " +
      "requests that come to no more than the pod's";
    const marked = (set: string) => ({
      ...pod({ resources }),
      metadata: { ...metadata, annotations: { "kubernetes.io/limit-ranger": `LimitRanger plugin set: ${set}` } },
    });

    it("refuses a template with a container without limits of both CPU and memory", () => {
      const little = { resources: { limits: { cpu: "1" } } };
      for (const object of [deployment({ resources }), deployment({ resources }, little)]) {
        assert.deepEqual(begun(object), [words("Deployment")]);
      }
      const more = { ...little, name: "prepare" };
      assert.deepEqual(begun(deployment({ resources, initContainers: [more] }, { resources })), [words("Deployment")]);
    });

    it("refuses a pod that has got limits of CPU or memory", () => {
      for (const set of [
        "cpu, ephemeral-storage, memory limit for container web",
        "ephemeral-storage request for container web; cpu, ephemeral-storage limit for container web",
        "memory limit for init container prepare",
      ]) {
        assert.deepEqual(begun(marked(set)), [words("Pod")]);
      }
    });

    it("takes a pod that has got others, one of a controller, and one that is there", () => {
      const set = "cpu, memory request for container cpu; ephemeral-storage limit for container cpu";
      assert.deepEqual(begun(marked(set)), []);
      const got = marked("cpu limit for container web");
      assert.deepEqual(wordsOf({ ...got, spec: { ...got.spec, activeDeadlineSeconds: 1 } }, got), []);
      const userInfo = {
        username: "system:serviceaccount:kube-system:replicaset-controller",
        groups: ["system:serviceaccounts"],
      };
      const asked = { request: { ...request, userInfo }, object: got, oldObject: null };
      assert.deepEqual(refusalsOf(policy, { ...asked, namespaceObject: { metadata: {} } }), []);
    });
  });

  it("leaves alone pods without limits that are there, also where a finalizer is taken off", () => {
    const old = pod({ resources: { requests: both } });
    assert.deepEqual(wordsOf({ ...old, metadata: { ...metadata, labels: { a: "b" } } }, old), []);
    assert.ok(isRefused(pod({ resources: { requests: { cpu: "2" } } }), old));
  });
});

// test/e2e/isolation/hostile/resizes.ts tries it on the API server.
describe("the policy on amounts, of a resize", () => {
  const sized = (cpu: string, ...conditions: readonly object[]) => ({
    ...pod({}, { resources: { limits: { cpu } } }),
    status: { conditions },
  });
  const pending = (reason: string) => ({ type: "PodResizePending", status: "True", reason });
  const refusals = (object: object, oldObject: object, subResource = "resize") =>
    refusalsOf(policy, { request: { ...request, subResource }, object, oldObject, namespaceObject: { metadata: {} } });

  it("refuses another resize after one that the node can't do, which no quota would count", () => {
    const last = pending("Infeasible");
    const [words = "", ...more] = refusals(sized("64", last), sized("30", last));
    assert.deepEqual(more, []);
    assert.equal(
      String(words).split("; ask")[0],
      "Pod 'web' waits for a resize that its node can't do (PodResizePending: Infeasible), and the quota would not count " +
        "another one: delete the pod, and let it be made with the resources that it is to have",
    );
  });

  it("takes all other resizes and requests", () => {
    const last = pending("Infeasible");
    for (const conditions of [[], [pending("Deferred")], [{ type: "Ready", status: "True" }]]) {
      assert.deepEqual(refusals(sized("64", ...conditions), sized("30", ...conditions)), []);
    }
    assert.deepEqual(refusals(sized("30", last), sized("30", last)), []);
    assert.deepEqual(refusals(sized("64", last), sized("30", last), ""), []);
  });
});

describe("the policy on amounts, of a CronJob's schedule", () => {
  const cronJob = (schedule: string, more: object = {}) => ({
    kind: "CronJob",
    metadata,
    spec: { schedule, jobTemplate: { spec: { template: { spec: { containers: [] } } } }, ...more },
  });

  it("refuses schedules of CronJobs below a minute apart, and takes others", () => {
    const refused = ["@every 1s", "@every 59s", "@every 59.9s", "@every 100ms", "@every -1h", "TZ=UTC @every 1s"];
    const taken = ["@every 1m", "@every 60s", "@every 1h30m", "* * * * *", "@hourly", "TZ=UTC @every 5m"];
    const found = [...refused, ...taken].filter((schedule) => isRefused(cronJob(schedule)));
    assert.deepEqual(found, refused);
  });

  it("leaves alone a CronJob's schedule that is there already", () => {
    const old = cronJob("@every 1s");
    assert.deepEqual(wordsOf(cronJob("@every 1s", { suspend: true }), old), []);
    assert.ok(isRefused(cronJob("@every 2s"), old));
  });
});

describe("the policy on amounts, of texts that Events repeat", () => {
  const long = "x".repeat(10_001);
  const inContainers: readonly object[] = [
    { image: `ghcr.io/${long}` },
    { command: [long] },
    { args: [long, "short"] },
    { args: ["$(BIG)"], env: [{ name: "BIG", value: long }] },
    { command: ["$(BIG)"], env: [{ name: "BIG", valueFrom: { secretKeyRef: { name: "a", key: "b" } } }] },
    { command: ["$(BIG)"], envFrom: [{ secretRef: { name: "a" } }] },
    { workingDir: `/${long}` },
    { securityContext: { capabilities: { add: [long] } } },
    { securityContext: { capabilities: { drop: Array.from({ length: 1000 }, (_, at) => `CAPABILITY_${at}`) } } },
    { securityContext: { seLinuxOptions: { level: long } } },
    { readinessProbe: { httpGet: { port: 80, path: `/${long}` } } },
    { livenessProbe: { exec: { command: ["sh", "-c", long] } } },
    { startupProbe: { grpc: { port: 80, service: long } } },
    { lifecycle: { postStart: { exec: { command: [long] } } } },
    { volumeMounts: [{ name: "a", mountPath: `/${long}` }] },
    { volumeDevices: [{ name: "a", devicePath: `/${long}` }] },
    { envFrom: [{ prefix: long, secretRef: { name: "a" } }] },
    { env: [{ name: "A", valueFrom: { configMapKeyRef: { name: long, key: "a" } } }] },
  ];
  const inPods: readonly object[] = [
    { securityContext: { sysctls: [{ name: "kernel.shm_rmid_forced", value: long }] } },
    { volumes: [{ name: "a", secret: { secretName: long } }] },
    { volumes: [{ name: "a", persistentVolumeClaim: { claimName: long } }] },
    { imagePullSecrets: [{ name: long }] },
    { dnsConfig: { options: [{ name: "a", value: long }] } },
    { schedulerName: long },
  ];
  const others: readonly object[] = [
    { kind: "HorizontalPodAutoscaler", spec: { scaleTargetRef: { name: long }, maxReplicas: 1 } },
    { kind: "HorizontalPodAutoscaler", spec: { metrics: [{ pods: { metric: { name: long } } }], maxReplicas: 1 } },
    { kind: "PersistentVolumeClaim", spec: { dataSource: { kind: "PersistentVolumeClaim", name: long } } },
    { kind: "PersistentVolumeClaim", spec: { dataSource: { name: long } } },
    { kind: "StatefulSet", spec: { serviceName: long } },
    { kind: "StatefulSet", spec: { volumeClaimTemplates: [{ spec: { volumeName: long } }] } },
    { kind: "CronJob", spec: { schedule: `0${",0".repeat(5000)} * * * *` } },
  ];

  it("refuses a long text wherever an Event may repeat it, in containers of all sorts", () => {
    for (const container of inContainers) {
      const name = Object.keys(container).join();
      assert.ok(isRefused(pod({}, container)), name);
      assert.ok(isRefused(deployment({ initContainers: [container] })), name);
      assert.ok(isRefused(pod({ ephemeralContainers: [container] })), name);
    }
    for (const spec of inPods) {
      assert.ok(isRefused(pod(spec)) && isRefused(deployment(spec)), Object.keys(spec).join());
    }
    for (const object of others) {
      assert.ok(isRefused({ metadata, ...object }), JSON.stringify(object).slice(0, 100));
    }
    assert.ok(isRefused({ kind: "ConfigMap", metadata: { ...metadata, ownerReferences: [{ kind: long }] } }));
  });

  it("refuses a long text of Events in one sentence", () => {
    assert.deepEqual(begun(pod({}, { image: long })), [
      "Pod 'web' has a text of more than 10000 characters, such as an image, a path, a probe, a name or a capability, which " +
        "Events would repeat: shorten it",
    ]);
  });

  it("takes long scripts, values and whatever charts have", () => {
    const script = "echo ready\n".repeat(700);
    const container = {
      image: "ghcr.io/acme/web@sha256:0123",
      command: ["sh", "-c", script.repeat(10)],
      args: [long],
      env: [{ name: "A", value: long }],
      readinessProbe: { exec: { command: ["sh", "-c", script] } },
      volumeMounts: Array.from({ length: 300 }, (_, at) => ({ name: "a", mountPath: `/data/${at}` })),
    };
    assert.deepEqual([wordsOf(pod({}, container)), wordsOf(deployment({}, container))], [[], []]);
    assert.deepEqual(wordsOf({ kind: "ConfigMap", metadata, data: { a: long } }), []);
  });

  it("leaves alone a long text that is there already", () => {
    assert.deepEqual(wordsOf(deployment({ replicas: 1 }, { image: long }), deployment({}, { image: long })), []);
  });
});

describe("the policy on amounts, of a rollout", () => {
  const surging = (maxSurge: unknown, replicas = 10) => ({
    kind: "Deployment",
    metadata,
    spec: { replicas, strategy: { rollingUpdate: { maxSurge } }, template: { spec: pod({}).spec } },
  });

  it("refuses a rollout with more pods beside the others than the namespace may have", () => {
    const taken = [1, "25%", "100%"].map((maxSurge) => wordsOf(surging(maxSurge)));
    assert.deepEqual(taken, [[], [], []]);
    for (const maxSurge of [1001, "10010%"]) {
      assert.match(String(wordsOf(surging(maxSurge))[0]), /asks for 1001 pods at once \(replicas or maxSurge\)/);
    }
    assert.ok(!isRefused(surging(1001), surging(1001)));
  });
});

describe("the policy on amounts, of a ResourceClaimTemplate", () => {
  it("counts the annotations that each claim gets from a ResourceClaimTemplate", () => {
    const metadataOfClaims = { annotations: { note: "x".repeat(40_000) } };
    const object = { kind: "ResourceClaimTemplate", metadata, spec: { metadata: metadataOfClaims, spec: {} } };
    assert.match(String(wordsOf(object)[0]), /has 40004 characters of labels and annotations/);
  });
});
