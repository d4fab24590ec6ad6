import type { KubernetesObject } from "@kubernetes/client-node";
import { appliedAnnotation } from "../../config/names/labels.ts";
import { areMarksIn, hasMarks } from "../../config/names/pulumiMarks.ts";
import { type ObjectName, objectKey } from "../kinds/objectName.ts";
import { isWrittenByMembers } from "../kinds/stackKinds.ts";
import type { LiveObject, ManagedKind, ManagedObject, OwnedObject } from "./snapshot.ts";

export function managedObjectsOf(
  kinds: Readonly<Record<ManagedKind, readonly KubernetesObject[]>>,
): Map<string, ManagedObject> {
  return new Map(
    Object.entries(kinds).flatMap(([kind, objects]) =>
      objects.map(
        (object) => [keyOf(kind as ManagedKind, object), managedObjectOf(kind as ManagedKind, object)] as const,
      ),
    ),
  );
}

/** Objects with owner references, by `objectKey`; most clusters have few. */
export function ownedOf(
  kinds: Readonly<Record<ObjectName["kind"], readonly KubernetesObject[]>>,
): Map<string, OwnedObject> {
  return new Map(
    Object.entries(kinds).flatMap(([kind, objects]) =>
      objects.flatMap((object) => {
        const { name = "", namespace, uid = "", ownerReferences: owners = [] } = object.metadata ?? {};
        const owned = { kind: kind as ObjectName["kind"], name, namespace, uid, owners };
        return owners.length === 0 ? [] : [[keyOf(owned.kind, object), owned] as const];
      }),
    ),
  );
}

function keyOf(kind: ObjectName["kind"], { metadata }: KubernetesObject): string {
  return objectKey(kind, metadata?.name ?? "", metadata?.namespace);
}

export function liveObject({ metadata }: KubernetesObject): LiveObject {
  return { labels: metadata?.labels ?? {}, terminating: metadata?.deletionTimestamp !== undefined };
}

export function managedObjectOf(kind: ObjectName["kind"], object: KubernetesObject): ManagedObject {
  const { metadata, apiVersion: _, kind: __, ...content } = object;
  return {
    labels: metadata?.labels ?? {},
    annotations: metadata?.annotations ?? {},
    resourceVersion: metadata?.resourceVersion ?? "",
    applied: metadata?.annotations?.[appliedAnnotation],
    content: { ...content },
    ...(metadata?.deletionTimestamp === undefined ? {} : { terminating: true }),
    ...(isWrittenByMembers({ kind }) ? { ...createdOf(object), ...writtenByMembers(object) } : {}),
  };
}

/** Never a member's own word: the API server sets it. */
const createdOf = ({ metadata }: KubernetesObject): Pick<ManagedObject, "created"> =>
  metadata?.creationTimestamp === undefined ? {} : { created: new Date(metadata.creationTimestamp).toISOString() };

export function writtenByMembers(object: object): Pick<ManagedObject, "isLarge" | "isMarked"> {
  const { data, binaryData, status, ...beside } = object as Readonly<Record<string, unknown>>;
  const text = JSON.stringify(beside);
  return {
    ...(Buffer.byteLength(text) + managersBytesOf(object) > mostBeside ? { isLarge: true } : {}),
    ...(areMarksIn(text) || hasMarks({ data, binaryData, status }) ? { isMarked: true } : {}),
  };
}

/** Bytes of `managedFields` that `keptByRuns` has dropped. */
const managersBytesOf = (object: object): number => Number(Object(Object(object).metadata).managersBytes ?? 0);

/** Leaves room for a run's additions: annotations may have 256 KiB, and the object is near etcd's limit otherwise. */
const mostBeside = 192 * 1024;
