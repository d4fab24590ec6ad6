import type { Member, Settings } from "../../../config/settings.ts";
import { memberLabels } from "../../../naming/labels.ts";
import { namespaceName, routedPort, routedPortName, serviceName } from "../../../naming/names.ts";

/**
 * The member's Service as the ingress controller's namespace sees it: an Ingress can only point at Services beside it.
 * @see https://kubernetes.io/docs/concepts/services-networking/service/#externalname
 */
export function externalService(member: Member, settings: Settings) {
  const name = serviceName(member);
  const port = routedPort(settings.route);
  return {
    metadata: { name, namespace: settings.route.namespace, labels: memberLabels(member, settings) },
    spec: {
      type: "ExternalName",
      externalName: `${name}.${namespaceName(member)}.svc.cluster.local`,
      ports: [{ name: routedPortName(settings.route), port, protocol: "TCP", targetPort: port }],
    },
  };
}
