/** The provider's settings: its configuration, or defaults. */
import type { Props } from "../../../buckets/protocol/values.ts";

export interface Settings {
  kubeconfig: string;
  context: string;
  cluster: string;
  namespace: string;
  serverSideApply: boolean;
  patchForce: boolean;
  configMapMutable: boolean;
  secretMutable: boolean;
  upsertExistingObjects: boolean;
  /** Limit of one request, of `kubeClientSettings`; 0 for none. The stand-in never slows requests down, as `qps` and `burst` do. */
  requestSeconds: number;
  environment: NodeJS.ProcessEnv;
}

export function parseSettings(config: Record<string, string>, environment: NodeJS.ProcessEnv): Settings {
  const text = (key: string): string => config[`kubernetes:config:${key}`] ?? "";
  const flag = (key: string, otherwise = false): boolean => (text(key) ? text(key) === "true" : otherwise);
  if (text("renderYamlToDirectory")) {
    throw new Error("renderYamlToDirectory is not supported by the sandbox's stand-in for the Kubernetes plugin");
  }
  const client: { timeout?: number } = JSON.parse(text("kubeClientSettings") || "{}");
  return {
    kubeconfig: text("kubeconfig"),
    context: text("context"),
    cluster: text("cluster"),
    namespace: text("namespace"),
    serverSideApply: flag("enableServerSideApply", true),
    patchForce: flag("enablePatchForce"),
    configMapMutable: flag("enableConfigMapMutable"),
    secretMutable: flag("enableSecretMutable"),
    upsertExistingObjects: flag("upsertExistingObjects"),
    requestSeconds: client.timeout ?? 0,
    environment,
  };
}

interface ConfigDiff {
  diffs: string[];
  replaces: string[];
}

/**
 * Changed settings. Replacing the provider replaces every object, so that only another cluster is a reason: another
 * `clusterIdentifier`, or without one a kubeconfig with a different current cluster.
 */
export function diffSettings(olds: Props, news: Props, sameCluster: (olds: Props, news: Props) => boolean): ConfigDiff {
  const keys = [...new Set([...Object.keys(olds), ...Object.keys(news)])].sort();
  const diffs = keys.filter((key) => JSON.stringify(olds[key]) !== JSON.stringify(news[key]));
  const key = "clusterIdentifier";
  if (diffs.includes(key) && olds[key] !== undefined && news[key] !== undefined) {
    return { diffs, replaces: [key] };
  }
  if (news[key] !== undefined && !diffs.includes(key)) {
    return { diffs, replaces: [] };
  }
  const connection = ["kubeconfig", "context", "cluster"].filter((name) => diffs.includes(name));
  return { diffs, replaces: connection.length === 0 || sameCluster(olds, news) ? [] : connection };
}
