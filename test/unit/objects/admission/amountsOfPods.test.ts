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
const judged = (object: object, oldObject: object | null = null): string[] =>
  refusalsOf(policy, { request, object, oldObject, namespaceObject: { metadata: {} } }).map((words) => {
    const [, what = ""] = / has ([^,:]+)/.exec(String(words)) ?? [];
    return what;
  });
const metadata = { name: "web" };
const pod = (spec: object) => ({ kind: "Pod", metadata, spec });
const deployment = (spec: object) => ({ kind: "Deployment", metadata, spec: { template: { spec } } });
const cronJob = (spec: object) => ({
  kind: "CronJob",
  metadata,
  spec: { jobTemplate: { spec: { template: { spec } } } },
});
const of = (container: object, more: object = {}) => ({ containers: [{ name: "web", ...container }], ...more });
const many = <T>(length: number, each: (index: number) => T): T[] => Array.from({ length }, (_, index) => each(index));
const plain = (count: number) => many(count, (index) => ({ name: `PLAIN_${index}`, value: "yes" }));
const fetched = (count: number) =>
  many(count, (index) => ({ name: `FROM_${index}`, valueFrom: { secretKeyRef: { name: "key", key: "k" } } }));
const envFrom = (count: number) => many(count, (index) => ({ prefix: `P${index}_`, secretRef: { name: "key" } }));
const chain = (steps: number, references: number) =>
  many(steps + 1, (index) => ({
    name: `A${index}`,
    value: index === 0 ? "x" : `$(A${index - 1})`.repeat(references),
  }));

