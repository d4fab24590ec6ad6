import { KubeConfig, Watch } from "@kubernetes/client-node";
import type { TestStack } from "./stack.ts";

const paths = [
  "/api/v1/namespaces",
  "/api/v1/services",
  "/apis/networking.k8s.io/v1/ingresses",
  "/apis/rbac.authorization.k8s.io/v1/rolebindings",
  "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
];

const lingering = ["Namespace", "Ingress"];

/** An event of a watch. */
interface WatchEvent {
  readonly type: string;
  readonly object: {
    readonly kind: string;
    readonly metadata: {
      readonly name: string;
      readonly namespace?: string;
      readonly resourceVersion: string;
      readonly deletionTimestamp?: string;
    };
    readonly [key: string]: unknown;
  };
}

/**
 * Changes on the API server while something ran, such as `ADDED ClusterRoleBinding x`, in the order of etcd's revisions,
 * which all kinds share. A Namespace or Ingress whose deletion has begun is `TERMINATING`.
 * @param matching selects objects by name
 */
export async function historyOf(
  stack: TestStack,
  matching: (name: string) => boolean,
  action: () => Promise<unknown>,
): Promise<string[]> {
  return (await eventsOf(stack, matching, action)).flatMap(({ type, object }) => {
    const { name, namespace, deletionTimestamp } = object.metadata;
    const leaving = type === "MODIFIED" && deletionTimestamp !== undefined;
    // Objects of most kinds stay until the garbage collector has looked for dependents, which has no meaning here; an
    // Ingress that stays still routes.
    if (leaving && !lingering.includes(object.kind)) {
      return [];
    }
    const place = namespace === undefined ? name : `${namespace}/${name}`;
    return [`${leaving ? "TERMINATING" : type} ${object.kind} ${place}`];
  });
}

/** Same as `historyOf`, but with each event's object. */
export async function eventsOf(
  stack: TestStack,
  matching: (name: string) => boolean,
  action: () => Promise<unknown>,
): Promise<WatchEvent[]> {
  const from = await revisionNow(stack, "/api/v1/namespaces");
  await action();
  const config = new KubeConfig();
  config.loadFromFile(stack.sandbox.kubeconfig);
  const streams = await Promise.all(
    paths.map(async (path) => eventsUpTo(config, path, from, await revisionNow(stack, path))),
  );
  return streams
    .flat()
    .filter(({ object }) => matching(object.metadata.name))
    .sort((a, b) => Number(a.object.metadata.resourceVersion) - Number(b.object.metadata.resourceVersion));
}

async function revisionNow({ sandbox }: TestStack, path: string): Promise<string> {
  return (JSON.parse(await sandbox.read(`${path}?limit=1`)) as { metadata: { resourceVersion: string } }).metadata
    .resourceVersion;
}

/** A kind's events after a revision, at least up to another: however busy the API server is, none is missing. */
async function eventsUpTo(config: KubeConfig, path: string, from: string, to: string): Promise<WatchEvent[]> {
  const events: WatchEvent[] = [];
  let last = from;
  while (Number(last) < Number(to)) {
    // Two seconds before a watch's end, the API server tells how far it has got.
    const query = { resourceVersion: last, allowWatchBookmarks: true, timeoutSeconds: 3 };
    await new Promise<void>((resolve, reject) => {
      const see = (type: string, object: WatchEvent["object"]) => {
        if (type === "ERROR") {
          return reject(new Error(JSON.stringify(object)));
        }
        last = object.metadata.resourceVersion;
        if (type !== "BOOKMARK") {
          events.push({ type, object });
        } else if (Number(last) >= Number(to)) {
          watching.then((connection) => connection.abort(), reject);
        }
      };
      const watching = new Watch(config).watch(path, query, see, (error) =>
        error === null || Number(last) >= Number(to) ? resolve() : reject(error),
      );
    });
  }
  return events;
}
