import { existsSync, readFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import { homedir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { parse } from "yaml";
import { isMap } from "../../../config/values/maps.ts";
import { RunError } from "../../../config/values/runError.ts";
import { messageOf } from "../errors.ts";
import { type Kubeconfig, type KubeconfigEntry, mergeKubeconfigs, parseKubeconfig } from "./kubeconfigFile.ts";

/** A cluster and a user: from a context of a kubeconfig, or from a pod's own cluster. */
export interface ApiTarget {
  readonly source: string;
  readonly server: string;
  /** Keys as in a kubeconfig; paths are absolute. */
  readonly cluster: KubeconfigEntry;
  readonly user: KubeconfigEntry;
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly serviceAccount: string;
}

const surroundings: Surroundings = {
  env: process.env,
  serviceAccount: "/var/run/secrets/kubernetes.io/serviceaccount",
};

/**
 * Finds the cluster as client-go does, so that reads and writes go to the same one as kubectl's and Pulumi's plugin's.
 * @throws RunError naming the kubeconfig and the remedy
 * @see https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/
 */
export function findApiTarget(
  context: string | undefined,
  { env, serviceAccount } = surroundings,
  setting = "cluster.context",
): ApiTarget {
  const files = readKubeconfigs(env);
  const source = files.flatMap(({ path }) => (basename(path) === pinName ? [] : [path])).join(", ");
  const config = mergeKubeconfigs(files.map((file) => file.config));
  const name = context ?? config.currentContext;
  if (name !== undefined) {
    return chooseContext(config, name, { source, setting, isSetting: context !== undefined });
  }
  const pod = podTarget({ env, serviceAccount });
  if (pod !== undefined) {
    return pod;
  }
  throw files.length === 0
    ? new RunError(
        `There is no kubeconfig at ${kubeconfigPaths(env).join(", ") || "KUBECONFIG, which names no file"}.`,
        {
          remedy: "Point KUBECONFIG at a kubeconfig of the cluster, then run again.",
        },
      )
    : new RunError(`The kubeconfig ${source} has no current context, and none is named (${setting}).`, {
        remedy: `Set ${setting}, or run: kubectl config use-context NAME (the kubeconfig has ${named(config.contexts)}).`,
      });
}

function chooseContext(
  { contexts, clusters, users }: Kubeconfig,
  name: string,
  { source, setting, isSetting }: { source: string; setting: string; isSetting: boolean },
): ApiTarget {
  const file = `of the kubeconfig ${source}`;
  const wrong = (what: string) =>
    new RunError(`${what}.`, {
      remedy: `Correct the kubeconfig, or choose another context: ${setting}, or kubectl config use-context NAME.`,
    });
  const context = contexts.get(name);
  if (context === undefined) {
    throw isSetting
      ? new RunError(`${setting}: '${name}' is no context of the kubeconfig (it has ${named(contexts)}).`, {
          remedy: "Name another there, or point KUBECONFIG at the kubeconfig that has it.",
        })
      : wrong(`The current context '${name}' is no context ${file} (it has ${named(contexts)})`);
  }
  const clusterName = String(context.cluster ?? "");
  const cluster = clusters.get(clusterName);
  if (cluster === undefined) {
    throw wrong(
      `Context '${name}' ${file} is for cluster '${clusterName}', which is not there (it has ${named(clusters)})`,
    );
  }
  const { server } = cluster;
  if (typeof server !== "string" || !/^https?:$/.test(URL.parse(server)?.protocol ?? "")) {
    const what = `Cluster '${clusterName}' ${file} has no server with a URL such as https://host:6443`;
    throw wrong(`${what} (it has ${JSON.stringify(server)})`);
  }
  // A context without a user is anonymous.
  const userName = String(context.user ?? "");
  const user = userName === "" ? {} : users.get(userName);
  if (user === undefined) {
    throw wrong(`Context '${name}' ${file} is for user '${userName}', who is not there (it has ${named(users)})`);
  }
  return { source: `the kubeconfig ${source}`, server: server.replace(/\/+$/, ""), cluster, user };
}

export function kubeconfigPaths(env: Surroundings["env"]): string[] {
  const { KUBECONFIG, HOME } = env;
  return KUBECONFIG === undefined || KUBECONFIG === ""
    ? [join(HOME || homedir(), ".kube", "config")]
    : KUBECONFIG.split(delimiter).filter((path) => path !== "");
}

/** First file while a kubeconfig is pinned; messages leave it out, because people know only their own files. */
export const pinName = "kubecamp-pinned-contexts";

export function readKubeconfigs(env: Surroundings["env"]): { readonly path: string; readonly config: Kubeconfig }[] {
  return kubeconfigPaths(env).flatMap((path) => {
    const text = textOf(path);
    return text === undefined ? [] : [{ path, config: parsed(text, path) }];
  });
}

/** A missing file is skipped: KUBECONFIG may list files that only some machines have. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    // Without the pin, the context may now mean another cluster.
    if (isMissing && basename(path) !== pinName) {
      return undefined;
    }
    throw unreadable(path, cause);
  }
}

function parsed(text: string, path: string): Kubeconfig {
  try {
    const content: unknown = text.trim() === "" ? {} : parse(text);
    if (!isMap(content)) {
      throw new Error("its content is no map of settings");
    }
    return parseKubeconfig(content, dirname(path));
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function unreadable(path: string, cause: unknown): RunError {
  return new RunError(`Can't read the kubeconfig ${path}`, {
    why: messageOf(cause),
    remedy: "Correct it, or point KUBECONFIG at a kubeconfig of the cluster, then run again.",
  });
}

/** A pod needs no kubeconfig: its cluster provides address and credentials. */
function podTarget({ env, serviceAccount }: Surroundings): ApiTarget | undefined {
  const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "" } = env;
  const token = join(serviceAccount, "token");
  if (host === "" || port === "" || !existsSync(token)) {
    return undefined;
  }
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const cluster = { server, "certificate-authority": join(serviceAccount, "ca.crt") };
  return { source: `the pod's folder ${serviceAccount}`, server, cluster, user: { tokenFile: token } };
}

function named(entries: ReadonlyMap<string, unknown>): string {
  return [...entries.keys()].join(", ") || "none";
}
