import type { KubernetesObject } from "@kubernetes/client-node";
import type { Settings } from "../../../config/model/settings/settings.ts";
import { oneOf } from "../../kinds/kinds.ts";
import type { Lists } from "../rights/refusals.ts";

/** The Gateway that routes attach to; undefined if it does not exist, or the routes are Ingresses. */
export async function readGateway({ route }: Settings, server: Lists): Promise<KubernetesObject | undefined> {
  const { kind, gateway } = route;
  if (kind !== "gateway" || gateway === undefined) {
    return undefined;
  }
  const [found] = await server.list<KubernetesObject>(oneOf("Gateway", gateway.name, gateway.namespace));
  return found;
}
