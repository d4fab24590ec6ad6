/** Which changed fields replace the object instead of updating it: the official plugin's list for the kinds it knows. */

import { type Props, textAt } from "../../../../../buckets/protocol/values.ts";
import type { Settings } from "../settings.ts";

const selector = ["spec.selector"];
const podFields =
  "affinity automountServiceAccountToken dnsConfig dnsPolicy enableServiceLinks hostAliases hostIPC hostNetwork hostPID hostname imagePullSecrets nodeName nodeSelector overhead preemptionPolicy priority priorityClassName readinessGates restartPolicy runtimeClassName schedulerName securityContext serviceAccount serviceAccountName shareProcessNamespace subdomain terminationGracePeriodSeconds volumes";
const containerFields =
  "args command env image imagePullPolicy lifecycle livenessProbe ports readinessProbe resources securityContext stdin stdinOnce terminationMessagePath terminationMessagePolicy tty volumeDevices volumeMounts workingDir";
const volumeSources =
  "awsElasticBlockStore azureDisk azureFile cephfs cinder csi fc flexVolume flocker gcePersistentDisk glusterfs hostPath iscsi local nfs photonPersistentDisk portworxVolume quobyte rbd scaleIO storageos vsphereVolume";

const byKind: Record<string, string[]> = {
  "apps/v1/DaemonSet": selector,
  "apps/v1/Deployment": selector,
  "apps/v1/StatefulSet": specFields(
    "podManagementPolicy revisionHistoryLimit selector serviceName volumeClaimTemplates",
  ),
  "batch/v1/Job": specFields("completions parallelism selector template"),
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": ["roleRef"],
  "rbac.authorization.k8s.io/v1/RoleBinding": ["roleRef"],
  "storage.k8s.io/v1/StorageClass": ["parameters", "provisioner"],
  "v1/PersistentVolume": specFields(volumeSources),
  "v1/PersistentVolumeClaim": specFields("accessModes selector storageClassName volumeName"),
  "v1/Pod": [
    ...specFields(podFields),
    ...["containers", "initContainers"].flatMap((list) => specFields(containerFields, `spec.${list}[*]`)),
  ],
  "v1/ResourceQuota": ["spec.scopes"],
  "v1/Secret": ["type"],
  "v1/Service": ["spec.clusterIP"],
};

export function replacingFields(object: Props, isPatch: boolean, settings: Settings): string[][] {
  const identity = ["metadata.name", "metadata.namespace"];
  return [...identity, ...(isPatch ? [] : contentFields(object, settings))].map((path) => path.split(/\.|(?=\[)/));
}

function contentFields(object: Props, settings: Settings): string[] {
  const kind = `${textAt(object, "apiVersion")}/${textAt(object, "kind")}`;
  const mutable = kind === "v1/Secret" ? settings.secretMutable : settings.configMapMutable;
  const replacesData = !mutable || object.immutable === true;
  if (kind === "v1/Secret" && replacesData) return ["type", "stringData", "data"];
  if (kind === "v1/ConfigMap") return replacesData ? ["binaryData", "data"] : [];
  return byKind[kind] ?? [];
}

function specFields(names: string, prefix = "spec"): string[] {
  return names.split(" ").map((name) => `${prefix}.${name}`);
}
