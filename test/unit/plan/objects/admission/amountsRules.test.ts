import assert from "node:assert/strict";
import { amountsPolicy } from "../../../../../plan/objects/admission/amountsPolicy.ts";
import { podSpecRequests } from "../../../../../plan/objects/admission/podSpecs.ts";
import { role } from "../../../../../plan/objects/rbac/role.ts";
import { refusalsOf } from "../../../cel.ts";
import { carol, settings } from "../../../samples.ts";

const policy = amountsPolicy(settings);
const request = {
  namespace: "bob",
  resource: { resource: "pods" },
  userInfo: { username: "oidc:bob", groups: ["oidc:class"] },
};
/** Whether an object is refused, with its words if they are of interest. */
const wordsOf = (object: object, oldObject: object | null = null): unknown[] =>
  refusalsOf(policy, { request, object, oldObject, namespaceObject: { metadata: {} } });
const isRefused = (...objects: Parameters<typeof wordsOf>) => wordsOf(...objects).length > 0;
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

describe("the policy on amounts, of texts that Events repeat", () => {
  const long = "x".repeat(10_001);
  const inContainers: readonly object[] = [
    { image: `ghcr.io/${long}` },
    { command: [long] },
    { args: [long, "short"] },
    { securityContext: { capabilities: { add: [long] } } },
    { securityContext: { capabilities: { drop: Array.from({ length: 1000 }, (_, at) => `CAPABILITY_${at}`) } } },
    { readinessProbe: { httpGet: { port: 80, path: `/${long}` } } },
    { livenessProbe: { exec: { command: ["sh", "-c", long] } } },
    { volumeMounts: [{ name: "a", mountPath: `/${long}` }] },
    { env: [{ name: "A", valueFrom: { configMapKeyRef: { name: long, key: "a" } } }] },
  ];
  const inPods: readonly object[] = [
    { securityContext: { sysctls: [{ name: "kernel.shm_rmid_forced", value: long }] } },
    { volumes: [{ name: "a", secret: { secretName: long } }] },
    { schedulerName: long },
  ];
  const others: readonly object[] = [
    { kind: "HorizontalPodAutoscaler", spec: { scaleTargetRef: { name: long }, maxReplicas: 1 } },
    { kind: "PersistentVolumeClaim", spec: { dataSource: { kind: "PersistentVolumeClaim", name: long } } },
    { kind: "StatefulSet", spec: { serviceName: long } },
    { kind: "CronJob", spec: { schedule: `0${",0".repeat(5000)} * * * *` } },
  ];

  it("refuses a long one wherever an Event may repeat it, in containers of all sorts", () => {
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

  it("takes scripts, values and whatever charts have", () => {
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

  it("leaves alone what is there already", () => {
    assert.deepEqual(wordsOf(deployment({ replicas: 1 }, { image: long }), deployment({}, { image: long })), []);
  });
});

describe("the policy on amounts, of a ResourceClaimTemplate", () => {
  it("counts the annotations that each claim gets", () => {
    const metadataOfClaims = { annotations: { note: "x".repeat(40_000) } };
    const object = { kind: "ResourceClaimTemplate", metadata, spec: { metadata: metadataOfClaims, spec: {} } };
    assert.match(String(wordsOf(object)[0]), /has 40004 characters of labels and annotations/);
  });
});

// The suites in test/e2e/isolation/hostile try it on the API server.
describe("the policy on amounts", () => {
  const { spec } = amountsPolicy(settings);
  const judged = spec.matchConstraints.resourceRules.flatMap(({ apiGroups, resources }) =>
    resources.map((resource) => `${apiGroups.join()}/${resource}`),
  );

  it("judges whatever a member can make, and whatever pods are made of", () => {
    const made = role(carol, settings).rules.flatMap(({ apiGroups, resources, verbs }) =>
      verbs.includes("create") ? resources.map((resource) => `${apiGroups.join()}/${resource}`) : [],
    );
    const ofPods = podSpecRequests.flatMap(({ apiGroups, resources }) =>
      resources.map((resource) => `${apiGroups.join()}/${resource}`),
    );
    // Requests to a running pod make nothing, and add no volume.
    const wanted = [...made, ...ofPods].filter((each) => !each.startsWith("/pods/"));
    assert.ok(wanted.includes("/services") && wanted.includes("/podtemplates"));
    assert.deepEqual(
      wanted.filter((each) => !judged.includes(each)),
      [],
    );
  });
});
