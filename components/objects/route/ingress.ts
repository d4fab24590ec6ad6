import type { Member, MemberRoute, Settings } from "../../../config/settings.ts";
import { memberLabels } from "../../../naming/labels.ts";
import { ingressName, routedPort, serviceName } from "../../../naming/names.ts";

/**
 * A member's public path, with the labels that the Members operator gave it.
 * @see https://kubernetes.io/docs/concepts/services-networking/ingress/
 */
export function ingress(member: Member, { host, path }: MemberRoute, settings: Settings) {
  const { namespace, className } = settings.route;
  return {
    metadata: {
      name: ingressName(member),
      namespace,
      labels: {
        ...memberLabels(member, settings),
        "app.kubernetes.io/name": "member-route",
        "app.kubernetes.io/created-by": "kubecamp",
        group: namespace,
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
      ingressClassName: className,
      rules: [
        {
          host,
          http: {
            paths: [
              {
                path,
                pathType: "Prefix",
                backend: { service: { name: serviceName(member), port: { number: routedPort(settings.route) } } },
              },
            ],
          },
        },
      ],
    },
  };
}
