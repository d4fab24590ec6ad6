/** Owners of fields: server-side apply's managers, as the official plugin uses them. */
import { at, isProps, type Props, propsOf, textAt, type Value } from "../../../../buckets/protocol/values.ts";
import { ApiError } from "../cluster/api.ts";
import { createFieldManager } from "./objects.ts";

/** Managers of earlier Pulumi versions, or of an admin's kubectl. */
const predecessors: [prefix: string, operation: string][] = [
  ["kubectl", "Apply"],
  ["kubectl", "Update"],
  ["before-first-apply", "Update"],
  ["pulumi-kubernetes", "Update"],
  ["pulumi-resource-kubernetes", "Update"],
];

/** Whether to overwrite fields of another manager. */
export function applyForced(live: Props | undefined, patchForce: boolean, preview: boolean): boolean {
  if (patchForce) {
    return true;
  }
  const entries = managedFields(live);
  if (live && entries.length === 0) {
    return true;
  }
  if (!preview) {
    return false;
  }
  // A preview does not take fields over first, as an update does.
  return !live || entries.some((entry) => entry.operation === "Update" && isOwnOldName(textAt(entry, "manager")));
}

/** The patch by which the first update takes over the fields of the creation and of kubectl; empty if there are none. */
export function takeOver(live: Props, manager: string): Props[] {
  const entries = managedFields(live);
  const isTaken = (entry: Props): boolean =>
    !entry.subresource &&
    predecessors.some(
      ([prefix, operation]) => textAt(entry, "manager").startsWith(prefix) && entry.operation === operation,
    ) &&
    entry.manager !== manager;
  const taken = entries.filter(isTaken);
  const [first] = taken;
  if (!first) {
    return [];
  }
  const isOurs = (entry: Props): boolean =>
    entry.manager === manager && entry.operation === "Apply" && !entry.subresource;
  const owned = [...entries.filter(isOurs), ...taken].map((entry) => propsOf(entry.fieldsV1));
  const { subresource: _, ...base } = entries.find(isOurs) ?? first;
  const merged = { ...base, manager, operation: "Apply", fieldsV1: owned.reduce(union, {}) };
  const others = entries.filter((entry) => !isTaken(entry) && !isOurs(entry));
  return [
    { op: "replace", path: "/metadata/managedFields", value: [...others, merged] },
    { op: "replace", path: "/metadata/resourceVersion", value: textAt(live, "metadata", "resourceVersion") },
  ];
}

/** The official plugin's message for a conflict with another manager. */
export function conflictExplained(error: unknown, manager: string): unknown {
  if (!(error instanceof ApiError && error.is("Conflict"))) {
    return error;
  }
  return new Error(
    `server-side apply field conflict detected, see https://www.pulumi.com/registry/packages/kubernetes/how-to-guides/managing-resources-with-server-side-apply/#handle-field-conflicts-on-existing-resources for troubleshooting help\nThe resource managed by field manager ${JSON.stringify(manager)} had an apply conflict: ${error.message}`,
  );
}

/** Whether this manager, and whether any other, owns something at the path of the object. */
export function owns(live: Props, path: string[], manager: string): { ours: boolean; theirs: boolean } {
  const owners = managedFields(live).filter((entry) => at(entry.fieldsV1, ...path.map((step) => `f:${step}`)));
  return {
    ours: owners.some((entry) => entry.manager === manager),
    theirs: owners.some((entry) => entry.manager !== manager),
  };
}

function managedFields(live: Props | undefined): Props[] {
  const entries = at(live, "metadata", "managedFields");
  return Array.isArray(entries) ? entries.filter(isProps) : [];
}

function isOwnOldName(manager: string): boolean {
  return [createFieldManager, "pulumi-resource-kubernetes", "pulumi-kubernetes.exe"].includes(manager);
}

/** Union of two FieldsV1 sets: `{}` is an owned field, and `.` in it marks an owned field with owned children. */
function union(left: Props, right: Props): Props {
  const merged: Props = { ...left };
  for (const [key, value] of Object.entries(right)) {
    merged[key] = unionChild(left[key], propsOf(value));
  }
  return merged;
}

function unionChild(left: Value | undefined, right: Props): Props {
  if (left === undefined) {
    return right;
  }
  const known = propsOf(left);
  const isLeaf = (set: Props): boolean => Object.keys(set).length === 0;
  if (isLeaf(known) && isLeaf(right)) {
    return {};
  }
  return { ...union(known, right), ...(isLeaf(known) || isLeaf(right) ? { ".": {} } : {}) };
}
