import { type ManagedService, madeAnnotation } from "../../../cluster/managedService.ts";
import type { Member, Settings } from "../../../config/settings.ts";
import { memberLabels } from "../../../naming/labels.ts";
import { namespaceName, serviceName } from "../../../naming/names.ts";

/**
 * The Service that a member's path leads to, where kubecamp makes it.
 * @param made what tells this one from those that were there before it
 * @see https://kubernetes.io/docs/concepts/services-networking/service/
 */
export function managedService(
  member: Member,
  settings: Pick<Settings, "stack">,
  { selector, port, annotations }: Pick<ManagedService, "selector" | "port" | "annotations">,
  made: string,
) {
  return {
    metadata: {
      name: serviceName(member),
      namespace: namespaceName(member),
      labels: memberLabels(member, settings),
      annotations: {
        ...annotations,
        [madeAnnotation]: made,
        // There is nothing to wait for: whether pods are behind it is for route.readiness.requires to say.
        "pulumi.com/skipAwait": "true",
      },
    },
    spec: { type: "ClusterIP", selector, ports: [port] },
  };
}
