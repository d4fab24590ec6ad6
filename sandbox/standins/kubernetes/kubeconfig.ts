/** Finds the cluster that the settings mean: a kubeconfig's path or its contents, or the ambient one. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { type Cluster, KubeConfig } from "@kubernetes/client-node";
import { containsUnknowns, type Props, plain, textAt } from "./values.ts";

export interface Connection {
  kubeconfig: string;
  context: string;
  cluster: string;
}

export function loadKubeConfig({ kubeconfig, context, cluster }: Connection): KubeConfig {
  const config = new KubeConfig();
  if (kubeconfig) load(config, kubeconfig);
  else config.loadFromDefault();
  if (context) config.setCurrentContext(context);
  const current = config.getContextObject(config.getCurrentContext());
  if (!current) throw new Error(`context ${JSON.stringify(config.getCurrentContext())} does not exist`);
  if (cluster) config.contexts = config.contexts.map((each) => (each === current ? { ...each, cluster } : each));
  if (!config.getCurrentCluster())
    throw new Error(`cluster ${JSON.stringify(cluster || current.cluster)} does not exist`);
  return config;
}

export function namespaceIn(config: KubeConfig): string {
  return config.getContextObject(config.getCurrentContext())?.namespace ?? "default";
}

/** Whether both sets of provider inputs lead to the same cluster. What can't be told, counts as the same. */
export function sameCluster(olds: Props, news: Props): boolean {
  if (["kubeconfig", "context", "cluster"].some((key) => containsUnknowns(news[key] ?? null))) return false;
  const [before, after] = [activeCluster(plain(olds)), activeCluster(plain(news))];
  return !before || !after || JSON.stringify(before) === JSON.stringify(after);
}

function activeCluster(inputs: Props): Cluster | null {
  // Only the provider's own kubeconfig is compared: the ambient one is not among its inputs.
  const kubeconfig = textAt(inputs, "kubeconfig");
  if (!kubeconfig) return null;
  try {
    const connection = { kubeconfig, context: textAt(inputs, "context"), cluster: textAt(inputs, "cluster") };
    return loadKubeConfig(connection).getCurrentCluster();
  } catch {
    return null;
  }
}

function load(config: KubeConfig, pathOrContents: string): void {
  const path = pathOrContents.replace(/^~(?=$|\/)/, homedir());
  // Contents are longer than any path may be; existsSync answers false for them.
  if (existsSync(path)) config.loadFromFile(path);
  else config.loadFromString(readableText(pathOrContents));
}

function readableText(contents: string): string {
  if (!contents.includes(":")) throw new Error(`${JSON.stringify(contents)} is neither a file nor a kubeconfig`);
  return contents;
}
