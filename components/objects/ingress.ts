import type { Member, Settings } from "../../config/settings.ts";
import { memberLabels } from "../../naming/labels.ts";
import { ingressName, routedPort, routePath, serviceName } from "../../naming/names.ts";

/**
 * A member's public path, with the labels that the Members operator gave it.
 * @see https://kubernetes.io/docs/concepts/services-networking/ingress/
 */
export function ingress(member: Member, settings: Settings) {
  const { route } = settings;
  return {
    metadata: {
      name: ingressName(member),
      namespace: route.namespace,
      labels: {
        ...memberLabels(member, settings),
        "app.kubernetes.io/name": "member-route",
        "app.kubernetes.io/created-by": "kubecamp",
        group: route.namespace,
      },
      annotations: {
        // Pulumi would wait ten minutes for an address that not every controller reports.
        "pulumi.com/skipAwait": "true",
        // Gone at once when deleted, so that it never outlives the Service it points at: the controller would reload
        // badly and drop other members' connections.
        "pulumi.com/deletionPropagationPolicy": "background",
      },
    },
    spec: {
      ingressClassName: route.className,
      rules: [
        {
          host: route.host,
          http: {
            paths: [
              {
                path: routePath(member),
                pathType: "Prefix",
                backend: { service: { name: serviceName(member), port: { number: routedPort } } },
              },
            ],
          },
        },
      ],
    },
  };
}
