import { deepEqual, equal } from "node:assert/strict";
import type { Props } from "../../../../../../../buckets/protocol/values.ts";
import {
  type JudgeContext,
  judgeFor,
  type Verdict,
} from "../../../../../../../scaffold/sandbox/standins/kubernetes/await/readiness.ts";
import { realClock } from "../../../../../../../scaffold/sandbox/standins/kubernetes/clock.ts";

function context(related: Record<string, Props> = {}): JudgeContext {
  return { reading: true, find: async (kind, name) => related[`${kind}/${name}`], clock: realClock };
}

async function judge(live: Props, related?: Record<string, Props>): Promise<Verdict | undefined> {
  return await judgeFor(live, context(related))?.judge(live);
}

describe("a Deployment is ready", () => {
  const conditions = (available: string, reason: string): Props[] => [
    { type: "Available", status: available, reason: "MinimumReplicasUnavailable", message: "Too few." },
    { type: "Progressing", status: "True", reason },
  ];
  const deployment = (status: Props, revision = "2"): Props => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", generation: 3, annotations: { "deployment.kubernetes.io/revision": revision } },
    spec: { replicas: 4 },
    status: {
      observedGeneration: 3,
      updatedReplicas: 4,
      readyReplicas: 4,
      conditions: conditions("True", "NewReplicaSetAvailable"),
      ...status,
    },
  });
  const cases: [title: string, live: Props, ready: boolean][] = [
    ["when it is rolled out", deployment({}), true],
    ["not before its controller has seen it", deployment({ observedGeneration: 2 }), false],
    ["not before its new pods are up", deployment({ updatedReplicas: 3 }), false],
    ["not before as many as asked for are ready, though it is available", deployment({ readyReplicas: 3 }, "1"), false],
    ["not while it is unavailable", deployment({ conditions: conditions("False", "NewReplicaSetAvailable") }), false],
    ["not while it rolls over", deployment({ conditions: conditions("True", "ReplicaSetUpdated") }), false],
    [
      "at its first revision without a roll-over",
      deployment({ conditions: conditions("True", "ReplicaSetUpdated") }, "1"),
      true,
    ],
  ];
  for (const [title, live, ready] of cases) {
    it(title, async () => equal((await judge(live))?.ready, ready));
  }

  it("or says why not, in the controller's words", async () => {
    const verdict = await judge(deployment({ conditions: conditions("False", "ReplicaSetUpdated") }));
    deepEqual(verdict?.reasons, [
      "[MinimumReplicasUnavailable] Too few.",
      "Minimum number of live Pods was not attained",
    ]);
  });
});

describe("a Service is ready", () => {
  const selecting = { apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: { selector: { app: "a" } } };
  const endpoints = (subset: Props): Record<string, Props> => ({ "Endpoints/s": { subsets: [subset] } });

  it("with ready pods, and with none at all", async () => {
    equal((await judge(selecting, endpoints({ addresses: [{ ip: "1" }] })))?.ready, true);
    equal((await judge(selecting, {}))?.ready, true);
  });

  it("not while a pod of it is not", async () => {
    const pending = endpoints({ addresses: [{ ip: "1" }], notReadyAddresses: [{ ip: "2" }] });
    const verdict = await judge(selecting, pending);
    deepEqual([verdict?.ready, verdict?.goodEnough], [false, false]);
  });
});

describe("an Ingress is ready", () => {
  const backend = { service: { name: "s", port: { number: 80 } } };
  const ingress = (status: Props): Props => ({
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { name: "i" },
    spec: { rules: [{ http: { paths: [{ path: "/", backend }] } }] },
    status,
  });

  it("with an address alone", async () => {
    equal((await judge(ingress({ loadBalancer: { ingress: [{ ip: "1" }] } })))?.ready, true);
    equal((await judge(ingress({ loadBalancer: {} })))?.ready, false);
  });

  it("at first only if its target is there, unless that is a name elsewhere", async () => {
    const live = ingress({ loadBalancer: { ingress: [{ ip: "1" }] } });
    const verdictWith = async (related: Record<string, Props>): Promise<boolean | undefined> =>
      (await judgeFor(live, { ...context(related), reading: false })?.judge(live))?.ready;
    equal(await verdictWith({}), false);
    equal(await verdictWith({ "Endpoints/s": {} }), true);
    equal(await verdictWith({ "Service/s": { spec: { type: "ExternalName" } } }), true);
  });
});

describe("other objects", () => {
  it("are ready as soon as they exist", () => {
    equal(judgeFor({ apiVersion: "v1", kind: "ConfigMap" }, context()), undefined);
  });
});
