import type { ApiObject } from "../../../../cluster/kinds/liveObject.ts";
import type { StackKind } from "../../../../cluster/kinds/stackKinds.ts";

/** An object as it is declared. */
interface DeclaredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [field: string]: unknown };
}

/** An object on the API server after the plugin has applied it. */
export function applied(object: DeclaredObject, manager = "pulumi-kubernetes-0a1b2c3d"): ApiObject {
  const { apiVersion, kind, metadata, ...rest } = object;
  const { name, namespace, ...reported } = metadata;
  const managedFields = [
    { manager, operation: "Apply", time: "2026-06-01T08:00:00Z", fieldsV1: fieldsOf({ ...rest, metadata: reported }) },
    { manager: "kubelet", operation: "Update", time: "2026-06-02T08:00:00Z", fieldsV1: { "f:status": {} } },
  ];
  return {
    apiVersion,
    kind: kind as StackKind,
    ...rest,
    metadata: {
      ...metadata,
      uid: `uid-of-${name}`,
      resourceVersion: "7",
      managedFields,
    } as object as ApiObject["metadata"],
    status: { observed: true },
  };
}

/** Maps field by field, and lists as a whole, as the API server has most of them. */
function fieldsOf(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      `f:${key}`,
      typeof inner === "object" && inner !== null && !Array.isArray(inner) ? fieldsOf(inner) : {},
    ]),
  );
}
