import type { KubernetesObject } from "@kubernetes/client-node";
import type { Settings } from "../../config/settings.ts";
import { withoutManagers } from "../api/answers.ts";
import { allLabelled, allNamed, allOf, oneOf } from "../kinds/kinds.ts";
import type { Concerned, Selection } from "../kinds/selections.ts";
import { isWrittenByMembers, type StackKind, stackKind } from "../kinds/stackKinds.ts";
import type { Lists } from "./rights.ts";

export async function stackObjects(kind: StackKind, stack: Concerned, server: Lists): Promise<KubernetesObject[]> {
  const kept = keptByRuns(kind);
  const lists = selectionsFor(stack, kind).flatMap((selection) => {
    const { metadataOnly = false, isMeant } = selection;
    const isOne = isMeant?.(stack);
    return requestsOf(kind, selection, stack.settings).map(async (request) => {
      return await server.list<KubernetesObject>({
        ...request,
        ...(metadataOnly ? { metadataOnly } : {}),
        keep: (object) =>
          isOne?.(keyOf(object.metadata), object.metadata?.labels) === false ? undefined : kept(object),
      });
    });
  });
  return (await Promise.all(lists)).flat();
}

export function selectionsFor(stack: Concerned, kind: StackKind): readonly Selection[] {
  const entry = stackKind(kind);
  return entry.selections.filter(({ when }) => when?.(stack, kind, entry) ?? true);
}

export function requestsOf<K extends StackKind>(
  kind: K,
  { names, label, isBesideController }: Selection,
  settings: Pick<Settings, "stack" | "route" | "objects">,
) {
  const namespace = isBesideController ? settings.route.beside : undefined;
  if (label !== undefined) {
    return [allLabelled(kind, label)];
  }
  const only = names?.(settings);
  return only === undefined
    ? [allOf(kind, namespace)]
    : only.map((each) => (namespace === undefined ? allNamed(kind, each) : oneOf(kind, each, namespace)));
}

const keyOf = ({ namespace = "", name = "" }: NonNullable<KubernetesObject["metadata"]> = {}) => `${namespace}/${name}`;

/** Keeps of a listed object's `managedFields` only the length, which counts in `writtenByMembers`. */
export const keptByRuns =
  (kind: StackKind) =>
  (object: KubernetesObject): KubernetesObject => {
    const { metadata } = object;
    const all = metadata?.managedFields ?? [];
    const managersBytes = all.length > 0 && isWrittenByMembers({ kind }) ? Buffer.byteLength(JSON.stringify(all)) : 0;
    if (metadata !== undefined && managersBytes > 0) {
      Object.assign(metadata, { managersBytes });
    }
    return withoutManagers(object);
  };
