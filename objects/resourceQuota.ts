import { quantityValue } from "../cluster/kinds/quantity.ts";
import { usesClaims } from "../config/member/confinement.ts";
import { limitFigures, type MemberLimits, storageMiB } from "../config/member/limits.ts";
import { type Member, mayRun } from "../config/member/member.ts";
import { groupResource, isCustomKind } from "../config/names/customKinds.ts";
import { homeNames, resourceQuotaName } from "../config/names/names.ts";
import { type GivenKind, givenEntry } from "../config/objects/givenKinds.ts";
import type { Settings } from "../config/settings.ts";
import { count, cpu, type Fields, memory, propertyPath } from "./field.ts";
import { metadataOf } from "./metadata.ts";
import { countQuantity, cpuQuantity, memoryQuantity } from "./quantity.ts";
import { deviceResource, storageResource } from "./quotaClasses.ts";

/**
 * Limits of a member's pods and volumes in sum, and of the number of objects of each kind that they can make, if their type
 * has a quota. It allows no Services that open a port of the nodes or a load balancer. While the member is suspended or
 * expired, it allows no pods, and no Jobs, which CronJobs would otherwise go on making, whatever the type.
 * @see https://kubernetes.io/docs/concepts/policy/resource-quotas/
 */
export function resourceQuota(member: Member, settings: Settings) {
  const hard: Readonly<Record<string, string>> = {
    ...(member.type.quota
      ? {
          ...withObjects(
            { ...figures(member.limits, member.buckets?.length), ...ofCustomKinds(member.limits, settings) },
            member,
          ),
          ...ofClasses(member),
        }
      : {}),
    ...(mayRun(member) ? {} : { pods: "0", "count/jobs.batch": "0" }),
  };
  return {
    metadata: metadataOf(resourceQuotaName, member, settings),
    spec: { hard },
  };
}

const hard = (name: string) => propertyPath(["spec", "hard", name]);

/** Change of object counts that follows from the number of buckets. */
export const bucketHeadroom = "room for what comes with buckets";
/** The count of a kind that is `maxObjects` itself. */
export const plainCount = "count/deployments.apps";

export const resourceQuotaFields: Fields = {
  [hard("limits.cpu")]: cpu("CPU"),
  [hard("limits.memory")]: memory("memory"),
  // Always as the limits, and so reported once.
  [hard("requests.cpu")]: cpu("CPU"),
  [hard("requests.memory")]: memory("memory"),
  [hard("limits.ephemeral-storage")]: memory("ephemeral storage"),
  [hard("persistentvolumeclaims")]: count("PVCs"),
  [hard("requests.storage")]: memory("storage of all PVCs"),
  [hard("pods")]: count("pods"),
  [hard("count/pods")]: count("pods, with finished ones"),
  [hard("count/jobs.batch")]: count("Jobs"),
  // Without a change of `maxObjects`, these follow from the number of buckets.
  [hard("count/configmaps")]: { what: bucketHeadroom },
  [hard("count/secrets")]: { what: bucketHeadroom },
  [hard("count/resourceclaims.resource.k8s.io")]: count("ResourceClaims"),
  [hard("count/resourceclaimtemplates.resource.k8s.io")]: count("ResourceClaimTemplates"),
  [hard("services.nodeports")]: count("Services of type NodePort"),
  [hard("services.loadbalancers")]: count("Services of type LoadBalancer"),
  [hard(plainCount)]: { what: "objects of each kind" },
};

/**
 * Limits for the default `maxObjects` of kinds of which one costs much. With twenty ports, as the policy `amounts` allows, and
 * fifty pods, forty Services are 40,000 endpoints in the rules of every node. One controller looks after all autoscalers, and
 * another after all Jobs. A CronJob keeps four Jobs, and one runs.
 */
const few = { autoscalers: 40, cronJobs: 20, services: 40 } as const;

/** Limit of such a kind. Whoever may have more objects than by default may have more of these. */
function fewer(kind: keyof typeof few, objects: number): number {
  const byDefault = few[kind];
  return Math.max(Math.min(objects, byDefault), Math.floor((objects * byDefault) / limitFigures.objects.default));
}

/** Number of old objects that controllers keep: ten ReplicaSets for a Deployment, by default. */
const history = 10;

/** ReplicaSets for each Deployment that a member may have: few have so many, and all cost their controller. */
const replicaSetsForEach = 5;

