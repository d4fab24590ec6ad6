import { hash } from "node:crypto";
import type { KubernetesObject } from "@kubernetes/client-node";
import { groupResource } from "../../config/names/customKinds.ts";
import { archiveAnnotation, objectLabel, stackLabel, starterAnnotation } from "../../config/names/labels.ts";
import { serviceName } from "../../config/names/names.ts";
import type { ApiServer } from "../api/client.ts";
import { inParallel } from "../inParallel.ts";
import { isCosiKind } from "../kinds/bucketKinds.ts";
import { stackKinds } from "../kinds/stackKinds.ts";
import { type ServedKind, servedKinds, servedPath } from "./servedKinds.ts";

export type WholeObject = KubernetesObject & { readonly type?: string; readonly [field: string]: unknown };

/** Resources that tell what happens or where pods are, and that nobody can restore. */
const passing = [
  "endpoints",
  "endpointslices.discovery.k8s.io",
  "events",
  "events.events.k8s.io",
  "leases.coordination.k8s.io",
];

export const tokenType = "kubernetes.io/service-account-token";

/** Such as `deployments.apps`, or `configmaps`. */
export const resourceName = ({ apiVersion, resource }: Pick<ServedKind, "apiVersion" | "resource">): string =>
  groupResource(resource, apiVersion);

export const isLasting = (resource: string): boolean => !passing.includes(resource);

export const isArchived = (kind: ServedKind, { secrets }: { readonly secrets: boolean }): boolean =>
  isLasting(resourceName(kind)) && (secrets || resourceName(kind) !== "secrets");

/** Whether it is the member's own: not kubecamp's or a controller's, which make it again, nor in every namespace. */
export function isTheirs({ kind = "", type, metadata = {} }: WholeObject): boolean {
  const { name = "", annotations = {}, ownerReferences = [] } = metadata;
  // A claim ends with its owner only if that is a Pod: a controller, such as a StatefulSet's, would make an empty one.
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

/** Whether the namespace lists it as given by kubecamp. Members can write an object's labels, but not that list. */
const isGiven = (kind: ServedKind, { metadata }: KubernetesObject, given: readonly string[]): boolean =>
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

interface Looking {
  readonly secrets: boolean;
  /** Whether names, marks and times are enough. Default: no. */
  readonly metadataOnly?: boolean;
  /** Kinds that there are. Default: the API server is asked. */
  readonly kinds?: readonly ServedKind[];
  /** Objects that the member was given, as the namespace lists them. Default: none. */
  readonly given?: readonly string[];
}

const hands = 5;

/**
 * A namespace's objects of every kind that an archive has, as far as `keep` keeps them.
 * @throws RunError without a full answer; any error of `keep`
 */
export async function archivedObjects<T>(
  api: ApiServer,
  namespace: string,
  { metadataOnly = false, kinds, given = [], ...asked }: Looking,
  keep: (kind: ServedKind, object: WholeObject) => T | undefined,
): Promise<readonly { readonly kind: ServedKind; readonly kept: readonly T[] }[]> {
  const archived = (kinds ?? (await servedKinds(api))).filter((kind) => isArchived(kind, asked));
  return await inParallel(archived, hands, async (kind) => {
    const what = `the ${kind.resource} of namespace '${namespace}'`;
    const kept = await api.list<T>({
      ...{ what, path: servedPath(kind, namespace), kind: kind.kind, metadataOnly },
      keep: (object) => (isGiven(kind, object, given) ? undefined : keep(kind, object as WholeObject)),
    });
    return { kind, kept };
  });
}

/** Reads the state of a namespace (`homeStateOf`). @throws RunError as `archivedObjects` does */
export async function readHomeState(
  api: ApiServer,
  namespace: string,
  looking: Omit<Looking, "metadataOnly">,
): Promise<string> {
  const found = await archivedObjects(api, namespace, { ...looking, metadataOnly: true }, stateLine);
  return homeStateOf(found.flatMap(({ kept }) => kept));
}

/** Another one means that an archive lacks something. `status`, `scale`, labels and annotations alone don't count. */
export const homeStateOf = (lines: readonly string[]): string => hash("sha256", lines.toSorted().join("\n"));

export function stateLine(kind: ServedKind, object: KubernetesObject): string | undefined {
  const { metadata } = object;
  return isTheirs({ ...object, kind: kind.kind }) && !isToken(kind, object)
    ? [resourceName(kind), metadata?.name, metadata?.uid, ...writesOf(metadata)].join(" ")
    : undefined;
}

/** Whether it is the token of a ServiceAccount, which no archive has; metadata does not have a Secret's type. */
const isToken = (kind: ServedKind, { metadata }: KubernetesObject) =>
  kind.kind === "Secret" && metadata?.annotations?.["kubernetes.io/service-account.name"] !== undefined;

function writesOf({ managedFields = [] }: NonNullable<KubernetesObject["metadata"]> = {}): string[] {
  return managedFields
    .filter(({ fieldsV1, subresource }) => {
      const fields = Object.keys(Object(fieldsV1));
      return (
        !["status", "scale"].includes(subresource ?? "") &&
        fields.some((field) => field !== "f:metadata" && field !== "f:status")
      );
    })
    .map(({ manager = "", operation = "", time }) => `${manager}/${operation}@${new Date(time ?? 0).toISOString()}`)
    .sort();
}
