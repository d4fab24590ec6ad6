import type { KubernetesObject } from "@kubernetes/client-node";
import type { WriteRequest } from "../api/requests.ts";
import { objectPath } from "../kinds/kinds.ts";
import type { ObjectName } from "../kinds/objectName.ts";

/**
 * Makes an object, or changes the one that a controller may have made by then, as the ServiceAccount of each namespace.
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/
 */
export const applyRequest = (
  what: string,
  object: ObjectName,
  body: KubernetesObject,
  manager = "kubecamp",
): WriteRequest => ({
  what,
  method: "PATCH",
  path: `${objectPath(object)}?fieldManager=${manager}&force=true`,
  contentType: "application/apply-patch+yaml",
  body,
});
