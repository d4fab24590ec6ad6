import type { KubernetesObject } from "@kubernetes/client-node";
import { withoutManagers } from "../api/fieldManagers.ts";
import { isWrittenByMembers, type StackKind } from "../kinds/stackKinds.ts";

/** What a run keeps of a listed object: of `managedFields` the length, which counts in `writtenByMembers`. */
export const keptByRuns =
  (kind: StackKind) =>
  (object: KubernetesObject): KubernetesObject => {
    const { metadata } = object;
    const all = metadata?.managedFields ?? [];
    const managersBytes = all.length > 0 && isWrittenByMembers({ kind }) ? Buffer.byteLength(JSON.stringify(all)) : 0;
    if (metadata !== undefined && managersBytes > 0) Object.assign(metadata, { managersBytes });
    return withoutManagers(object);
  };
