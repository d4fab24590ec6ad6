import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { clusterDomainOf } from "../../config/names/names.ts";
import { isBeside, serversOf } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import type { Finding } from "../words/finding.ts";

type Found = Pick<ClusterSnapshot, "domain">;

/** Refuses a run whose paths would lead nowhere: no domain is set, and the cluster's is not the default. */
export function domainObstacle(settings: Settings, { domain }: Found): Finding<"clusterDomain">[] {
  return settings.cluster.domain !== undefined || isAsFound(settings, domain)
    ? []
    : [{ code: "clusterDomain", facts: { found: domain, declared: clusterDomainOf(settings) } }];
}

/** Warns of a domain that is set and differs from the cluster's: the setting counts. */
export function unlikelyDomain(settings: Settings, { domain }: Found): Finding<"domain">[] {
  return settings.cluster.domain === undefined || isAsFound(settings, domain)
    ? []
    : [{ code: "domain", facts: { declared: settings.cluster.domain, found: domain } }];
}

/** The domain matters only to a Service beside the controller, which names the member's by its full DNS name. */
const isAsFound = (settings: Settings, domain: string | undefined): boolean =>
  !serversOf(settings).some(({ route }) => isBeside(route)) ||
  domain === undefined ||
  domain === clusterDomainOf(settings);
