import type { Member, MemberLimits, Settings } from "../../config/settings.ts";
import { memberLabels } from "../../naming/labels.ts";
import { namespaceName, resourceQuotaName } from "../../naming/names.ts";
import { cpuQuantity, memoryQuantity } from "./quantity.ts";

/**
 * The sums that a member's pods and volumes stay within, and how many objects there are of every kind that they can make,
 * if their type has a quota. Services that would open a port of the cluster are not for members, so their number is zero.
 * While the member is suspended or expired, so is the number of pods, whatever the type.
 * @see https://kubernetes.io/docs/concepts/policy/resource-quotas/
 */
export function resourceQuota(member: Member, settings: Settings) {
  const hard: Readonly<Record<string, string>> = {
    ...(member.type.quota ? figures(member.limits) : {}),
    ...(member.standing === "active" ? {} : { pods: "0" }),
  };
  return {
    metadata: {
      name: resourceQuotaName,
      namespace: namespaceName(member),
      labels: memberLabels(member, settings),
    },
    spec: { hard },
  };
}

/** How many old ones controllers keep of an object: a Deployment keeps ten ReplicaSets, if it doesn't say otherwise. */
const history = 10;

/** Kubernetes puts one into every namespace (`kube-root-ca.crt`), and kubecamp another where a Gateway needs the members' CA. */
const configMapsOfOthers = 2;

function figures(limits: MemberLimits): Record<string, string> {
  const { objects, pods } = limits;
  const past = objects * history;
  return {
    "limits.cpu": cpuQuantity(limits.maxCpuMillicores),
    "limits.ephemeral-storage": memoryQuantity(limits.maxEphemeralStorageMiB),
    "limits.memory": memoryQuantity(limits.maxMemoryMiB),
    persistentvolumeclaims: String(limits.persistentVolumeClaims),
    "requests.storage": memoryQuantity(limits.persistentVolumeClaims * limits.maxPersistentVolumeClaimMiB),
    pods: String(pods),
    // Finished ones are not among `pods`, and stay until somebody deletes them.
    "count/pods": String(pods + past),
    "count/configmaps": String(objects + configMapsOfOthers),
    "count/controllerrevisions.apps": String(past),
    "count/cronjobs.batch": String(objects),
    "count/daemonsets.apps": String(objects),
    "count/deployments.apps": String(objects),
    "count/horizontalpodautoscalers.autoscaling": String(objects),
    "count/jobs.batch": String(past),
    "count/replicasets.apps": String(past),
    "count/secrets": String(objects),
    "count/services": String(objects),
    "count/statefulsets.apps": String(objects),
    "services.loadbalancers": "0",
    "services.nodeports": "0",
  };
}
