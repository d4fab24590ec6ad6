import { gatewayApi } from "../../cluster/kinds/apiVersions.ts";
import { isLasting, tokenType, type WholeObject } from "../../cluster/read/theirObjects.ts";
import { apiGroup } from "../../config/names/customKinds.ts";
import { controllerResources } from "../../config/route/controllers/resources.ts";
import { isMap } from "../../config/values/maps.ts";
import { sha256 } from "./contents.ts";
import type { ArchivedVolume } from "./manifest.ts";
import { snapshotResource } from "./snapshots.ts";

export interface Restorable {
  /** Such as `deployments.apps`. */
  readonly resource: string;
  readonly object: WholeObject;
}

type Fields = Readonly<Record<string, unknown>>;

/** Dependencies come first, workloads last. */
const first = ["serviceaccounts", "secrets", "configmaps", "persistentvolumeclaims", "services"];
const last = [
  "deployments.apps",
  "statefulsets.apps",
  "daemonsets.apps",
  "replicasets.apps",
  "replicationcontrollers",
  "cronjobs.batch",
  "jobs.batch",
  "horizontalpodautoscalers.autoscaling",
  "pods",
];
/** Negative for the first, and 0 for all that are in neither list. */
const orderOf = (resource: string) =>
  first.includes(resource) ? first.indexOf(resource) - first.length : last.indexOf(resource) + 1;

/** Whether objects of a resource may have controllers make claims: workloads, and those of operators. */
export const mayMakeClaims = (resource: string): boolean => orderOf(resource) >= 0;

/** Only the platform writes these, by today's settings, not the archived ones. */
const platforms = ["limitranges", "resourcequotas"];
const platformGroups = [
  apiGroup(gatewayApi),
  "networking.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  ...Object.values(controllerResources).map(({ apiVersion }) => apiGroup(apiVersion)),
];

/**
 * Whether an object is left out, because only the platform writes it, or because no archive of kubecamp's has it: whoever can
 * write into the bucket could have the admin make it, such as a token of a ServiceAccount. A VolumeSnapshot would be one of
 * today's data under the old name.
 */
export const isLeftOut = ({ resource, object: { type } }: Restorable): boolean =>
  platforms.includes(resource) ||
  platformGroups.includes(resource.replace(/^[^.]*\.?/, "")) ||
  !isLasting(resource) ||
  resource === snapshotResource ||
  (resource === "secrets" && type === tokenType);

export function restorables(files: ReadonlyMap<string, string>): Restorable[] {
  const all = [...files].flatMap(([name, text]) => {
    const resource = name.replace(/^objects\//, "").replace(/\.json$/, "");
    const { items } = JSON.parse(text) as { readonly items: readonly WholeObject[] };
    return items.map((object) => ({ resource, object }));
  });
  return all.filter(({ object }) => !hasFinished(object)).toSorted((a, b) => orderOf(a.resource) - orderOf(b.resource));
}

/** A Pod or a Job that is over would start again. */
function hasFinished({ kind, status }: WholeObject): boolean {
  const { phase, conditions } = fieldsOf(status);
  const isOver = (condition: unknown) => {
    const { type, status: value } = fieldsOf(condition);
    return value === "True" && (type === "Complete" || type === "Failed");
  };
  return (
    (kind === "Pod" && (phase === "Succeeded" || phase === "Failed")) ||
    (kind === "Job" && Array.isArray(conditions) && conditions.some(isOver))
  );
}

export interface RestoreInto {
  readonly namespace: string;
  readonly volumes: readonly ArchivedVolume[];
  readonly owner: Readonly<Record<string, string>>;
}

/** An archived object as it is created again: without what the API server and controllers have filled in. */
export function restorable({ object }: Restorable, { namespace, volumes, owner }: RestoreInto): WholeObject {
  const { status: _, metadata = {}, ...rest } = object;
  const { name = "", labels: archived = {}, annotations = {} } = metadata;
  const labels = Object.fromEntries(Object.entries(archived).map(([key, value]) => [key, owner[key] ?? value]));
  const own = Object.entries(annotations).filter(([key]) => !isControllers(key));
  const kept = {
    name,
    namespace,
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(own.length === 0 ? {} : { annotations: Object.fromEntries(own) }),
  };
  const volume = volumes.find(({ claim }) => claim === name);
  return { ...rest, metadata: kept, ...specOf(object, volume) };
}

/** Whether controllers write an annotation. The class of a claim in its old annotation is the member's, and precedes the field. */
const isControllers = (key: string) =>
  (key !== "volume.beta.kubernetes.io/storage-class" &&
    /^(pv\.kubernetes\.io|volume\.(beta\.)?kubernetes\.io|deployment\.kubernetes\.io)\//.test(key)) ||
  key === "kubectl.kubernetes.io/last-applied-configuration";

function specOf({ kind, spec }: WholeObject, volume: ArchivedVolume | undefined): { spec?: Fields } {
  if (!isMap(spec)) {
    return {};
  }
  switch (kind) {
    case "Service": {
      const { clusterIP, clusterIPs: _, healthCheckNodePort: __, ports, ...rest } = spec;
      const headless = clusterIP === "None" ? { clusterIP } : {};
      const free = (port: unknown) => without(fieldsOf(port), "nodePort");
      return { spec: { ...rest, ...headless, ...(Array.isArray(ports) ? { ports: ports.map(free) } : {}) } };
    }
    case "PersistentVolumeClaim":
      return { spec: { ...without(spec, "volumeName", "dataSource", "dataSourceRef"), ...sourceOf(volume ?? {}) } };
    case "Pod":
      return { spec: without(spec, "nodeName") };
    case "Job":
      return { spec: spec.manualSelector === true ? spec : withoutUid(spec) };
    default:
      return { spec };
  }
}

/** Name of the snapshot from which a claim is filled: another for each, as an earlier restore may have left one. */
export const restoredSnapshot = ({ driver, handle }: { readonly driver: string; readonly handle: string }) =>
  `kubecamp-${sha256(JSON.stringify([driver, handle])).slice(0, 32)}`;

function sourceOf({ kept: volume }: Partial<ArchivedVolume>): Fields {
  switch (volume?.as) {
    case "volume":
      return { volumeName: volume.name };
    case "snapshot":
      return {
        dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: restoredSnapshot(volume) },
      };
    default:
      return {};
  }
}

/** A new Job gets a selector and labels by its own UID. */
function withoutUid(spec: Fields): Fields {
  const template = fieldsOf(spec.template);
  const metadata = fieldsOf(template.metadata);
  const labels = without(
    fieldsOf(metadata.labels),
    ...["controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name"],
  );
  return { ...without(spec, "selector"), template: { ...template, metadata: { ...metadata, labels } } };
}

const fieldsOf = (value: unknown): Fields => (isMap(value) ? value : {});
const without = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

export const restorableTitle = ({ resource, object }: Restorable) => `${resource}/${object.metadata?.name ?? ""}`;
