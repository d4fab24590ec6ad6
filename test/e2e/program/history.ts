import { setTimeout } from "node:timers/promises";
import { KubeConfig, type KubernetesObject, Watch } from "@kubernetes/client-node";
import type { TestSandbox } from "../support/sandbox.ts";

const paths = [
  "/api/v1/namespaces",
  "/api/v1/services",
  "/apis/networking.k8s.io/v1/ingresses",
  "/apis/rbac.authorization.k8s.io/v1/rolebindings",
  "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
];

const lingering = ["Namespace", "Ingress"];

/**
 * What happened on the API server while something ran, as `ADDED ClusterRoleBinding x`, in the order of etcd's
 * revisions, which is one order for all kinds. A Namespace or Ingress whose deletion has begun is `TERMINATING`.
 * @param matching which objects are of interest, by name
 */
export async function historyOf(
  sandbox: TestSandbox,
  matching: (name: string) => boolean,
  action: () => Promise<unknown>,
): Promise<string[]> {
  const config = new KubeConfig();
  config.loadFromFile(sandbox.kubeconfig);
  const seen: { revision: number; line: string }[] = [];
  const watch = new Watch(config);
  const note = (phase: string, object: KubernetesObject) => {
    const { name = "", namespace, resourceVersion, deletionTimestamp } = object.metadata ?? {};
    const leaving = phase === "MODIFIED" && deletionTimestamp !== undefined;
    // Most kinds linger until the garbage collector has looked for what depends on them, which means nothing here; an
    // Ingress that lingers still routes.
    if (matching(name) && (!leaving || lingering.includes(object.kind ?? ""))) {
      const what = leaving ? "TERMINATING" : phase;
      const place = namespace === undefined ? name : `${namespace}/${name}`;
      seen.push({ revision: Number(resourceVersion), line: `${what} ${object.kind} ${place}` });
    }
  };
  const streams = await Promise.all(paths.map((path) => watch.watch(path, {}, note, () => {})));
  // The watches begin with what is there; that is not history.
  await setTimeout(500);
  seen.length = 0;
  try {
    await action();
    await setTimeout(500);
  } finally {
    for (const stream of streams) {
      stream.abort();
    }
  }
  return seen.sort((a, b) => a.revision - b.revision).map(({ line }) => line);
}
