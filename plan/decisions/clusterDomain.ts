import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Settings } from "../../config/model/settings.ts";
import { clusterDomainOf } from "../../naming/names.ts";
import type { Finding } from "../messages/finding.ts";
import { driverOf } from "../routes/drivers/drivers.ts";

type Found = Pick<ClusterSnapshot, "domain">;

/** Why paths would lead nowhere: nothing is set, and the cluster has another domain than most. */
export function domainObstacle(settings: Settings, { domain }: Found): Finding<"clusterDomain">[] {
  return settings.cluster.domain !== undefined || isAsFound(settings, domain)
    ? []
    : [{ code: "clusterDomain", facts: { found: domain, declared: clusterDomainOf(settings) } }];
}

/** The same of one that is set: then that counts. */
export function unlikelyDomain(settings: Settings, { domain }: Found): Finding<"domain">[] {
  return settings.cluster.domain === undefined || isAsFound(settings, domain)
    ? []
    : [{ code: "domain", facts: { declared: settings.cluster.domain, found: domain } }];
}

/** Only what stands beside a controller leads to the member's Service by its full name. */
const isAsFound = (settings: Settings, domain: string | undefined): boolean =>
  driverOf(settings).parts.every(({ purpose }) => purpose !== "backend") ||
  domain === undefined ||
  domain === clusterDomainOf(settings);
