import { isAbsolute, join, resolve, sep } from "node:path";
import { isMap } from "../../../config/values/maps.ts";

export type KubeconfigEntry = Readonly<Record<string, unknown>>;

export interface Kubeconfig {
  readonly currentContext: string | undefined;
  readonly contexts: ReadonlyMap<string, KubeconfigEntry>;
  readonly clusters: ReadonlyMap<string, KubeconfigEntry>;
  readonly users: ReadonlyMap<string, KubeconfigEntry>;
}

const clusterPaths = ["certificate-authority"];
const userPaths = ["client-certificate", "client-key", "tokenFile"];

/** Relative paths start from the file's folder. @throws Error if it is no kubeconfig */
export function parseKubeconfig(content: KubeconfigEntry, folder: string): Kubeconfig {
  const current = content["current-context"];
  return {
    currentContext: typeof current === "string" && current !== "" ? current : undefined,
    contexts: entries(content.contexts, "contexts", "context"),
    clusters: entries(content.clusters, "clusters", "cluster", (entry) => located(entry, clusterPaths, folder)),
    users: entries(content.users, "users", "user", (entry) => locatedUser(entry, folder)),
  };
}

/** The first file with a current context, or with an entry of a name, counts; entries are never merged. */
export function mergeKubeconfigs(files: readonly Kubeconfig[]): Kubeconfig {
  const lastToFirst = files.toReversed();
  return {
    currentContext: files.find(({ currentContext }) => currentContext !== undefined)?.currentContext,
    contexts: new Map(lastToFirst.flatMap(({ contexts }) => [...contexts])),
    clusters: new Map(lastToFirst.flatMap(({ clusters }) => [...clusters])),
    users: new Map(lastToFirst.flatMap(({ users }) => [...users])),
  };
}

function entries(
  list: unknown,
  where: string,
  key: string,
  finish: (entry: KubeconfigEntry) => KubeconfigEntry = (entry) => entry,
): Map<string, KubeconfigEntry> {
  if (list === undefined || list === null) {
    return new Map();
  }
  if (!Array.isArray(list)) {
    throw new Error(`${where} is no list`);
  }
  return new Map(
    list.map((item: unknown, index) => {
      if (!isMap(item) || typeof item.name !== "string") {
        throw new Error(`${where}[${index}] has no name`);
      }
      const entry = item[key] ?? {};
      if (!isMap(entry)) {
        throw new Error(`${where}[${index}].${key} is no map of settings`);
      }
      return [item.name, finish(entry)] as const;
    }),
  );
}

function located(entry: KubeconfigEntry, keys: readonly string[], folder: string): KubeconfigEntry {
  const paths = Object.entries(entry).filter(([key, value]) => keys.includes(key) && value !== "");
  return { ...entry, ...Object.fromEntries(paths.map(([key, value]) => [key, absolute(value, folder)])) };
}

function locatedUser(entry: KubeconfigEntry, folder: string): KubeconfigEntry {
  const user = located(entry, userPaths, folder);
  const { exec } = user;
  // A bare name is looked up in PATH.
  return isMap(exec) && typeof exec.command === "string" && exec.command.includes(sep)
    ? { ...user, exec: { ...exec, command: absolute(exec.command, folder) } }
    : user;
}

function absolute(path: unknown, folder: string): unknown {
  return typeof path !== "string" || isAbsolute(path) ? path : resolve(join(folder, path));
}
