import type { Member, Settings } from "../../../config/model/settings.ts";
import { memberLabels } from "../../../naming/labels.ts";
import { routedPort, routedPortName, serviceAddress, serviceName } from "../../../naming/names.ts";
import type { IngressWays } from "../../routes/drivers/ingressWays.ts";
import { goneAtOnce, notAwaited } from "../deletion.ts";

/**
 * The member's Service as the ingress controller's namespace sees it: an Ingress can only point at Services beside it.
 * The dot at the end has the name looked up as it is, not with each of the controller's search domains behind it first.
 * @param ways the controller's own
 * @see https://kubernetes.io/docs/concepts/services-networking/service/#externalname
 */
export function externalService(member: Member, settings: Settings, ways: Pick<IngressWays, "tlsOnService">) {
  const name = serviceName(member);
  const port = routedPort(settings.route);
  const { namespace, backend } = settings.route;
  const annotations = backend.protocol === "HTTPS" ? ways.tlsOnService?.(member, settings) : undefined;
  return {
    metadata: {
      name,
      namespace,
      labels: memberLabels(member, settings),
      annotations: {
        ...goneAtOnce,
        // There is nothing about it to wait for, and the plugin would note what it saw while it waited: after a change, what was
        // there before it, more often than not.
        ...notAwaited,
        ...annotations,
      },
    },
    spec: {
      type: "ExternalName",
      externalName: `${serviceAddress(member, settings)}.`,
      ports: [{ name: routedPortName(settings.route), port, protocol: "TCP", targetPort: port }],
    },
  };
}
