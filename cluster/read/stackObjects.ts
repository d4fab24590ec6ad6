import type { KubernetesObject } from "@kubernetes/client-node";
import type { Settings } from "../../config/model/settings.ts";
import { allNamed, allOf, oneOf } from "../kinds/kinds.ts";
import type { Concerned, Selection } from "../kinds/selections.ts";
import { type StackKind, stackKinds } from "../kinds/stackKinds.ts";
import type { Lists } from "./rights/refusals.ts";

/** All objects of a kind that matter to a stack; no request if none do. */
export async function stackObjects(kind: StackKind, stack: Concerned, server: Lists): Promise<KubernetesObject[]> {
  const entry = stackKinds[kind];
  const selections = entry.selections.filter(({ when }) => when?.(stack, kind, entry) ?? true);
  const lists = selections.map(async (selection) => {
    const { metadataOnly = false, isMeant } = selection;
    const request = requestOf(kind, selection, stack.settings);
    const found = await server.list<KubernetesObject>(metadataOnly ? { ...request, metadataOnly } : request);
    const isOne = isMeant?.(stack);
    return isOne === undefined ? found : found.filter(({ metadata }) => isOne(keyOf(metadata), metadata?.labels));
  });
  return (await Promise.all(lists)).flat();
}

/** The LIST request of a selection. */
export function requestOf<K extends StackKind>(
  kind: K,
  { name, isBesideController }: Selection,
  settings: Pick<Settings, "stack" | "route">,
) {
  const namespace = isBesideController ? settings.route.namespace : undefined;
  if (name === undefined) {
    return allOf(kind, namespace);
  }
  return namespace === undefined ? allNamed(kind, name(settings)) : oneOf(kind, name(settings), namespace);
}

const keyOf = ({ namespace = "", name = "" }: NonNullable<KubernetesObject["metadata"]> = {}) => `${namespace}/${name}`;
