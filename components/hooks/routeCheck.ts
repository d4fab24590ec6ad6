import type { V1EndpointSlice, V1Service } from "@kubernetes/client-node";
import * as pulumi from "@pulumi/pulumi";
import { type ApiServer, withApiServer } from "../../cluster/api/client.ts";
import { messageOf } from "../../cluster/api/errors.ts";
import { findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import type { Waiting } from "../../cluster/api/requests.ts";
import { allOf, oneOf } from "../../cluster/kinds/kinds.ts";
import { endpointsMatter, liveServices } from "../../cluster/read/services.ts";
import type { Member } from "../../config/member/member.ts";
import { routeHookName } from "../../config/names/logicalNames.ts";
import { namespaceName, routedPort, serviceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { type Readiness, serviceReadiness } from "../../plan/decisions/readiness.ts";

/** The run's first look may be long ago, and a path without a Service harms others. Undefined in a preview. */
export function routeCheck(members: readonly Member[], settings: Settings): pulumi.ResourceHook | undefined {
  if (pulumi.runtime.isDryRun()) {
    return undefined;
  }
  const named = new Map(members.map((member) => [member.name, member]));
  return new pulumi.ResourceHook(routeHookName, async ({ name }) => {
    const member = named.get(name.split("/")[0] ?? "");
    if (member?.route === undefined) {
      return;
    }
    const seen = await readinessNow([member], settings).catch((cause) => refuse(member, messageOf(cause)));
    const readiness = seen.get(member.name);
    if (readiness?.state === "pending") {
      refuse(member, `${readiness.reason}, though it was there when this run began`);
    }
  });
}

function refuse({ name }: Member, why: string): never {
  throw new Error(`member '${name}': ${why}: their route is not made; the next run looks again`);
}

/** Whatever the run's first look. @throws RunError without an answer: only a successful one may report a Service */
export async function readinessNow(
  members: readonly Member[],
  { cluster, route }: Pick<Settings, "cluster" | "route">,
  waiting: Partial<Waiting> = {},
): Promise<ReadonlyMap<string, Readiness>> {
  const look = async (api: ApiServer) => {
    const [only] = members.length === 1 ? members : [];
    const namespace = only && namespaceName(only);
    const asked = only && namespace ? oneOf("Service", serviceName(only), namespace) : allOf("Service");
    const found = await api.list<V1Service>(asked);
    const alone = liveServices(found);
    const services = endpointsMatter(members, alone)
      ? liveServices(found, await api.list<V1EndpointSlice>(allOf("EndpointSlice", namespace)))
      : alone;
    return new Map(
      members.map((member) => {
        const { requires = "service" } = member.route?.readiness ?? {};
        return [member.name, serviceReadiness(member, { port: routedPort(route), requires }, { services })] as const;
      }),
    );
  };
  return await withApiServer(findApiTarget(cluster.context), waiting, look, "overview");
}
