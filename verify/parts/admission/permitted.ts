import { type Kind, kindEntry, listPath } from "../../../cluster/kinds/kinds.ts";
import type { Member } from "../../../config/member/member.ts";
import { leastCpuMillicores } from "../../../config/values/values.ts";
import { cpuQuantity, memoryQuantity } from "../../../objects/quantity.ts";
import { confinedSpec } from "../../../objects/starter/starterDeployment.ts";
import type { Player } from "../../stage/stage.ts";
import type { Attempt, Request } from "./attempt.ts";

/** How an object differs from one that is permitted. */
interface Change {
  readonly metadata?: object;
  readonly spec?: object;
  /** Fields beside those, such as `data`. */
  readonly fields?: object;
  /** Of its pods: metadata, spec, and their container. */
  readonly ofPods?: object;
  readonly pod?: object;
  readonly container?: object;
}

/** Of what is tried. */
export const ownName = "kubecamp-verify";
const labels = { app: ownName };

/** The least that a quota lets a container have. */
export const least = { cpu: cpuQuantity(leastCpuMillicores), memory: memoryQuantity(1) };

/** It meets the Pod Security Standard `restricted`. */
export const restricted = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  runAsUser: 65_532,
  seccompProfile: { type: "RuntimeDefault" },
};

/** An image of the member's list, which need not exist; the other where any may run. */
export const imageOf = ({ images }: Pick<Member, "images">, other: string): string =>
  images === undefined || images.includes("*") ? other : (images[0] ?? other).replaceAll("*", "0");

/** The StorageClass of a permitted claim. Default: the cluster's. */
const classOf = ({ type }: Pick<Member, "type">) =>
  Object.entries(type.storage ?? {}).find(([, most]) => most > 0)?.[0];

/** Whether the member may claim a volume at all. */
export const mayClaim = (member: Member): boolean =>
  (!member.type.quota || member.limits.persistentVolumeClaims > 0) &&
  (member.type.storage === undefined || classOf(member) !== undefined);

export type Permitted = ReturnType<typeof permittedTo>;

/** Requests for objects that a member may make, each with a change that they may not. @param image for a member who may run any */
export function permittedTo({ member, namespace }: Pick<Player, "member" | "namespace">, image: string) {
  const container = (change: object = {}) => ({
    ...{ name: ownName, image: imageOf(member, image), resources: { limits: least, requests: least } },
    ...{ securityContext: restricted, ...change },
  });
  const spec = ({ pod = {}, container: ofContainer }: Change, more: object = {}) => ({
    ...confinedSpec(member.type),
    ...{ containers: [container(ofContainer)], ...more, ...pod },
  });
  const template = (change: Change, more?: object) => ({
    template: { metadata: { labels, ...change.ofPods }, spec: spec(change, more) },
  });
  const workload = (change: Change) => ({ selector: { matchLabels: labels }, ...template(change), ...change.spec });
  const job = (change: Change) => ({ suspend: true, ...template(change, { restartPolicy: "Never" }), ...change.spec });
  const claim = (more: object = {}) => ({
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "1Mi" } },
    ...(classOf(member) === undefined ? {} : { storageClassName: classOf(member) }),
    ...more,
  });
  const requestsFor = (kind: Kind, specOf?: (change: Change) => object) => {
    const made = (change: Change): Request => ({
      method: "POST",
      path: listPath(kind, namespace),
      body: {
        apiVersion: kindEntry(kind).apiVersion,
        kind,
        metadata: { name: ownName, ...change.metadata },
        ...(specOf === undefined ? {} : { spec: specOf(change) }),
        ...change.fields,
      },
    });
    const like = made({});
    return (change: Change): Attempt => ({ ...made(change), like });
  };
  const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: ownName };
  return {
    container,
    claimSpec: claim,
    pod: requestsFor("Pod", (change) => spec(change)),
    deployment: requestsFor("Deployment", workload),
    statefulSet: requestsFor("StatefulSet", workload),
    job: requestsFor("Job", job),
    cronJob: requestsFor("CronJob", (change) => ({
      ...{ schedule: "@yearly", suspend: true, jobTemplate: { spec: job({ ...change, spec: {} }) } },
      ...change.spec,
    })),
    service: requestsFor("Service", (change) => ({ selector: labels, ports: [{ port: 80 }], ...change.spec })),
    autoscaler: requestsFor("HorizontalPodAutoscaler", (change) => ({
      ...{ scaleTargetRef, minReplicas: 1, maxReplicas: 1 },
      ...change.spec,
    })),
    claim: requestsFor("PersistentVolumeClaim", (change) => claim(change.spec)),
    configMap: requestsFor("ConfigMap"),
    secret: requestsFor("Secret"),
  };
}
