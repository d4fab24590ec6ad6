import type { V1EndpointSlice, V1Service } from "@kubernetes/client-node";
import type { Member, Settings } from "../config/settings.ts";
import { namespaceName, routedPort, serviceName } from "../naming/names.ts";
import { withApiServer } from "./apiServer/client.ts";
import type { Target } from "./apiServer/kubeconfig.ts";
import { allOf, oneOf } from "./kinds.ts";
import { type Readiness, serviceReadiness } from "./readiness.ts";
import { endpointsMatter, liveServices } from "./services.ts";

/**
 * Whether a member's Service is fit now, whatever a run knows of it.
 * @throws RunError when there is no answer: only a successful one may say that it is
 */
export async function lookAgain(member: Member, settings: Pick<Settings, "route">, target: Target): Promise<Readiness> {
  if (member.route === undefined) {
    return { state: "ready" };
  }
  const { requires } = member.route.readiness;
  const namespace = namespaceName(member);
  return await withApiServer(target, {}, async (api) => {
    const found = await api.list<V1Service>(oneOf("Service", serviceName(member), namespace));
    const alone = liveServices(found);
    const services = endpointsMatter([member], alone)
      ? liveServices(found, await api.list<V1EndpointSlice>(allOf("EndpointSlice", namespace)))
      : alone;
    return serviceReadiness(member, { port: routedPort(settings.route), requires }, { services });
  });
}
