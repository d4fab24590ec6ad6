import { isArchived } from "../../../cluster/read/homes/theirObjects.ts";
import type { Configuration } from "../../../config/model/settings/settings.ts";
import { type Right, rightsIn } from "./rights.ts";

const snapshots = "snapshot.storage.k8s.io";

/**
 * Kubernetes' own resources of which a namespace can have objects that somebody made: what an archive lists. Those of
 * CustomResourceDefinitions differ everywhere. test/e2e/watch/archiveRights.test.ts compares them with the API server's.
 */
export const archivableResources: Readonly<Record<string, readonly string[]>> = {
  "": [
    "configmaps",
    "endpoints",
    "events",
    "limitranges",
    "persistentvolumeclaims",
    "pods",
    "podtemplates",
    "replicationcontrollers",
    "resourcequotas",
    "secrets",
    "serviceaccounts",
    "services",
  ],
  apps: ["controllerrevisions", "daemonsets", "deployments", "replicasets", "statefulsets"],
  autoscaling: ["horizontalpodautoscalers"],
  batch: ["cronjobs", "jobs"],
  "coordination.k8s.io": ["leases"],
  "discovery.k8s.io": ["endpointslices"],
  "events.k8s.io": ["events"],
  "networking.k8s.io": ["ingresses", "networkpolicies"],
  policy: ["poddisruptionbudgets"],
  "rbac.authorization.k8s.io": ["rolebindings", "roles"],
  "resource.k8s.io": ["resourceclaims", "resourceclaimtemplates"],
  // Not Kubernetes' own, and on most clusters with a driver for volumes.
  [snapshots]: ["volumesnapshots"],
  "storage.k8s.io": ["csistoragecapacities"],
};

/** Rights to archive members who have left: to list their objects, to keep their volumes, and to mark the namespace. */
export function archivingNeeds({ settings: { offboarding } }: Configuration): Right[] {
  const { archive } = offboarding;
  if (archive === undefined) {
    return [];
  }
  const listed = Object.entries(archivableResources).flatMap(([group, resources]) =>
    resources
      .filter((resource) =>
        isArchived({ apiVersion: group === "" ? "v1" : `${group}/v1`, resource, kind: "" }, archive),
      )
      .map((resource): Right => ({ verb: "list", group, resource })),
  );
  const kept = {
    retain: [{ apiGroups: [""], resources: ["persistentvolumes"], verbs: ["get", "patch"] }],
    snapshot: [
      { apiGroups: [snapshots], resources: ["volumesnapshots"], verbs: ["get", "create"] },
      { apiGroups: [snapshots], resources: ["volumesnapshotcontents"], verbs: ["get", "patch"] },
    ],
    none: [],
  };
  const home = { apiGroups: [""], resources: ["namespaces"], verbs: ["get", "patch"] };
  return [...listed, ...rightsIn([...kept[archive.volumes], home])];
}
