import type { Member } from "../../../config/model/settings.ts";
import { madeAnnotation } from "../../../naming/labels.ts";
import { namespaceName, serviceName } from "../../../naming/names.ts";
import type { ManagedService } from "../../decisions/managedService.ts";
import { notAwaited } from "../deletion.ts";

/**
 * The Service that a member's path leads to, where kubecamp makes it.
 * @param made what tells this one from those that were there before it
 * @see https://kubernetes.io/docs/concepts/services-networking/service/
 */
export function managedService(
  member: Member,
  { labels, selector, ports, annotations }: Pick<ManagedService, "labels" | "selector" | "ports" | "annotations">,
  made: string,
) {
  return {
    metadata: {
      name: serviceName(member),
      namespace: namespaceName(member),
      labels,
      annotations: {
        ...annotations,
        [madeAnnotation]: made,
        // There is nothing to wait for: whether pods are behind it is for route.readiness.requires to say.
        ...notAwaited,
        // It has no `goneAtOnce`: Pulumi would replace every one that there is for it, and deletes none anyway.
        // Else every run that makes or mends it would be another manager of its fields, and none would ever give one up.
        "pulumi.com/patchFieldManager": "kubecamp",
      },
    },
    spec: { type: "ClusterIP", selector, ports: [...ports] },
  };
}
