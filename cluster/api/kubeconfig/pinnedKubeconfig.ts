import { utimes, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { withTemporaryFolder } from "../../temporaryFolder.ts";
import { kubeconfigPaths, pinName, readKubeconfigs } from "./kubeconfig.ts";
import { mergeKubeconfigs } from "./kubeconfigFile.ts";

const anHour = 3_600_000;

/**
 * Pins the current context and each context's cluster for this process and its `pulumi`: a `kubectl config use-context`
 * elsewhere then can't send half a run to another cluster. Users are not pinned: credentials are renewed in the files.
 * @throws RunError if the kubeconfig can't be read
 */
export async function withPinnedKubeconfig<T>(
  work: () => Promise<T>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<T> {
  const files = readKubeconfigs(env);
  if (files.length === 0) {
    // A pod knows only its own cluster.
    return await work();
  }
  const { currentContext, contexts, clusters } = mergeKubeconfigs(files.map(({ config }) => config));
  const before = env.KUBECONFIG;
  return await withTemporaryFolder("kubecamp-kubeconfig-", async (folder) => {
    const pin = join(folder, pinName);
    // A watch runs for months, and machines delete old temporary files.
    const touch = () => void utimes(pin, new Date(), new Date()).catch(() => undefined);
    const timer = setInterval(touch, anHour).unref();
    try {
      const content = {
        apiVersion: "v1",
        kind: "Config",
        ...(currentContext === undefined ? {} : { "current-context": currentContext }),
        contexts: [...contexts].map(([name, context]) => ({ name, context })),
        clusters: [...clusters].map(([name, cluster]) => ({ name, cluster })),
      };
      // A proxy's URL may contain a password.
      await writeFile(pin, JSON.stringify(content), { mode: 0o600 });
      // The first file with a value counts. Absolute paths, because Pulumi runs in the project's folder.
      env.KUBECONFIG = [pin, ...kubeconfigPaths(env).map((path) => resolve(path))].join(delimiter);
      return await work();
    } finally {
      clearInterval(timer);
      if (before === undefined) {
        delete env.KUBECONFIG;
      } else {
        env.KUBECONFIG = before;
      }
    }
  });
}
