import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "yaml";
import { compare } from "../../cluster/kinds/compare.ts";
import { isTheirs, resourceName, type WholeObject } from "../../cluster/read/homes/theirObjects.ts";
import type { ServedKind } from "../../cluster/read/servedKinds.ts";

/** A file of an archive: all of a member's objects of a kind. */
export interface ArchiveFile {
  /** Such as `objects/deployments.apps.yaml`. */
  readonly name: string;
  /** Number of objects. */
  readonly objects: number;
  /** YAML documents. */
  readonly text: string;
}

<<<<<<< HEAD
/** Resources that tell what happens or where pods are, and that nobody can restore. */
const passing = [
  "endpoints",
  "endpointslices.discovery.k8s.io",
  "events",
  "events.events.k8s.io",
  "leases.coordination.k8s.io",
];

/** Such as `deployments.apps`, or `configmaps`. */
export const resourceName = ({ apiVersion, resource }: Pick<ServedKind, "apiVersion" | "resource">): string =>
  groupResource(resource, apiVersion);

/** Whether an archive has objects of a kind. */
export const isArchived = (kind: ServedKind, { secrets }: { readonly secrets: boolean }): boolean =>
  !passing.includes(resourceName(kind)) && (secrets || resourceName(kind) !== "secrets");

/**
 * Whether an object in a member's namespace is theirs: neither kubecamp's nor a controller's, which both make it again, nor
 * one that every namespace has.
 */
export function isTheirs({ kind = "", type, metadata = {} }: WholeObject): boolean {
  const { name = "", annotations = {}, ownerReferences = [] } = metadata;
  // Only a Pod's claim ends with its owner: a controller, such as a StatefulSet's, would create an empty one.
  const isControllers = ownerReferences.some(
    (owner) => owner.controller === true && (kind !== "PersistentVolumeClaim" || owner.kind === "Pod"),
  );
  const isEverywhere =
    (kind === "ConfigMap" && name === "kube-root-ca.crt") ||
    (kind === "ServiceAccount" && name === "default") ||
    (kind === "Secret" && type === "kubernetes.io/service-account-token");
  const isArchives = kind === "VolumeSnapshot" && annotations[archiveAnnotation] !== undefined;
  return !(isKubecamps(kind, metadata) || isControllers || isEverywhere || isArchives);
}

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

=======
>>>>>>> main
/** kubectl reads YAML 1.1, in which an unquoted `on` or `1:30` is no text; in YAML 1.2 `0o17` is none. */
const yamlForAll = {
  version: "1.1",
  compat: "core",
  aliasDuplicateObjects: false,
  lineWidth: 0,
  blockQuote: "literal",
} as const;

/** An object as YAML; as JSON, which is YAML too, if it would be read as another one. */
function documentOf(object: object): string {
  const text = stringify(object, yamlForAll);
  const isRead = (version: "1.1" | "1.2") => {
    try {
      return isDeepStrictEqual(parse(text, { version }), object);
    } catch {
      return false;
    }
  };
  return isRead("1.1") && isRead("1.2") ? text : `${JSON.stringify(object, null, 2)}\n`;
}

/** The member's objects of a kind as a file; undefined if there are none. */
export function archiveFile(kind: ServedKind, objects: readonly WholeObject[]): ArchiveFile | undefined {
  const theirs = objects
    .filter((object) => isTheirs({ ...object, kind: kind.kind }))
    .toSorted((a, b) => compare(a.metadata?.name ?? "", b.metadata?.name ?? ""));
  if (theirs.length === 0) {
    return undefined;
  }
  // Items of a list have no kind of their own. Field managers are of no use without the API server that they talked to.
  const documents = theirs.map(
    ({ apiVersion: _, kind: __, metadata: { managedFields: ___, ...metadata } = {}, ...rest }) =>
      documentOf({ apiVersion: kind.apiVersion, kind: kind.kind, metadata, ...rest }),
  );
  return { name: `objects/${resourceName(kind)}.yaml`, objects: theirs.length, text: documents.join("---\n") };
}

/** SHA-256 in hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");
