import { readFileSync } from "node:fs";
import { getCACertificates } from "node:tls";
import type { DispatcherOptions } from "@kubernetes/client-node";
import { isMap } from "../../../config/values/maps.ts";
import { CredentialError, DeadlineError, messageOf } from "../errors.ts";
import { HttpMethod, KubeConfig, RequestContext } from "../kubernetesClient.ts";
import { innermost, networkRemedy } from "../networkErrors.ts";
import { forgetCredential, runPlugin, unlessAborted } from "./execPlugin.ts";
import type { ApiTarget } from "./kubeconfig.ts";
import type { KubeconfigEntry } from "./kubeconfigFile.ts";
import { proxyFor } from "./proxy.ts";

/** Time limit for a connection in milliseconds, as in client-go. */
const connectPatience = 30_000;

export interface SignedIn {
  equip(request: RequestContext): void;
  /** Has a command for credentials asked again by the next sign-in: the API server does not accept these. */
  forget(): void;
}

export async function signIn(target: ApiTarget, signal: AbortSignal): Promise<SignedIn> {
  const { exec } = target.user;
  const fromPlugin = isMap(exec) ? await runPlugin(exec, target, signal) : undefined;
  const config = kubeConfig(target.cluster, target.server, { ...credentials(target), ...fromPlugin });
  const sample = new RequestContext(target.server, HttpMethod.GET);
  await unlessAborted(config.applySecurityAuthentication(sample), signal).catch((cause) => {
    // Network errors have remedies of their own.
    throw cause instanceof DeadlineError || networkRemedy(cause) !== undefined
      ? cause
      : new CredentialError(innermost(cause), "Sign in again, see that kubectl works, then run again.");
  });
  // One for all requests, so that they share connections.
  const dispatcher = sample.getDispatcher();
  return {
    equip: (request) => {
      for (const [name, value] of Object.entries(sample.getHeaders())) {
        request.setHeaderParam(name, value);
      }
      if (dispatcher !== undefined) {
        request.setDispatcher(dispatcher);
      }
    },
    forget: () => fromPlugin && forgetCredential(fromPlugin),
  };
}

/** Token files and plugins are handled here: the client does it otherwise than client-go, and can't stop a plugin. */
function credentials(target: ApiTarget): KubeconfigEntry {
  const { exec, tokenFile, ...user } = target.user;
  return !isMap(exec) && typeof tokenFile === "string" && tokenFile !== ""
    ? { ...user, token: tokenIn(tokenFile) }
    : user;
}

function tokenIn(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (cause) {
    throw new CredentialError(
      `can't read the token: ${messageOf(cause)}.`,
      "Correct tokenFile in the kubeconfig, or sign in again, then run again.",
    );
  }
}

function kubeConfig(cluster: KubeconfigEntry, server: string, user: KubeconfigEntry): KubeConfig {
  const config = new PatientKubeConfig();
  const name = "chosen";
  const { "proxy-url": ownProxy = "" } = cluster;
  config.loadFromString(
    JSON.stringify({
      "current-context": name,
      contexts: [{ name, context: { cluster: name, user: name } }],
      clusters: [
        {
          name,
          cluster: {
            ...trusted(cluster),
            server,
            "proxy-url": ownProxy === "" ? proxyFor(new URL(server), process.env) : ownProxy,
            // The client requires this for http.
            "insecure-skip-tls-verify": cluster["insecure-skip-tls-verify"] === true || server.startsWith("http:"),
          },
        },
      ],
      users: [{ name, user: dataFirst(user, "client-certificate", "client-key") }],
    }),
  );
  return config;
}

/** A cluster without a CA needs a certificate that the machine trusts, by Go's rules. */
function trusted(cluster: KubeconfigEntry): KubeconfigEntry {
  const key = "certificate-authority";
  if (cluster[key] || cluster[`${key}-data`] || String(cluster.server).startsWith("http:")) {
    return dataFirst(cluster, key);
  }
  const known = [...getCACertificates("default"), ...getCACertificates("system")].join("\n");
  return { ...cluster, [`${key}-data`]: Buffer.from(known).toString("base64") };
}

/** For an entry with both a file and data, the client uses the file, and client-go the data. */
function dataFirst(entry: KubeconfigEntry, ...keys: readonly string[]): KubeconfigEntry {
  const doubled = keys.filter((key) => entry[`${key}-data`]);
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !doubled.includes(key)));
}

class PatientKubeConfig extends KubeConfig {
  override createDispatcherOptions(...args: Parameters<KubeConfig["createDispatcherOptions"]>): DispatcherOptions {
    const options = super.createDispatcherOptions(...args);
    const connect = { timeout: connectPatience, keepAlive: true, keepAliveInitialDelay: 30_000 };
    switch (options.type) {
      case "none":
        return { type: "agent", connect };
      case "socks":
        return options;
      default:
        return { ...options, connect: { ...options.connect, timeout: connectPatience } };
    }
  }
}
