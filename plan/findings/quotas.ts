import type { V1ResourceQuota } from "@kubernetes/client-node";
import { objectKey } from "../../cluster/kinds/objectName.ts";
import { quantityValue } from "../../cluster/kinds/quantity.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { isDeviceClass } from "../../config/member/confinement.ts";
import { type Member, mayRun } from "../../config/member/member.ts";
import type { Settings } from "../../config/settings.ts";
import { deviceIn, storageClassIn } from "../../objects/quotaClasses.ts";
import { resourceQuota } from "../../objects/resourceQuota.ts";
import { quotaKey } from "../decisions/quotaHeadroom.ts";
import type { Finding } from "../words/finding.ts";
import { percentOf } from "../words/notices.ts";
import type { ComingRow, Expected, Look } from "./comingRow.ts";

/** By resource. Not requests of CPU and memory, which never exceed the limits, nor pods and Jobs of stopped members. */
const refused: Readonly<Record<string, string>> = {
  "limits.cpu": "pods",
  "limits.ephemeral-storage": "pods",
  "limits.memory": "pods",
  pods: "pods",
  "count/pods": "pods",
  "count/configmaps": "ConfigMaps",
  "count/controllerrevisions.apps": "ControllerRevisions, and with them changes of DaemonSets and StatefulSets,",
  "count/cronjobs.batch": "CronJobs",
  "count/daemonsets.apps": "DaemonSets",
  "count/deployments.apps": "Deployments",
  "count/horizontalpodautoscalers.autoscaling": "HorizontalPodAutoscalers",
  "count/jobs.batch": "Jobs",
  "count/replicasets.apps": "ReplicaSets, and with them changes of Deployments,",
  "count/resourceclaims.resource.k8s.io": "ResourceClaims",
  "count/resourceclaimtemplates.resource.k8s.io": "ResourceClaimTemplates",
  "count/secrets": "Secrets",
  "count/services": "Services",
  "count/statefulsets.apps": "StatefulSets",
  persistentvolumeclaims: "PersistentVolumeClaims",
  "requests.storage": "PersistentVolumeClaims",
  "services.loadbalancers": "Services of type LoadBalancer",
  "services.nodeports": "Services of type NodePort",
};

/** The API server accepts a quota below its use, stops nothing, and refuses new objects. */
export function shrinkingQuotas(
  members: readonly Member[],
  settings: Settings,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
): Finding[] {
  return members.flatMap((member) => {
    const { metadata, spec } = resourceQuota(member, settings);
    const live = managedObjects.get(objectKey("ResourceQuota", metadata.name, metadata.namespace));
    const used = (live?.content as Pick<V1ResourceQuota, "status"> | undefined)?.status?.used ?? {};
    return Object.entries(spec.hard).flatMap(([resource, hard]): Finding[] => {
      const what = refusedOf(resource);
      const now = used[resource];
      const isStopped = (what === "pods" || what === "Jobs") && !mayRun(member);
      const reported = what !== undefined && !isStopped;
      return reported && now !== undefined && isLess(hard, now)
        ? [{ code: "quotaShrinks", member: member.name, facts: { resource, hard, used: now, refused: what } }]
        : [];
    });
  });
}

export function refusedOf(resource: string): string | undefined {
  const device = deviceIn(resource);
  if (device !== undefined) {
    return isDeviceClass(device) ? "ResourceClaims" : "pods";
  }
  return storageClassIn(resource) === undefined ? refused[resource] : "PersistentVolumeClaims";
}

function isLess(hard: string, used: string): boolean {
  const [most, now] = [quantityValue(hard), quantityValue(used)];
  return most !== undefined && now !== undefined && most < now;
}

/** Percent below the threshold from which it is told anew: use that goes up and down around it is told once. */
const hysteresis = 10;
/** Fewest objects of a quota to tell: of fewer, one more fills it, and many are meant to be full. */
const leastCount = 10;

/** Resources of quotas that are in use. Suspended members' quotas are closed on purpose. */
export const quotas: ComingRow<"quotaNearlyFull"> = {
  isForAdmins: true,
  of: (look) => look.members.filter(({ standing }) => standing === "active").flatMap((member) => usesOf(member, look)),
};

function usesOf({ name }: Member, { settings, snapshot }: Look): Expected<"quotaNearlyFull">[] {
  const object = quotaKey({ name });
  const quota = snapshot.managedObjects.get(object)?.content as Pick<V1ResourceQuota, "status"> | undefined;
  const { hard: limits = {}, used: uses = {} } = quota?.status ?? {};
  const { quotaPercent } = settings.notify;
  return Object.entries(limits).flatMap(([resource, hard]): Expected<"quotaNearlyFull">[] => {
    const used = uses[resource] ?? "0";
    const [most = 0, now = 0] = [quantityValue(hard), quantityValue(used)];
    const refused = refusedOf(resource);
    if (refused === undefined || most <= 0 || now <= 0) {
      return [];
    }
    const ratio = now / most;
    const percent = percentOf(ratio);
    const isTold = percent >= quotaPercent && (isAmount(resource) || most >= leastCount);
    return [
      {
        member: name,
        object,
        facts: { resource, used, hard, ratio, refused },
        about: resource,
        step: isTold ? 100 - quotaPercent : undefined,
        isForgotten: percent < quotaPercent - hysteresis,
      },
    ];
  });
}

const isAmount = (resource: string) =>
  /^(limits|requests)\.(cpu|memory|storage|ephemeral-storage)$|\/requests\.storage$/.test(resource);
