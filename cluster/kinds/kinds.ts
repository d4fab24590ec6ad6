import { apps, gatewayApi } from "./apiVersions.ts";
import { type StackKind, stackKinds } from "./stackKinds.ts";

const batch = "batch/v1";

/** Kinds that stacks have no objects of, and that are read or written all the same. */
const others = {
  CronJob: { apiVersion: batch, plural: "CronJobs" },
  DaemonSet: { apiVersion: apps, plural: "DaemonSets" },
  EndpointSlice: { apiVersion: "discovery.k8s.io/v1", plural: "EndpointSlices" },
  Event: { apiVersion: "v1", plural: "Events" },
  Gateway: { apiVersion: gatewayApi, plural: "Gateways" },
  Job: { apiVersion: batch, plural: "Jobs" },
  Lease: { apiVersion: "coordination.k8s.io/v1", plural: "Leases" },
  PersistentVolumeClaim: { apiVersion: "v1", plural: "PersistentVolumeClaims" },
  Pod: { apiVersion: "v1", plural: "Pods" },
  PodTemplate: { apiVersion: "v1", plural: "PodTemplates" },
  ReplicaSet: { apiVersion: apps, plural: "ReplicaSets" },
  ReplicationController: { apiVersion: "v1", plural: "ReplicationControllers" },
  StatefulSet: { apiVersion: apps, plural: "StatefulSets" },
} as const;

export type Kind = StackKind | keyof typeof others;

/** Every kind that is read or written: in which version, and what several of them are called. */
export const kinds: Readonly<Record<Kind, { readonly apiVersion: string; readonly plural: string }>> = {
  ...stackKinds,
  ...others,
};

/** What paths call a kind, such as `networkpolicies`. */
export const resourceOf = (kind: Kind) => kinds[kind].plural.toLowerCase();

/**
 * Path of all objects of a kind, such as `/apis/networking.k8s.io/v1/ingresses`.
 * @param namespace the one that they are in; default: wherever they are
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris
 */
export function listPath(kind: Kind, namespace?: string): string {
  const { apiVersion } = kinds[kind];
  const api = apiVersion === "v1" ? "/api" : "/apis";
  const place = namespace === undefined ? "" : `/namespaces/${namespace}`;
  return `${api}/${apiVersion}${place}/${resourceOf(kind)}`;
}

/** What an object is called, wherever in the cluster it is. */
interface NamedObject {
  readonly kind: Kind;
  readonly name: string;
  /** Undefined for a cluster-scoped object. */
  readonly namespace: string | undefined;
}

/** Path of one object. */
export function objectPath({ kind, name, namespace }: NamedObject): string {
  return `${listPath(kind, namespace)}/${encodeURIComponent(name)}`;
}

/** What a LIST of all objects of a kind takes; in one namespace, or wherever they are. */
export function allOf<K extends Kind>(kind: K, namespace?: string) {
  const place = namespace === undefined ? "" : ` of namespace '${namespace}'`;
  return { what: `the ${kinds[kind].plural}${place}`, path: listPath(kind, namespace), kind };
}

/** The query that asks for what kubecamp made, for whatever stack. */
export const ours = "?labelSelector=app.kubernetes.io/managed-by%3Dkubecamp";

/** What a LIST takes that asks for those alone. */
export function oursOf<K extends Kind>(kind: K) {
  return { ...allOf(kind), path: listPath(kind) + ours };
}

/** What a LIST takes that asks for one object alone, whatever others there are. */
export function oneOf<K extends Kind>(kind: K, name: string, namespace: string) {
  return { what: `the ${kind} '${namespace}/${name}'`, path: listPath(kind, namespace) + byName(name), kind };
}

/** What a LIST takes that asks for the objects of one name, in whatever namespace: a cluster is full of others. */
export function allNamed<K extends Kind>(kind: K, name: string) {
  return { what: `the ${kinds[kind].plural} '${name}'`, path: listPath(kind) + byName(name), kind };
}

/** What a LIST takes that asks for the objects of one name that kubecamp made, in whatever namespace. */
export function oursNamed<K extends Kind>(kind: K, name: string) {
  return { ...allNamed(kind, name), path: `${listPath(kind)}${ours}&${nameIs(name)}` };
}

/** The query that asks for objects of one name alone. */
const byName = (name: string) => `?${nameIs(name)}`;
const nameIs = (name: string) => `fieldSelector=metadata.name%3D${name}`;
