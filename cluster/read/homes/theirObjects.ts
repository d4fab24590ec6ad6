import type { KubernetesObject } from "@kubernetes/client-node";
import { groupResource } from "../../../config/names/customKinds.ts";
import { archiveAnnotation, objectLabel, stackLabel, starterAnnotation } from "../../../config/names/labels.ts";
import { serviceName } from "../../../config/names/names.ts";
import { isCosiKind } from "../../kinds/bucketKinds.ts";
import { stackKinds } from "../../kinds/stackKinds.ts";
import type { ServedKind } from "../server/servedKinds.ts";

/** An object with everything that it has besides the metadata. */
export type WholeObject = KubernetesObject & { readonly type?: string; readonly [field: string]: unknown };

/** Resources that tell what happens or where pods are, and that nobody can restore. */
const passing = [
  "endpoints",
  "endpointslices.discovery.k8s.io",
  "events",
  "events.events.k8s.io",
  "leases.coordination.k8s.io",
];

/** Type of the Secrets that the token controller fills for a ServiceAccount. */
export const tokenType = "kubernetes.io/service-account-token";

/** Such as `deployments.apps`, or `configmaps`. */
export const resourceName = ({ apiVersion, resource }: Pick<ServedKind, "apiVersion" | "resource">): string =>
  groupResource(resource, apiVersion);

/** Whether objects of a resource can be restored at all. */
export const isLasting = (resource: string): boolean => !passing.includes(resource);

/** Whether an archive has objects of a kind. */
export const isArchived = (kind: ServedKind, { secrets }: { readonly secrets: boolean }): boolean =>
  isLasting(resourceName(kind)) && (secrets || resourceName(kind) !== "secrets");

/**
 * Whether an object in a member's namespace is theirs: neither kubecamp's nor a controller's, which both make it again, nor
 * one that every namespace has.
 */
export function isTheirs({ kind = "", type, metadata = {} }: WholeObject): boolean {
  const { name = "", annotations = {}, ownerReferences = [] } = metadata;
  // Of a claim, only a Pod's ends with its owner: a controller, such as a StatefulSet's, would make an empty one.
  const isControllers = ownerReferences.some(
    (owner) => owner.controller === true && (kind !== "PersistentVolumeClaim" || owner.kind === "Pod"),
  );
  const isEverywhere =
    (kind === "ConfigMap" && name === "kube-root-ca.crt") ||
    (kind === "ServiceAccount" && name === "default") ||
    (kind === "Secret" && type === tokenType);
  const isArchives = kind === "VolumeSnapshot" && annotations[archiveAnnotation] !== undefined;
  return !(isKubecamps(kind, metadata) || isControllers || isEverywhere || isArchives);
}

/**
 * Whether an object is one of those that a namespace lists as given by kubecamp, which may be of a custom kind. Members can write
 * an object's labels, but not that list.
 */
export const isGiven = (kind: ServedKind, { metadata }: KubernetesObject, given: readonly string[]): boolean =>
  metadata?.labels?.[objectLabel] !== undefined && given.includes(`${resourceName(kind)}/${metadata.name}`);

/** Kinds that members write at home, and on which no policy refuses kubecamp's labels in every stack. */
const unguarded = ["CronJob", "DaemonSet", "Service", "StatefulSet"];

function isKubecamps(kind: string, metadata: WholeObject["metadata"]): boolean {
  const { name, namespace = "", labels = {}, annotations = {} } = metadata ?? {};
  // A starter app made `once`, and what was given with `theirs`, is the member's from then on, with all their changes.
  const isGivenAway = annotations[starterAnnotation] === "once" || labels[objectLabel] === "theirs";
  const isOfKind = Object.hasOwn(stackKinds, kind) || isCosiKind(kind);
  const isMarked =
    !unguarded.includes(kind) || labels[objectLabel] !== undefined || name === serviceName({ name: namespace });
  return labels[stackLabel] !== undefined && isOfKind && isMarked && !isGivenAway;
}
