import type { V1EndpointSlice, V1Service } from "@kubernetes/client-node";
import * as pulumi from "@pulumi/pulumi";
import { type ApiServer, withApiServer } from "../../cluster/api/client.ts";
import { findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { messageOf } from "../../cluster/api/message.ts";
import { allOf, oneOf } from "../../cluster/kinds/kinds.ts";
import { endpointsMatter, liveServices } from "../../cluster/read/services.ts";
import type { Member } from "../../config/model/members/member.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { routeHookName } from "../../naming/logicalNames.ts";
import { namespaceName, routedPort, serviceName } from "../../naming/names.ts";
import { type Readiness, serviceReadiness } from "../../plan/decisions/readiness.ts";

/**
 * Hook that checks a member's Service right before Pulumi makes the object that opens their path. The run's first look
 * may be long ago, and a path without a Service harms others.
 * @returns undefined in a preview, which makes nothing
 * @see https://www.pulumi.com/docs/iac/concepts/resources/options/hooks/
 */
export function routeCheck(members: readonly Member[], settings: Settings): pulumi.ResourceHook | undefined {
  if (pulumi.runtime.isDryRun()) {
    return undefined;
  }
  const look = new SecondLook(settings);
  const named = new Map(members.map((member) => [member.name, member]));
  return new pulumi.ResourceHook(routeHookName, async ({ name }) => {
    const member = named.get(name.split("/")[0] ?? "");
    const readiness = member && (await look.at(member).catch((cause) => refuse(member, messageOf(cause))));
    if (member !== undefined && readiness?.state === "pending") {
      refuse(member, `${readiness.reason}, though it was there when this run began`);
    }
  });
}

function refuse({ name }: Member, why: string): never {
  throw new Error(`member '${name}': ${why}: their route is not made; the next run looks again`);
}

interface Asked {
  readonly member: Member;
  readonly resolve: (readiness: Readiness) => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * Checks whether members' Services are fit now, regardless of the run's first look. Requests that come during a look
 * share the next one. So each look begins after its requests, and many requests need one login.
 */
export class SecondLook {
  readonly #settings: Pick<Settings, "cluster" | "route">;
  #asked: Asked[] = [];
  #isLooking = false;

  constructor(settings: Pick<Settings, "cluster" | "route">) {
    this.#settings = settings;
  }

  /** @throws RunError when the API server does not answer: only a successful answer may report a Service */
  async at(member: Member): Promise<Readiness> {
    const { promise, resolve, reject } = Promise.withResolvers<Readiness>();
    this.#asked.push({ member, resolve, reject });
    if (!this.#isLooking) {
      this.#isLooking = true;
      void this.#look();
    }
    return await promise;
  }

  async #look(): Promise<void> {
    while (this.#asked.length > 0) {
      const asked = this.#asked;
      this.#asked = [];
      try {
        const target = findApiTarget(this.#settings.cluster.context);
        const look = async (api: ApiServer) => {
          await Promise.all(asked.map(async ({ member, resolve }) => resolve(await this.#readiness(member, api))));
        };
        await withApiServer(target, {}, look, "overview");
      } catch (cause) {
        for (const { reject } of asked) {
          reject(cause);
        }
      }
    }
    this.#isLooking = false;
  }

  async #readiness(member: Member, api: Pick<ApiServer, "list">): Promise<Readiness> {
    if (member.route === undefined) {
      return { state: "ready" };
    }
    const namespace = namespaceName(member);
    const found = await api.list<V1Service>(oneOf("Service", serviceName(member), namespace));
    const alone = liveServices(found);
    const services = endpointsMatter([member], alone)
      ? liveServices(found, await api.list<V1EndpointSlice>(allOf("EndpointSlice", namespace)))
      : alone;
    const { requires } = member.route.readiness;
    return serviceReadiness(member, { port: routedPort(this.#settings.route), requires }, { services });
  }
}
