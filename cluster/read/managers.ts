import type { KubernetesObject } from "@kubernetes/client-node";
import { isMap } from "../../config/model/maps.ts";
import { stackLabel } from "../../naming/labels.ts";
import type { StackKind } from "../kinds/stackKinds.ts";
import { type AppliedObject, objectKey } from "./snapshot.ts";

/**
 * The objects that several runs have applied, each under a field manager of its own, by `objectKey`: the plugin makes a new
 * one for what Pulumi's state does not know. Whoever else applies something, such as another program of Pulumi's, does not
 * say whose stack's it is.
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

/** @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/ */
function isOfRun(fields: unknown): boolean {
  return isMap(within(within(within(fields, "f:metadata"), "f:labels"), `f:${stackLabel}`));
}

const within = (fields: unknown, key: string): unknown => (isMap(fields) ? fields[key] : undefined);
