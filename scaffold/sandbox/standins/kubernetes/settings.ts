/** The provider's settings: its configuration, or defaults. */
import { isProps, type Props } from "../../../../buckets/protocol/values.ts";

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
  client: ClientSettings;
  environment: NodeJS.ProcessEnv;
}

export interface ClientSettings {
  /** Requests a second. */
  qps: number;
  /** Requests at once, before `qps` applies. */
  burst: number;
  /** Seconds for one request; 0 for no limit. */
  timeout: number;
}

export function parseSettings(config: Record<string, string>, environment: NodeJS.ProcessEnv): Settings {
  const text = (key: string): string => config[`kubernetes:config:${key}`] ?? "";
  const flag = (key: string, otherwise = false): boolean => (text(key) ? text(key) === "true" : otherwise);
  if (text("renderYamlToDirectory")) throw new Error(unsupportedRendering);
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
    client: clientSettings(text("kubeClientSettings")),
    environment,
  };
}

const unsupportedRendering =
  "renderYamlToDirectory is not supported by the sandbox's stand-in for the Kubernetes plugin";

function clientSettings(json: string): ClientSettings {
  return { qps: 50, burst: 120, timeout: 0, ...(json ? JSON.parse(json) : {}) };
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
  if (diffs.includes(key) && olds[key] !== undefined && news[key] !== undefined) return { diffs, replaces: [key] };
  if (news[key] !== undefined && !diffs.includes(key)) return { diffs, replaces: [] };
  const connection = ["kubeconfig", "context", "cluster"].filter((name) => diffs.includes(name));
  return { diffs, replaces: connection.length === 0 || sameCluster(olds, news) ? [] : connection };
}

/** Refuses settings that would silently behave differently from the official plugin. */
export function checkSettings(news: Props): { property: string; reason: string }[] {
  if (!news.renderYamlToDirectory || isProps(news.renderYamlToDirectory)) return [];
  return [{ property: "renderYamlToDirectory", reason: unsupportedRendering }];
}
