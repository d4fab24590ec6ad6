import { type CustomKind, customKindOf, isCustomKind, isCustomVersion } from "../../config/names/customKinds.ts";
import { apps, batch, gatewayApi } from "./apiVersions.ts";
import type { ObjectName } from "./objectName.ts";
import { stackKind, stackKinds, type TableKind } from "./stackKinds.ts";

const others = {
  DeviceClass: { apiVersion: "resource.k8s.io/v1", plural: "DeviceClasses" },
  EndpointSlice: { apiVersion: "discovery.k8s.io/v1", plural: "EndpointSlices" },
  Event: { apiVersion: "v1", plural: "Events" },
  Gateway: { apiVersion: gatewayApi, plural: "Gateways" },
  HorizontalPodAutoscaler: { apiVersion: "autoscaling/v2", plural: "HorizontalPodAutoscalers" },
  Job: { apiVersion: batch, plural: "Jobs" },
  Lease: { apiVersion: "coordination.k8s.io/v1", plural: "Leases" },
  Node: { apiVersion: "v1", plural: "Nodes" },
  PersistentVolumeClaim: { apiVersion: "v1", plural: "PersistentVolumeClaims" },
  Pod: { apiVersion: "v1", plural: "Pods" },
  PodTemplate: { apiVersion: "v1", plural: "PodTemplates" },
  ReplicaSet: { apiVersion: apps, plural: "ReplicaSets" },
  ReplicationController: { apiVersion: "v1", plural: "ReplicationControllers" },
  RuntimeClass: { apiVersion: "node.k8s.io/v1", plural: "RuntimeClasses" },
  StorageClass: { apiVersion: "storage.k8s.io/v1", plural: "StorageClasses" },
} as const;

type ListedKind = TableKind | keyof typeof others;

export type Kind = ListedKind | CustomKind;

export const kinds: Readonly<Record<ListedKind, { readonly apiVersion: string; readonly plural: string }>> = {
  ...stackKinds,
  ...others,
};

export const kindEntry = (kind: Kind): { readonly apiVersion: string; readonly plural: string } =>
  isCustomKind(kind) ? stackKind(kind) : kinds[kind];

export function kindIn(apiVersion: unknown, kind: string): string {
  const isListed = Object.hasOwn(kinds, kind) && kinds[kind as ListedKind].apiVersion === apiVersion;
  return !isListed && isCustomVersion(apiVersion) ? customKindOf({ apiVersion, kind }) : kind;
}

/** A kind by Pulumi's type of its objects, such as `kubernetes:apps/v1:Deployment`. The type does not tell a custom kind's plural. */
export function kindOfType(type: string): string {
  const [, apiVersion, kind = type] = type.split(":");
  return kindIn(apiVersion, kind);
}

export const resourceOf = (kind: Kind) => kindEntry(kind).plural.toLowerCase();

/** Such as `/apis/networking.k8s.io/v1/ingresses`. @param namespace default: all namespaces */
export function listPath(kind: Kind, namespace?: string): string {
  const { apiVersion } = kindEntry(kind);
  const api = apiVersion === "v1" ? "/api" : "/apis";
  const place = namespace === undefined ? "" : `/namespaces/${namespace}`;
  return `${api}/${apiVersion}${place}/${resourceOf(kind)}`;
}

export function objectPath({ kind, name, namespace }: ObjectName<Kind>): string {
  return `${listPath(kind, namespace)}/${encodeURIComponent(name)}`;
}

export function allOf<K extends Kind>(kind: K, namespace?: string) {
  const place = namespace === undefined ? "" : ` of namespace '${namespace}'`;
  return { what: `the ${kindEntry(kind).plural}${place}`, path: listPath(kind, namespace), kind };
}

export const byKubecamp = "?labelSelector=app.kubernetes.io/managed-by%3Dkubecamp";

export function oursOf<K extends Kind>(kind: K) {
  return { ...allOf(kind), path: listPath(kind) + byKubecamp };
}

export function oneOf<K extends Kind>(kind: K, name: string, namespace: string) {
  return { what: `the ${kind} '${namespace}/${name}'`, path: listPath(kind, namespace) + byName(name), kind };
}

/** LIST request for objects of one name in all namespaces; the cluster may have many others of the kind. */
export function allNamed<K extends Kind>(kind: K, name: string) {
  return { what: `the ${kindEntry(kind).plural} '${name}'`, path: listPath(kind) + byName(name), kind };
}

export function allLabelled<K extends Kind>(kind: K, label: string) {
  return { ...allOf(kind), path: `${listPath(kind)}?labelSelector=${encodeURIComponent(label)}` };
}

export function oursNamed<K extends Kind>(kind: K, name: string) {
  return { ...allNamed(kind, name), path: `${listPath(kind)}${byKubecamp}&${nameIs(name)}` };
}

const byName = (name: string) => `?${nameIs(name)}`;
const nameIs = (name: string) => `fieldSelector=metadata.name%3D${name}`;
