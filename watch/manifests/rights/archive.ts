import type { Rule } from "./rules.ts";

const snapshots = "snapshot.storage.k8s.io";

/**
 * Kubernetes' own resources of which a namespace can have objects that somebody made: what an archive lists. Those of
 * CustomResourceDefinitions differ everywhere. test/e2e/watch/archiveRights.more.ts compares them with the API server's.
 */
export const archivableResources: Readonly<Record<string, readonly string[]>> = {
  "": [
    "configmaps",
    "limitranges",
    "persistentvolumeclaims",
    "pods",
    "podtemplates",
    "replicationcontrollers",
    "resourcequotas",
    "serviceaccounts",
    "services",
  ],
  apps: ["controllerrevisions", "daemonsets", "deployments", "replicasets", "statefulsets"],
  autoscaling: ["horizontalpodautoscalers"],
  batch: ["cronjobs", "jobs"],
  "networking.k8s.io": ["ingresses", "networkpolicies"],
  policy: ["poddisruptionbudgets"],
  "rbac.authorization.k8s.io": ["rolebindings", "roles"],
  "resource.k8s.io": ["resourceclaims", "resourceclaimtemplates"],
  // Not Kubernetes' own, and on most clusters with a driver for volumes.
  [snapshots]: ["volumesnapshots"],
  "storage.k8s.io": ["csistoragecapacities"],
};

/** Rights to archive members who have left: to list their objects, to mark the namespace, and to have volumes kept. */
export const archiveRules: readonly Rule[] = [
  ...Object.entries(archivableResources).map(([group, resources]) => ({
    apiGroups: [group],
    resources,
    verbs: ["list"],
  })),
  { apiGroups: [""], resources: ["persistentvolumes"], verbs: ["get", "patch"] },
  { apiGroups: [snapshots], resources: ["volumesnapshots"], verbs: ["get", "create"] },
  { apiGroups: [snapshots], resources: ["volumesnapshotcontents"], verbs: ["get", "patch"] },
];
