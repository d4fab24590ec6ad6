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
  const { read } = stack.sandbox;
  const { metadata } = JSON.parse(await read(`${paths[0]}?limit=1`)) as { metadata: { resourceVersion: string } };
  await action();
  // A watch from an earlier revision begins with everything since.
  const query = `watch=true&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=1`;
  const streams = await Promise.all(paths.map((path) => read(`${path}?${query}`)));
  return streams
    .flatMap((stream) => stream.split("\n").filter((line) => line !== ""))
    .map((line) => JSON.parse(line) as WatchEvent)
    .filter(({ object }) => matching(object.metadata.name))
    .sort((a, b) => Number(a.object.metadata.resourceVersion) - Number(b.object.metadata.resourceVersion));
}
