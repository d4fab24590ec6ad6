/** Finds the cluster of the settings: from a kubeconfig's path or contents, or the ambient one. */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { parse } from "yaml";
import { containsUnknowns, type Props, plain, textAt } from "../../../../buckets/protocol/values.ts";
import { readKubeconfigs } from "../../../../cluster/api/kubeconfig/kubeconfig.ts";
import {
  type Kubeconfig,
  type KubeconfigEntry,
  mergeKubeconfigs,
  parseKubeconfig,
} from "../../../../cluster/api/kubeconfig/kubeconfigFile.ts";
import { isMap } from "../../../../config/values/maps.ts";

interface Connection {
  kubeconfig: string;
  context: string;
  cluster: string;
  /** Environment of the calling `pulumi`, with KUBECONFIG. */
  environment: NodeJS.ProcessEnv;
}

/** Keys as in a kubeconfig; paths are absolute. */
export interface Chosen {
  cluster: KubeconfigEntry;
  user: KubeconfigEntry;
  namespace: string;
}

export function loadKubeConfig({ kubeconfig, context, cluster, environment }: Connection): Chosen {
  const config = kubeconfig ? given(kubeconfig) : ambient(environment);
  const name = context || (config.currentContext ?? "");
  const current = config.contexts.get(name);
  if (!current) {
    throw new Error(`context ${JSON.stringify(name)} does not exist`);
  }
  const clusterName = cluster || text(current.cluster);
  const chosen = config.clusters.get(clusterName);
  if (!chosen) {
    throw new Error(`cluster ${JSON.stringify(clusterName)} does not exist`);
  }
  const user = config.users.get(text(current.user)) ?? {};
  return { cluster: chosen, user, namespace: text(current.namespace) || "default" };
}

/** Whether both sets of provider inputs lead to the same cluster; true if that is unknown. */
export function sameCluster(olds: Props, news: Props): boolean {
  if (["kubeconfig", "context", "cluster"].some((key) => containsUnknowns(news[key] ?? null))) {
    return false;
  }
  const [before, after] = [activeCluster(plain(olds)), activeCluster(plain(news))];
  return !before || !after || JSON.stringify(before) === JSON.stringify(after);
}

function activeCluster(inputs: Props): KubeconfigEntry | null {
  // Only the provider's own kubeconfig is compared: the ambient one is no input.
  const kubeconfig = textAt(inputs, "kubeconfig");
  if (!kubeconfig) {
    return null;
  }
  try {
    const [context, cluster] = [textAt(inputs, "context"), textAt(inputs, "cluster")];
    return loadKubeConfig({ kubeconfig, context, cluster, environment: {} }).cluster;
  } catch {
    return null;
  }
}

/** A missing file is skipped, as in kubectl. */
const ambient = (environment: NodeJS.ProcessEnv): Kubeconfig =>
  mergeKubeconfigs(readKubeconfigs(environment).map(({ config }) => config));

function given(pathOrContents: string): Kubeconfig {
  const path = pathOrContents.replace(/^~(?=$|\/)/, homedir());
  // Contents are longer than any path; existsSync returns false for them.
  if (existsSync(path)) {
    return fromFile(path);
  }
  if (!pathOrContents.includes(":")) {
    throw new Error(`${JSON.stringify(pathOrContents)} is neither a file nor a kubeconfig`);
  }
  return fromText(pathOrContents, process.cwd());
}

const fromFile = (path: string): Kubeconfig => fromText(readFileSync(path, "utf8"), dirname(path));

function fromText(contents: string, folder: string): Kubeconfig {
  const value: unknown = parse(contents);
  if (!isMap(value)) {
    throw new Error("it is no map of settings");
  }
  return parseKubeconfig(value, folder);
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
