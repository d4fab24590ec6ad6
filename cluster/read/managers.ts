import type { KubernetesObject, V1ManagedFieldsEntry } from "@kubernetes/client-node";
import { isMap } from "../../config/model/maps.ts";
import { stackLabel } from "../../naming/labels.ts";
import { withoutManagers } from "../api/fieldManagers.ts";
import { isWrittenByMembers, type StackKind } from "../kinds/stackKinds.ts";
import { type AppliedObject, objectKey } from "./snapshot/snapshot.ts";

/** Most bytes of an object's fields that runs have applied. Members may call their own managers as runs do. */
const mostOfRuns = 64 * 1024;

/** What a run keeps of a listed object: of `managedFields` only what `managersOf` reads, with the length of all of them. */
export const keptByRuns =
  (kind: StackKind) =>
  (object: KubernetesObject): KubernetesObject => {
    const { metadata } = object;
    const all = metadata?.managedFields ?? [];
    // Counts in `writtenByMembers`.
    const managersBytes = all.length > 0 && isWrittenByMembers({ kind }) ? Buffer.byteLength(JSON.stringify(all)) : 0;
    const ofRuns = all.filter(isOfRun);
    const isNeeded = ofRuns.length > 1 && JSON.stringify(ofRuns).length <= mostOfRuns;
    if (metadata !== undefined && managersBytes > 0) Object.assign(metadata, { managersBytes });
    return withoutManagers(object, isNeeded ? ofRuns : []);
  };

/**
 * Objects that several runs applied, each under its own field manager, by `objectKey`: the plugin generates a new
 * manager for an object that Pulumi's state does not have. Other programs of Pulumi's don't set the stack's label, and
 * are left out.
 */
export function managersOf(
  objects: Readonly<Record<StackKind, readonly KubernetesObject[]>>,
): Map<string, AppliedObject> {
  return new Map(
    Object.entries(objects).flatMap(([kind, some]) =>
      some.flatMap(({ metadata }) => {
        const { name = "", namespace, uid = "", managedFields = [] } = metadata ?? {};
        const managers = new Map(
          managedFields.filter(isOfRun).map(({ manager = "", fieldsV1 }) => [manager, fieldsV1] as const),
        );
        return managers.size < 2 ? [] : [[objectKey(kind as StackKind, name, namespace), { uid, managers }] as const];
      }),
    ),
  );
}

/**
 * Whether a run's manager applied these fields, with the stack's label.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/
 */
function isOfRun({ manager = "", operation, fieldsV1 }: V1ManagedFieldsEntry): boolean {
  const isRuns = operation === "Apply" && manager.startsWith("pulumi-kubernetes-");
  return isRuns && isMap(within(within(within(fieldsV1, "f:metadata"), "f:labels"), `f:${stackLabel}`));
}

const within = (fields: unknown, key: string): unknown => (isMap(fields) ? fields[key] : undefined);
