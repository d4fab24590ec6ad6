import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Settings } from "../../config/model/settings.ts";
import { clusterDomainOf } from "../../naming/names.ts";

type Found = Pick<ClusterSnapshot, "domain">;

/** Why paths would lead nowhere: nothing is set, and the cluster has another domain than most. */
export function domainObstacle(settings: Settings, { domain }: Found): string[] {
  return settings.cluster.domain !== undefined || isAsFound(settings, domain)
    ? []
    : [
        `the cluster's DNS domain is '${domain}', as the API server's certificate has it, and every path would lead to ` +
          `'${clusterDomainOf(settings)}' and answer 502; set domain: ${domain} in kubecamp:cluster, or the one that is right`,
      ];
}

/** The same of one that is set: then that counts. */
export function domainWarning(settings: Settings, { domain }: Found): string | undefined {
  return settings.cluster.domain === undefined || isAsFound(settings, domain)
    ? undefined
    : `cluster.domain is '${settings.cluster.domain}', and the API server's certificate has '${domain}': if paths answer 502, ` +
        "look up what the cluster's pods have in /etc/resolv.conf";
}

/** A Gateway needs no name. */
const isAsFound = (settings: Settings, domain: string | undefined): boolean =>
  settings.route.kind !== "ingress" || domain === undefined || domain === clusterDomainOf(settings);
