import { once } from "node:events";
import { isIP } from "node:net";
import { connect } from "node:tls";
import type { Settings } from "../../config/settings.ts";
import { findApiTarget } from "./kubeconfig/kubeconfig.ts";
import { proxyFor } from "./kubeconfig/proxy.ts";

/** Longest wait for the API server's certificate, in milliseconds. */
const patience = 5_000;

/**
 * The cluster's DNS domain, from the API server's certificate, which also names the Service `kubernetes` in full.
 * Undefined without that name, as behind a load balancer with its own certificate, or if a proxy is in between. This
 * needs no rights, and nothing else trusts the answer.
 * @see https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/
 */
export async function foundDomain({ cluster }: Pick<Settings, "cluster">): Promise<string | undefined> {
  try {
    const target = findApiTarget(cluster.context);
    const server = new URL(target.server);
    const isDirect = target.cluster["proxy-url"] === undefined && proxyFor(server, process.env) === undefined;
    return server.protocol === "https:" && isDirect ? domainIn(await namesOf(server)) : undefined;
  } catch {
    // The run's own reads report why the server does not answer.
    return undefined;
  }
}

/** Names in a server's certificate, as Node writes them. */
async function namesOf(server: URL): Promise<string | undefined> {
  const host = server.hostname.replace(/^\[|\]$/g, "");
  const socket = connect({
    host,
    port: Number(server.port || 443),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    // Nothing is sent, and the answer is only compared.
    rejectUnauthorized: false,
  });
  socket.setTimeout(patience, () => socket.destroy(new Error("no answer")));
  try {
    await once(socket, "secureConnect");
    return socket.getPeerCertificate().subjectaltname;
  } finally {
    socket.destroy();
  }
}

/**
 * The domain in names such as `DNS:kubernetes, DNS:kubernetes.default.svc.cluster.local, IP Address:10.96.0.1`.
 * Undefined if there are several: some certificates only ever gain names, and any could be the right one.
 */
export function domainIn(names: string | undefined): string | undefined {
  const domains = new Set(
    names?.split(", ").flatMap((name) => /^DNS:kubernetes\.default\.svc\.(.+?)\.?$/.exec(name)?.[1] ?? []),
  );
  return domains.size === 1 ? [...domains][0] : undefined;
}
