import { isIP } from "node:net";
import { connect } from "node:tls";
import type { Settings } from "../../config/model/settings.ts";
import { clusterDomainOf } from "../../naming/names.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { proxyFor } from "../api/kubeconfig/proxy.ts";
import type { ClusterSnapshot } from "./snapshot.ts";

/** How long the API server's certificate is waited for, in milliseconds. */
const patience = 5_000;

/**
 * The DNS domain of the cluster, as far as the API server's own certificate tells: it is for the Service `kubernetes` too,
 * by its full name. Undefined where that is not there, as behind a load balancer with a certificate of its own, or where
 * the way leads through a proxy. It takes no rights, and nothing that is told is believed in further.
 * @see https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/
 */
export async function foundDomain({ cluster }: Pick<Settings, "cluster">): Promise<string | undefined> {
  try {
    const target = findApiTarget(cluster.context);
    const server = new URL(target.server);
    const isDirect = target.cluster["proxy-url"] === undefined && proxyFor(server, process.env) === undefined;
    return server.protocol === "https:" && isDirect ? domainIn(await namesOf(server)) : undefined;
  } catch {
    // Why there is no answer, the run's own reading tells.
    return undefined;
  }
}

/** The names that a server's certificate is for, as Node writes them. */
async function namesOf(server: URL): Promise<string | undefined> {
  const host = server.hostname.replace(/^\[|\]$/g, "");
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const socket = connect({
    host,
    port: Number(server.port || 443),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    // Nothing is sent, and the answer is only compared.
    rejectUnauthorized: false,
    timeout: patience,
  });
  socket.once("secureConnect", () => resolve(socket.getPeerCertificate().subjectaltname));
  socket.once("timeout", () => reject(new Error("no answer")));
  socket.once("error", reject);
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

/**
 * The domain in such names, as `DNS:kubernetes, DNS:kubernetes.default.svc.cluster.local, IP Address:10.96.0.1`. Of several,
 * as certificates have that only ever get more names, nobody can tell which is right.
 */
export function domainIn(names: string | undefined): string | undefined {
  const domains = new Set(
    names?.split(", ").flatMap((name) => /^DNS:kubernetes\.default\.svc\.(.+?)\.?$/.exec(name)?.[1] ?? []),
  );
  return domains.size === 1 ? [...domains][0] : undefined;
}

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
