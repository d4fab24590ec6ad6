/** The provider's settings: its configuration first, then the official plugin's environment variables, then defaults. */
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
  deleteUnreachable: boolean;
  skipUpdateUnreachable: boolean;
  client: ClientSettings;
  environment: NodeJS.ProcessEnv;
}

export interface ClientSettings {
  /** Requests a second. */
  qps: number;
  /** Requests that may go at once before `qps` holds. */
  burst: number;
  /** Seconds that one request may take; 0 is no limit. */
  timeout: number;
}

export function parseSettings(config: Record<string, string>, env: NodeJS.ProcessEnv): Settings {
  const text = (key: string): string => config[`kubernetes:config:${key}`] ?? "";
  const flag = (key: string, variable: string, otherwise = false): boolean => {
    const given = config[`kubernetes:config:${key}`] ?? env[`PULUMI_K8S_${variable}`];
    return given === undefined ? otherwise : given === "true";
  };
  if (text("renderYamlToDirectory")) throw new Error(unsupportedRendering);
  return {
    kubeconfig: text("kubeconfig"),
    context: text("context"),
    cluster: text("cluster"),
    namespace: text("namespace"),
    serverSideApply: flag("enableServerSideApply", "ENABLE_SERVER_SIDE_APPLY", true),
    patchForce: flag("enablePatchForce", "ENABLE_PATCH_FORCE"),
    configMapMutable: flag("enableConfigMapMutable", "ENABLE_CONFIGMAP_MUTABLE"),
    secretMutable: flag("enableSecretMutable", "ENABLE_SECRET_MUTABLE"),
    upsertExistingObjects: flag("upsertExistingObjects", "UPSERT_EXISTING_OBJECTS"),
    deleteUnreachable: flag("deleteUnreachable", "DELETE_UNREACHABLE"),
    skipUpdateUnreachable: flag("skipUpdateUnreachable", "SKIP_UPDATE_UNREACHABLE"),
    client: clientSettings(text("kubeClientSettings"), env),
    environment: env,
  };
}

const unsupportedRendering =
  "renderYamlToDirectory is not supported by the sandbox's stand-in for the Kubernetes plugin";

function clientSettings(json: string, env: NodeJS.ProcessEnv): ClientSettings {
  const given: unknown = json ? JSON.parse(json) : {};
  const value = (key: keyof ClientSettings, otherwise: number): number => {
    const variable = `PULUMI_K8S_CLIENT_${key.toUpperCase()}`;
    const chosen = Object(given)[key] ?? (env[variable] || otherwise);
    if (!Number.isFinite(Number(chosen))) throw new Error(`invalid value specified for ${variable}: ${chosen}`);
    return Number(chosen);
  };
  return { qps: value("qps", 50), burst: value("burst", 120), timeout: value("timeout", 0) };
}

export interface ConfigDiff {
  diffs: string[];
  replaces: string[];
}

/**
 * A provider that is replaced takes every object with it, so only another cluster is a reason: another
 * `clusterIdentifier` where there is one, else a kubeconfig whose current cluster differs.
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

/** Refuses what would silently do something else than the official plugin. */
export function checkSettings(news: Props): { property: string; reason: string }[] {
  if (!news.renderYamlToDirectory || isProps(news.renderYamlToDirectory)) return [];
  return [{ property: "renderYamlToDirectory", reason: unsupportedRendering }];
}
