import type { Member } from "../../config/member/member.ts";
import { routedPort, routedPortName, serviceAddress, serviceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { notAwaited } from "../deletion.ts";
import { metadataOf } from "../metadata.ts";
import type { IngressWays } from "./ingressWays.ts";

/**
 * Leads from the ingress controller's namespace to the member's Service: an Ingress can refer only to Services in its own
 * namespace. The dot at the end keeps the resolver from trying the controller's search domains first.
 * @param ways the controller's features
 * @see https://kubernetes.io/docs/concepts/services-networking/service/#externalname
 */
export function externalService(
  member: Member,
  settings: Settings,
  ways: Pick<IngressWays, "onService" | "tlsOnService">,
) {
  const port = routedPort(settings.route);
  return {
    metadata: metadataOf(serviceName(member), member, settings, {
      namespace: settings.route.namespace,
      // There is nothing to wait for, and the plugin would record what it saw while it waited: after a change, more often
      // than not the object as it was before.
      annotations: {
        ...notAwaited,
        ...(settings.route.backend.protocol === "HTTPS" ? ways.tlsOnService : {}),
        ...ways.onService?.(member, settings),
      },
    }),
    spec: {
      type: "ExternalName",
      externalName: `${serviceAddress(member, settings)}.`,
      ports: [{ name: routedPortName(settings.route), port, protocol: "TCP", targetPort: port }],
    },
  };
}