// test/e2e/isolation/hostile tries it on the API server.
describe("the policy on amounts, of a pod's containers", () => {
  it("leaves room in pods' containers for what charts write", () => {
    const env = [
      ...plain(30),
      ...fetched(20),
      { name: "HOST", value: "$(FROM_0).db" },
      { name: "URL", value: "postgres://$(FROM_0):$(FROM_1)@$(HOST)/$(PLAIN_0)" },
    ];
    const volumeMounts = many(20, () => ({ name: "a" }));
    const container = { env, envFrom: envFrom(5), args: ["--url=$(URL)"], volumeMounts };
    const spec = { ...of(container), initContainers: [container, { args: ["echo $(date)".repeat(50)] }] };
    const counted = [pod, deployment, cronJob].map((make) => judged(make(spec)));
    assert.deepEqual(counted, [[], [], []]);
  });

  it("counts settings of containers of every kind, and more where the kubelet fetches something", () => {
    const tooMany = (count: number) => [[`${count} settings of its containers`]];
    const settingsOf = (spec: object) => [judged(pod(spec))];
    assert.deepEqual(settingsOf(of({ env: plain(2000) })), [[]]);
    assert.deepEqual(settingsOf(of({ env: plain(2001) })), tooMany(2001));
    assert.deepEqual(settingsOf(of({ env: fetched(200) })), [[]]);
    assert.deepEqual(settingsOf(of({ env: fetched(201) })), tooMany(2010));
    assert.deepEqual(settingsOf(of({ envFrom: envFrom(201) })), tooMany(2010));
    assert.deepEqual(settingsOf(of({}, { imagePullSecrets: many(201, () => ({ name: "a" })) })), tooMany(2010));
    const others = [judged(deployment(of({ env: plain(2001) }))), judged(cronJob(of({ env: plain(2001) })))];
    assert.deepEqual(others, [...tooMany(2001), ...tooMany(2001)]);
  });

  it("counts references wherever the kubelet writes them out", () => {
    const tooMany = ["101 references"];
    const referring = "$(A)".repeat(101);
    const exec = { exec: { command: ["sh", "-c", referring] } };
    for (const container of [
      { env: [{ name: "B", value: referring }] },
      { command: many(101, () => "$(A)") },
      { args: [referring] },
      { livenessProbe: exec },
      { readinessProbe: exec },
      { startupProbe: exec },
      { volumeMounts: many(101, () => ({ name: "a", subPathExpr: "$(A)" })) },
    ]) {
      assert.deepEqual(judged(pod(of(container))), tooMany);
      assert.deepEqual(judged(pod({ containers: [], ephemeralContainers: [container] })), tooMany);
    }
    assert.deepEqual(judged(pod(of({ args: ["$(A)".repeat(100), "$", "(A)"] }))), []);
    // The kubelet writes out none of these.
    assert.deepEqual(judged(pod(of({ lifecycle: { preStop: exec }, workingDir: referring }))), []);
  });

  it("counts references per container, of which the kubelet starts one after the other", () => {
    const container = { args: ["$(A)".repeat(90)] };
    const more = (args: string[]) => ({ initContainers: [container, container, { args }] });
    assert.deepEqual(judged(pod(of(container, more([])))), []);
    assert.deepEqual(judged(pod(of(container, more(["$(A)".repeat(150)])))), ["150 references"]);
  });

  it("counts a reference to a variable with references as twenty", () => {
    const counted = (env: object[], args: string[] = []) => judged(pod(of({ env, args })));
    assert.deepEqual(counted(chain(5, 1)), []);
    assert.deepEqual(counted(chain(6, 1)), ["101 references"]);
    assert.deepEqual(counted(chain(2, 10)), ["210 references"]);
    assert.deepEqual(counted(chain(1, 10), Array(5).fill("$(A1)")), ["110 references"]);
    // What stands before the first reference is no name.
    assert.deepEqual(counted([{ name: "A", value: "$(B)" }], ["A", "$(B)"]), []);
  });

  it("counts mounts of files and of devices", () => {
    const mounts = (count: number) => ({ volumeMounts: many(count, () => ({ name: "a" })) });
    const both = { ...mounts(200), volumeDevices: many(200, () => ({ name: "b" })) };
    assert.deepEqual(judged(pod(of(both))), []);
    assert.deepEqual(judged(pod(of(both, { initContainers: [mounts(1)] }))), ["401 mounts in its containers"]);
  });

  it("counts terms for the scheduler, with their expressions and labels, and ten values as one", () => {
    const terms = (spec: object) => judged(pod({ ...of({}), ...spec }));
    const tooMany = (count: number) => [`${count} terms`];
    const during = "DuringSchedulingIgnoredDuringExecution";
    const [required, preferred] = [`required${during}`, `preferred${during}`] as const;
    const expression = (values: number) => ({ key: "a", operator: "In", values: many(values, String) });
    const term = { matchExpressions: [expression(9)] };
    const near = { labelSelector: { matchLabels: { app: "a" }, ...term } };
    const spec = {
      nodeSelector: { "kubernetes.io/os": "linux" },
      tolerations: many(3, (index) => ({ key: `k-${index}` })),
      topologySpreadConstraints: [near],
      affinity: {
        nodeAffinity: {
          [required]: { nodeSelectorTerms: [term, { matchFields: [expression(20)] }] },
          [preferred]: [{ weight: 1, preference: term }],
        },
        podAffinity: { [required]: [near] },
        podAntiAffinity: { [preferred]: [{ weight: 1, podAffinityTerm: { ...near, namespaceSelector: term } }] },
      },
    };
    assert.deepEqual(terms(spec), []);
    // A label, three tolerations, three terms for nodes with eight in them, and three for pods with seven.
    const own = 1 + 3 + 3 + 2 + 3 + 3 + 7;
    const more = (count: number) => ({ ...spec, tolerations: many(3 + count, (index) => ({ key: `k-${index}` })) });
    assert.deepEqual(terms(more(100 - own)), []);
    assert.deepEqual(terms(more(101 - own)), tooMany(101));
    const labels = terms({ nodeSelector: Object.fromEntries(many(101, (index) => [`k-${index}`, ""])) });
    assert.deepEqual(labels, tooMany(101));
  });
});

describe("the policy on amounts, of what others pay for", () => {
  it("counts ports, metrics, and entries of ConfigMaps and Secrets", () => {
    const service = (ports: number) => ({ kind: "Service", metadata, spec: { ports: many(ports, () => ({})) } });
    assert.deepEqual([judged(service(20)), judged(service(21))], [[], ["21 ports"]]);
    assert.deepEqual(judged(service(50), service(50)), []);
    const autoscaler = (metrics: number) => ({
      ...{ kind: "HorizontalPodAutoscaler", metadata },
      spec: { maxReplicas: 2, metrics: many(metrics, () => ({})) },
    });
    assert.deepEqual([judged(autoscaler(10)), judged(autoscaler(11))], [[], ["11 metrics"]]);
    const texts = (count: number) => Object.fromEntries(many(count, (index) => [`k-${index}`, ""]));
    const keeping = (kind: string, data: number, binaryData: number) => ({
      ...{ kind, metadata },
      ...{ data: texts(data), binaryData: texts(binaryData) },
    });
    for (const kind of ["ConfigMap", "Secret"]) {
      assert.deepEqual(judged(keeping(kind, 999, 1)), []);
      assert.deepEqual(judged(keeping(kind, 1000, 1)), ["1001 entries"]);
      assert.deepEqual(judged(keeping(kind, 1000, 1), keeping(kind, 1001, 0)), []);
    }
  });
});
