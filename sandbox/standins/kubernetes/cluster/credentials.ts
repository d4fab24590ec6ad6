/** Connection settings from a kubeconfig's cluster and user. */
import { readFileSync } from "node:fs";
import type { AgentOptions } from "node:https";
import { runPlugin } from "../../../../cluster/api/kubeconfig/execPlugin.ts";
import type { KubeconfigEntry } from "../../../../cluster/api/kubeconfig/kubeconfigFile.ts";
import { isMap } from "../../../../config/values/maps.ts";
import type { Chosen } from "./kubeconfig.ts";

export interface Credentials {
  server: string;
  tls: AgentOptions;
  headers: Record<string, string>;
}

/** @param environment environment of the kubeconfig's credential commands */
export async function credentialsOf(
  { cluster, user }: Chosen,
  signal: AbortSignal,
  environment: NodeJS.ProcessEnv,
): Promise<Credentials> {
  const server = String(cluster.server ?? "").replace(/\/$/, "");
  const { exec, ...rest } = user;
  const signedIn = isMap(exec)
    ? { ...rest, ...(await runPlugin(exec, { source: "", server, cluster, user }, signal, environment)) }
    : rest;
  const token = tokenOf(signedIn);
  return {
    server,
    tls: {
      ...defined("ca", content(cluster, "certificate-authority")),
      ...defined("cert", content(signedIn, "client-certificate")),
      ...defined("key", content(signedIn, "client-key")),
      ...defined("servername", cluster["tls-server-name"]),
      rejectUnauthorized: cluster["insecure-skip-tls-verify"] !== true,
    },
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  };
}

function tokenOf({ token, tokenFile }: KubeconfigEntry): unknown {
  return token ?? (typeof tokenFile === "string" ? readFileSync(tokenFile, "utf8").trim() : undefined);
}

/** A certificate or key, given as data or as a path. */
function content(entry: KubeconfigEntry, key: string): Buffer | undefined {
  const { [key]: path, [`${key}-data`]: data } = entry;
  if (data) {
    return Buffer.from(String(data), "base64");
  }
  return path ? readFileSync(String(path)) : undefined;
}

const defined = (key: string, value: unknown): AgentOptions => (value === undefined ? {} : { [key]: value });
