import type { KubernetesObject, V1Service } from "@kubernetes/client-node";
import type { Settings } from "../config/settings.ts";
import { ApiServer, defaultWaiting, type Waiting } from "./client.ts";
import { ListError, readError } from "./errors.ts";
import { findTarget } from "./kubeconfig.ts";
import { type ClusterSnapshot, type LiveObject, type LiveService, serviceKey } from "./snapshot.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const networking = "/apis/networking.k8s.io/v1";

/**
 * Reads the live cluster, one LIST per kind, whatever the number of members.
 * @throws RunError when any of them is not answered: only a successful answer may say that a thing is absent
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/
 */
export async function readCluster(
  { cluster, route }: Settings,
  waiting: Partial<Waiting> = {},
): Promise<ClusterSnapshot> {
  const target = findTarget(cluster.context);
  const api = new ApiServer(target, { ...defaultWaiting, ...waiting });
  const metadataOnly = true;
  try {
    await api.signIn();
    // First, and alone: whatever is wrong with the cluster or the credentials is then told once.
    const what = "the Namespaces";
    const namespaces = await api.list<KubernetesObject>({
      what,
      path: "/api/v1/namespaces",
      kind: "Namespace",
      metadataOnly,
    });
    const id = namespaces.find(({ metadata }) => metadata?.name === "kube-system")?.metadata?.uid;
    if (id === undefined) {
      throw readError(
        what,
        target,
        new ListError("there is no kube-system among them: the answer is not a cluster's."),
      );
    }
    const [services, ingresses, clusterRoles, clusterRoleBindings] = await Promise.all([
      api.list<V1Service>({ what: "the Services", path: "/api/v1/services", kind: "Service" }),
      api.list<KubernetesObject>({
        what: `the Ingresses of namespace '${route.namespace}'`,
        path: `${networking}/namespaces/${route.namespace}/ingresses`,
        kind: "Ingress",
        metadataOnly,
      }),
      api.list<KubernetesObject>({
        what: "the ClusterRoles",
        path: `${rbac}/clusterroles`,
        kind: "ClusterRole",
        metadataOnly,
      }),
      api.list<KubernetesObject>({
        what: "the ClusterRoleBindings",
        path: `${rbac}/clusterrolebindings`,
        kind: "ClusterRoleBinding",
        metadataOnly,
      }),
    ]);
    return {
      id,
      namespaces: byName(namespaces),
      services: new Map(services.map((service) => [keyOf(service), liveService(service)])),
      ingresses: byName(ingresses),
      clusterRoles: byName(clusterRoles),
      clusterRoleBindings: byName(clusterRoleBindings),
    };
  } finally {
    api.close();
  }
}

function keyOf({ metadata }: KubernetesObject): string {
  return serviceKey(metadata?.namespace ?? "", metadata?.name ?? "");
}

function byName(objects: readonly KubernetesObject[]): Map<string, LiveObject> {
  return new Map(objects.map((object) => [object.metadata?.name ?? "", liveObject(object)]));
}

function liveObject({ metadata }: KubernetesObject): LiveObject {
  return { labels: metadata?.labels ?? {}, terminating: metadata?.deletionTimestamp !== undefined };
}

function liveService(service: V1Service): LiveService {
  return {
    ...liveObject(service),
    type: service.spec?.type ?? "ClusterIP",
    clusterIP: service.spec?.clusterIP ?? "",
    hasSelector: Object.keys(service.spec?.selector ?? {}).length > 0,
    ports: (service.spec?.ports ?? []).map(({ port }) => port),
  };
}
