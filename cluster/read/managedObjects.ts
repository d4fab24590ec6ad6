import type { KubernetesObject } from "@kubernetes/client-node";
import { appliedAnnotation } from "../../naming/labels.ts";
import { isWrittenByMembers } from "../kinds/stackKinds.ts";
import {
  type LiveObject,
  type ManagedKind,
  type ManagedObject,
  type ObjectName,
  type OwnedObject,
  objectKey,
} from "./snapshot.ts";

/** What drift is told by of the live objects of each kind, by `objectKey`. */
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

/** The objects that have owners, by `objectKey`: few, on most clusters. */
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

/** An object's identity and whose it is. */
export function liveObject({ metadata }: KubernetesObject): LiveObject {
  return { labels: metadata?.labels ?? {}, terminating: metadata?.deletionTimestamp !== undefined };
}

/** One of them. */
export function managedObjectOf(kind: ObjectName["kind"], object: KubernetesObject): ManagedObject {
  const { metadata, apiVersion: _, kind: __, ...content } = object;
  return {
    labels: metadata?.labels ?? {},
    annotations: metadata?.annotations ?? {},
    resourceVersion: metadata?.resourceVersion ?? "",
    applied: metadata?.annotations?.[appliedAnnotation],
    content: { ...content },
    ...(metadata?.deletionTimestamp === undefined ? {} : { terminating: true }),
    ...(isWrittenByMembers({ kind }) && isLarge(object) ? { isLarge: true } : {}),
  };
}

/** What an object has beside its data, in bytes, so that what a run adds to it always fits: annotations may be 256 KiB. */
const mostBeside = 192 * 1024;

/**
 * Whether there is so much in an object that the API server might take nothing more: annotations that fill what they may
 * have, or whatever fills what etcd takes.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/
 */
export function isLarge(object: object): boolean {
  const { data: _, binaryData: __, status: ___, ...rest } = object as Readonly<Record<string, unknown>>;
  return Buffer.byteLength(JSON.stringify(rest)) > mostBeside;
}