/** Kubernetes puts one into every namespace (`kube-root-ca.crt`), and kubecamp more, such as the CA for a Gateway. */
const configMapsOfOthers = 1 + homeNames.filter(({ kind, isReserved }) => kind === "ConfigMap" && isReserved).length;

/** Figures of a quota. @param buckets number of the member's buckets: each has a ConfigMap and a Secret */
export function figures(limits: MemberLimits, buckets = 0): Record<string, string> {
  const { objects, pods } = limits;
  const past = objects * history;
  return {
    "limits.cpu": cpuQuantity(limits.maxCpuMillicores),
    "limits.ephemeral-storage": memoryQuantity(limits.maxEphemeralStorageMiB),
    "limits.memory": memoryQuantity(limits.maxMemoryMiB),
    // Requests keep others' pods off the nodes, and a pod's own may exceed the limits of its containers.
    "requests.cpu": cpuQuantity(limits.maxCpuMillicores),
    "requests.memory": memoryQuantity(limits.maxMemoryMiB),
    persistentvolumeclaims: countQuantity(limits.persistentVolumeClaims),
    "requests.storage": memoryQuantity(limits.persistentVolumeClaims * limits.maxPersistentVolumeClaimMiB),
    pods: countQuantity(pods),
    // Finished pods don't count in `pods`, and stay until somebody deletes them.
    "count/pods": countQuantity(pods + past),
    "count/configmaps": countQuantity(objects + configMapsOfOthers + buckets),
    "count/controllerrevisions.apps": countQuantity(past),
    "count/cronjobs.batch": countQuantity(fewer("cronJobs", objects)),
    "count/daemonsets.apps": countQuantity(objects),
    "count/deployments.apps": countQuantity(objects),
    "count/horizontalpodautoscalers.autoscaling": countQuantity(fewer("autoscalers", objects)),
    "count/jobs.batch": countQuantity(objects),
    "count/replicasets.apps": countQuantity(objects * replicaSetsForEach),
    "count/secrets": countQuantity(objects + buckets),
    "count/services": countQuantity(fewer("services", objects)),
    "count/statefulsets.apps": countQuantity(objects),
    "services.loadbalancers": "0",
    "services.nodeports": "0",
  };
}

/** Figures with room for the objects that the member is given, and their history: members lose none of their own. */
function withObjects(hard: Readonly<Record<string, string>>, { objects = [] }: Member): Record<string, string> {
  // Members can't create objects of other custom kinds, so nothing counts them.
  const counted = objects.filter(({ kind }) => !isCustomKind(kind) || countOf(kind) in hard);
  const more = counted.flatMap(({ kind }) => {
    const { history: past } = givenEntry(kind);
    const own = { name: countOf(kind), by: 1 };
    return past === undefined ? [own] : [own, { name: past, by: history }];
  });
  const sums = Map.groupBy(more, ({ name }) => name);
  return {
    ...hard,
    ...Object.fromEntries(
      [...sums].map(([name, all]) => [
        name,
        countQuantity(all.reduce((sum, { by }) => sum + by, quantityValue(hard[name] ?? "") ?? 0)),
      ]),
    ),
  };
}

const ofCustomKinds = ({ objects }: MemberLimits, { objectKinds = [] }: Pick<Settings, "objectKinds">) =>
  Object.fromEntries(
    objectKinds.flatMap(({ kind, isEditable }) => (isEditable ? [[countOf(kind), countQuantity(objects)]] : [])),
  );

function countOf(kind: GivenKind): string {
  const { resource, apiVersion } = givenEntry(kind);
  return `count/${groupResource(resource, apiVersion)}`;
}

/** A quota can't say that it allows no other device or class: admission policies do. */
function ofClasses(member: Member): Record<string, string> {
  const { devices = {}, storage } = member.type;
  const { objects } = member.limits;
  const claims = ["resourceclaims", "resourceclaimtemplates"].map((resource) => [
    `count/${resource}.resource.k8s.io`,
    countQuantity(objects),
  ]);
  return {
    ...(storage === undefined ? {} : { "requests.storage": memoryQuantity(storageMiB(member)) }),
    ...Object.fromEntries([
      ...Object.entries(devices).map(([device, most]) => [deviceResource(device), countQuantity(most)]),
      ...(usesClaims(member.type) ? claims : []),
      ...Object.entries(storage ?? {}).map(([name, most]) => [storageResource(name), memoryQuantity(most)]),
    ]),
  };
}
