import type { KubernetesObject } from "@kubernetes/client-node";
import { appliedAnnotation } from "./drift.ts";
import { type GuardKind, guardKey, type LiveGuard } from "./snapshot.ts";

/** What drift is told by of the live objects of each kind, by `guardKey`. */
export function guardsOf(kinds: Readonly<Record<GuardKind, readonly KubernetesObject[]>>): Map<string, LiveGuard> {
  return new Map(
    Object.entries(kinds).flatMap(([kind, objects]) =>
      objects.map((object) => [keyOf(kind as GuardKind, object), liveGuard(object)] as const),
    ),
  );
}

function keyOf(kind: GuardKind, { metadata }: KubernetesObject): string {
  return guardKey(kind, metadata?.name ?? "", metadata?.namespace);
}

function liveGuard({ metadata, apiVersion: _, kind: __, ...content }: KubernetesObject): LiveGuard {
  return {
    labels: metadata?.labels ?? {},
    resourceVersion: metadata?.resourceVersion ?? "",
    applied: metadata?.annotations?.[appliedAnnotation],
    content: { ...content },
  };
}
