import { once } from "node:events";
import { isIP } from "node:net";
import { connect } from "node:tls";
import type { Settings } from "../../config/settings.ts";
import { findApiTarget } from "./kubeconfig/kubeconfig.ts";
import { proxyFor } from "./kubeconfig/proxy.ts";

/** Longest wait for the API server's certificate, in milliseconds. */
const patience = 5_000;

/** From the API server's certificate, which names the Service `kubernetes`; undefined without it, or via a proxy. */
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

/** Undefined if there are several: some certificates only ever gain names, and any could be the right one. */
export function domainIn(names: string | undefined): string | undefined {
  const domains = new Set(
    names?.split(", ").flatMap((name) => /^DNS:kubernetes\.default\.svc\.(.+?)\.?$/.exec(name)?.[1] ?? []),
  );
  return domains.size === 1 ? [...domains][0] : undefined;
}
