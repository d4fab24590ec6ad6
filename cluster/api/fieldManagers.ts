import type { KubernetesObject, V1ManagedFieldsEntry } from "@kubernetes/client-node";
import { unknowns } from "../../config/names/pulumiMarks.ts";

/**
 * Takes `managedFields` from an object, which are often longer than the rest, and in memory ten times that. Left are the names
 * that Pulumi can't read (`hasMarks`), and the entries that the caller needs.
 * @returns the same object
 */
export function withoutManagers<T extends KubernetesObject>(
  object: T,
  needed: readonly V1ManagedFieldsEntry[] = [],
): T {
  const { metadata } = object;
  const unread = (metadata?.managedFields ?? []).flatMap(({ manager = "" }) =>
    unknowns.includes(manager) ? [{ manager }] : [],
  );
  const left = [...needed, ...unread];
  if (left.length > 0 && metadata !== undefined) metadata.managedFields = left;
  else delete metadata?.managedFields;
  return object;
}
