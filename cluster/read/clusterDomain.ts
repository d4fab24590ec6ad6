import { isIP } from "node:net";
import { connect } from "node:tls";
import type { Settings } from "../../config/model/settings.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { proxyFor } from "../api/kubeconfig/proxy.ts";

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
