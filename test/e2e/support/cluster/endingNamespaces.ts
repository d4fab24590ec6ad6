import { setTimeout } from "node:timers/promises";
import { KubeConfig, type V1Namespace, Watch } from "@kubernetes/client-node";
import { type ApiClient, apiClient } from "./apiClient.ts";
import { discover, pathOf, type Resource } from "./discovery.ts";

/** The API server judges these requests as the namespace controller's: policies let it do more than others. */
const headers = {
  "content-type": "application/json",
  "impersonate-user": "system:serviceaccount:kube-system:namespace-controller",
};

/** Milliseconds until it looks again at what does not go at once, such as pods, or objects with a finalizer. */
export const pauses = { first: 50, longest: 500 };

/**
 * Empties namespaces that are being deleted without delay. The namespace controller waits five seconds for further API
 * servers, which are not there, and again for pods. This does the same in the same order, and what a finalizer holds is held.
 * If it fails, the controller does all the same.
 * @returns ends it
 * @see https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/controller/namespace/namespace_controller.go
 */
export function endNamespaces(kubeconfig: string): () => void {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const client = apiClient(kubeconfig);
  const over = new AbortController();
  const underWay = new Set<string>();
  let found: Promise<readonly Resource[]> | undefined;
  /** Kinds come and go with their definitions, and namespaces go many at a time. */
  const kinds = (): Promise<readonly Resource[]> => {
    void pause(pauses.longest).then(() => {
      found = undefined;
    });
    found ??= kindsInNamespaces(client);
    return found;
  };
  const see = (_: string, { metadata }: V1Namespace): void => {
    const name = metadata?.name;
    if (metadata?.deletionTimestamp === undefined || name === undefined || underWay.has(name)) {
      return;
    }
    underWay.add(name);
    const done = () => underWay.delete(name);
    kinds()
      .then((all) => endNamespace(client, name, all, over.signal))
      .then(done, done);
  };
  const follow = (): void => {
    if (over.signal.aborted) {
      return;
    }
    const again = () => void pause(pauses.longest).then(follow);
    const stopWith = (connection: AbortController) =>
      over.signal.addEventListener("abort", () => connection.abort(), { signal: connection.signal });
    // It begins with all that are there.
    new Watch(config).watch("/api/v1/namespaces", {}, see, again).then(stopWith, again);
  };
  follow();
  return () => over.abort();
}

const pause = (milliseconds: number) => setTimeout(milliseconds, undefined, { ref: false });

const kindsInNamespaces = async ({ read }: ApiClient): Promise<readonly Resource[]> =>
  (await discover(read)).filter(
    ({ isNamespaced, verbs }) => isNamespaced && verbs.includes("list") && verbs.includes("deletecollection"),
  );

async function endNamespace(
  client: ApiClient,
  name: string,
  kinds: readonly Resource[],
  signal: AbortSignal,
): Promise<void> {
  const pods = kinds.filter(({ root, resource }) => root === "/api/v1" && resource === "pods");
  const others = kinds.filter((kind) => !pods.includes(kind));
  const path = `/api/v1/namespaces/${name}`;
  for (let wait = pauses.first; !signal.aborted; wait = Math.min(2 * wait, pauses.longest)) {
    const { code, body } = await client.ask("GET", path);
    if (code !== 200) {
      return;
    }
    const namespace = JSON.parse(body) as V1Namespace;
    if (namespace.metadata?.deletionTimestamp === undefined) {
      return;
    }
    const isStillIt = async () => {
      const now = await client.ask("GET", path);
      return now.code === 200 && (JSON.parse(now.body) as V1Namespace).metadata?.uid === namespace.metadata?.uid;
    };
    const isEmptiedOf = (some: readonly Resource[]) => isEmptied(client, name, some, isStillIt);
    if ((await isEmptiedOf(pods)) && (await isEmptiedOf(others))) {
      const finalizers = (namespace.spec?.finalizers ?? []).filter((finalizer) => finalizer !== "kubernetes");
      const finalized = JSON.stringify({ ...namespace, spec: { finalizers } });
      await client.ask("PUT", `${path}/finalize`, { headers, body: finalized });
    }
    await pause(wait);
  }
}

/**
 * Deletes all objects of these kinds.
 * @param isStillIt whether it is the same namespace: the next suite may have made its own of that name
 * @returns whether there were none
 */
async function isEmptied(
  { ask }: ApiClient,
  namespace: string,
  kinds: readonly Resource[],
  isStillIt: () => Promise<boolean>,
): Promise<boolean> {
  const empty = await Promise.all(
    kinds.map(async (kind) => {
      const path = pathOf(kind, namespace);
      const { code, body } = await ask("GET", `${path}?limit=1`, { headers });
      // A kind of a definition that was removed meanwhile.
      if (code === 404) {
        return true;
      }
      const isEmpty = (JSON.parse(body) as { readonly items: readonly unknown[] }).items.length === 0;
      if (!isEmpty && (await isStillIt())) {
        await ask("DELETE", `${path}?propagationPolicy=Background`, { headers });
      }
      return isEmpty;
    }),
  );
  return empty.every(Boolean);
}
