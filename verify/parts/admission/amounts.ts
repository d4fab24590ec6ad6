import type { Member } from "../../../config/member/member.ts";
import { mostPodsWithoutQuota } from "../../../objects/namespace.ts";
import { amountsPage } from "../pages.ts";
import type { Attempts } from "./attempt.ts";
import type { Permitted } from "./permitted.ts";

const many = <T>(length: number, of: (index: number) => T): T[] => Array.from({ length }, (_, index) => of(index));
const texts = (count: number) => Object.fromEntries(many(count, (index) => [`text-${index}`, ""]));
const volumes = (all: readonly object[]) => ({
  pod: { volumes: all.map((source, index) => ({ name: `v-${index}`, ...source })) },
});
const metric = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
};

export const amountsPromise = { promise: "Nobody exceeds the amounts", page: amountsPage };

/** Most pods that one object may ask for. */
export const mostPods = ({ type, limits }: Pick<Member, "type" | "limits">): number =>
  type.quota ? limits.pods : Math.max(limits.pods, mostPodsWithoutQuota);

/** One more than the limit of each. */
export function ofAmounts(may: Permitted, member: Member): Attempts {
  const { deployment, job, cronJob, autoscaler, service, configMap } = may;
  const pods = mostPods(member) + 1;
  return {
    ...amountsPromise,
    attempts: {
      [`made a Deployment with ${pods} pods`]: deployment({ spec: { replicas: pods } }),
      [`made a Deployment that makes ${pods} more pods in a rollout`]: deployment({
        spec: { strategy: { rollingUpdate: { maxSurge: pods } } },
      }),
      [`made a Job with ${pods} pods at once`]: job({ spec: { parallelism: pods } }),
      [`made an autoscaler up to ${pods} pods`]: autoscaler({ spec: { maxReplicas: pods } }),
      "made an autoscaler by 11 metrics": autoscaler({ spec: { metrics: many(11, () => metric) } }),
      "made a CronJob that runs each second": cronJob({ spec: { schedule: "@every 1s" } }),
      "made a Service with 21 ports": service({
        spec: { ports: many(21, (index) => ({ name: `p-${index}`, port: index + 1 })) },
      }),
      "made a ConfigMap with 1,001 entries": configMap({ fields: { data: texts(1001) } }),
      "made a ConfigMap with 1,001 labels and annotations": configMap({ metadata: { annotations: texts(1001) } }),
      "made a ConfigMap with annotations of 40,000 characters": configMap({
        metadata: { annotations: { note: "x".repeat(40_000) } },
      }),
      ...ofContainers(may),
    },
  };
}

const ofContainers = ({ deployment }: Permitted): Attempts["attempts"] => ({
  "made a Deployment that takes 201 Secrets as variables": deployment({
    container: { envFrom: many(201, () => ({ secretRef: { name: "x" } })) },
  }),
  "made a Deployment that writes out 101 variables": deployment({
    container: { env: [{ name: "A", value: "x" }], args: many(101, () => "$(A)") },
  }),
  "made a Deployment with 401 mounts": deployment({
    ...volumes([{ emptyDir: {} }]),
    container: { volumeMounts: many(401, (index) => ({ name: "v-0", mountPath: `/data/${index}` })) },
  }),
  "made a Deployment with 101 volumes": deployment(volumes(many(101, () => ({ emptyDir: {} })))),
  "made a Deployment that copies a Secret 101 times": deployment(
    volumes([{ secret: { secretName: "x", items: many(101, (index) => ({ key: "x", path: `x/${index}` })) } }]),
  ),
  "made a Deployment with 101 tolerations": deployment({
    pod: { tolerations: many(101, (index) => ({ key: `k-${index}`, operator: "Exists" })) },
  }),
  "made a Deployment with 100 ports of a container": deployment({
    container: { ports: many(100, (index) => ({ containerPort: index + 1 })) },
  }),
  "made a Deployment with a long path of a probe": deployment({
    container: { readinessProbe: { httpGet: { port: 80, path: `/${"x".repeat(10_001)}` } } },
  }),
});
