import type { KubernetesObject } from "@kubernetes/client-node";
import { isMap } from "../../config/model/maps.ts";
import { stackLabel } from "../../naming/labels.ts";
import type { StackKind } from "../kinds/stackKinds.ts";
import { type AppliedObject, objectKey } from "./snapshot/snapshot.ts";

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
          managedFields.flatMap(({ manager = "", operation, fieldsV1 }) =>
            operation === "Apply" && manager.startsWith("pulumi-kubernetes-") && isOfRun(fieldsV1)
              ? [[manager, fieldsV1] as const]
              : [],
          ),
        );
        return managers.size < 2 ? [] : [[objectKey(kind as StackKind, name, namespace), { uid, managers }] as const];
      }),
    ),
  );
}

/**
 * Whether the manager set the stack's label.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/
 */
function isOfRun(fields: unknown): boolean {
  return isMap(within(within(within(fields, "f:metadata"), "f:labels"), `f:${stackLabel}`));
}

const within = (fields: unknown, key: string): unknown => (isMap(fields) ? fields[key] : undefined);
