import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { kubeconfigPaths, pinName, readKubeconfigs } from "./kubeconfig.ts";
import { mergeKubeconfigs } from "./kubeconfigFile.ts";

const anHour = 3_600_000;

/**
 * Has this process, and every `pulumi` that it starts meanwhile, see the kubeconfig as it is now: which context is
 * current, and which cluster each context is for. So `kubectl config use-context` in another terminal does not lead half
 * of a run to another cluster. Users are left out: credentials are renewed in the files themselves.
 * @throws RunError when the kubeconfig can't be read
 */
export async function withPinnedKubeconfig<T>(
  work: () => Promise<T>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<T> {
  const files = readKubeconfigs(env);
  if (files.length === 0) {
    // A pod knows its own cluster only.
    return await work();
  }
  const { currentContext, contexts, clusters } = mergeKubeconfigs(files.map(({ config }) => config));
  const before = env.KUBECONFIG;
  const folder = await mkdtemp(join(tmpdir(), "kubecamp-kubeconfig-"));
  const pin = join(folder, pinName);
  // A watch goes on for months, and machines clear their temporary folders of what is old.
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
    // A proxy's address may have a password in it.
    await writeFile(pin, JSON.stringify(content), { mode: 0o600 });
    // The first file that says something counts. Pulumi runs in the project's folder.
    env.KUBECONFIG = [pin, ...kubeconfigPaths(env).map((path) => resolve(path))].join(delimiter);
    return await work();
  } finally {
    clearInterval(timer);
    if (before === undefined) {
      delete env.KUBECONFIG;
    } else {
      env.KUBECONFIG = before;
    }
    await rm(folder, { recursive: true, force: true });
  }
}
