import {
  type ConfigurationOptions,
  CoreV1Api,
  KubeConfig,
  type KubernetesObject,
  NetworkingV1Api,
  Observable,
  type ObservableMiddleware,
  RbacAuthorizationV1Api,
  setHeaderMiddleware,
  type V1Service,
} from "@kubernetes/client-node";
import { RunError } from "@pulumi/pulumi";
import type { Settings } from "../config/settings.ts";
import { readError } from "./errors.ts";
import { type ClusterSnapshot, type LiveObject, type LiveService, serviceKey } from "./snapshot.ts";

/** A list that takes longer is taken for unanswered, in milliseconds. */
const patience = 60_000;

/** Names, labels and times are all that ownership needs; the API server leaves out the rest. */
const metadataOnly = setHeaderMiddleware(
  "Accept",
  "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json",
);
const patient: ObservableMiddleware = {
  pre: (request) => {
    request.setSignal(AbortSignal.timeout(patience));
    return new Observable(Promise.resolve(request));
  },
  post: (response) => new Observable(Promise.resolve(response)),
};
const whole: ConfigurationOptions = { middleware: [patient], middlewareMergeStrategy: "append" };
const metadata: ConfigurationOptions = { middleware: [patient, metadataOnly], middlewareMergeStrategy: "append" };

/**
 * Reads the live cluster, one LIST per kind, whatever the number of members.
 * @throws RunError when any of them is not answered: only a successful answer may say that a thing is absent
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/
 */
export async function readCluster({ cluster, route }: Settings): Promise<ClusterSnapshot> {
  const config = kubeConfig(cluster.context);
  const server = config.getCurrentCluster()?.server ?? "(unknown)";
  const core = config.makeApiClient(CoreV1Api);
  const rbac = config.makeApiClient(RbacAuthorizationV1Api);
  const networking = config.makeApiClient(NetworkingV1Api);
  const answer = async <T>(what: string, request: Promise<{ items: T[] | null }>): Promise<T[]> => {
    try {
      // An empty list of metadata alone has no items at all, whatever the client's types say.
      return (await request).items ?? [];
    } catch (cause) {
      throw readError(what, server, cause);
    }
  };
  const [namespaces, services, ingresses, clusterRoles, clusterRoleBindings] = await Promise.all([
    answer("the Namespaces", core.listNamespace({}, metadata)),
    answer("the Services", core.listServiceForAllNamespaces({}, whole)),
    answer(
      `the Ingresses of namespace '${route.namespace}'`,
      networking.listNamespacedIngress({ namespace: route.namespace }, metadata),
    ),
    answer("the ClusterRoles", rbac.listClusterRole({}, metadata)),
    answer("the ClusterRoleBindings", rbac.listClusterRoleBinding({}, metadata)),
  ]);
  const system = namespaces.find(({ metadata }) => metadata?.name === "kube-system");
  return {
    id: system?.metadata?.uid ?? "",
    namespaces: byName(namespaces),
    services: new Map(services.map((service) => [keyOf(service), liveService(service)])),
    ingresses: byName(ingresses),
    clusterRoles: byName(clusterRoles),
    clusterRoleBindings: byName(clusterRoleBindings),
  };
}

function kubeConfig(context: string | undefined): KubeConfig {
  const config = new KubeConfig();
  try {
    config.loadFromDefault();
  } catch (cause) {
    throw new RunError(
      `Can't read the kubeconfig: ${cause instanceof Error ? cause.message : String(cause)}\n` +
        "Point KUBECONFIG at a kubeconfig of the cluster, then run again.",
    );
  }
  if (context !== undefined) {
    const names = config.getContexts().map(({ name }) => name);
    if (!names.includes(context)) {
      throw new RunError(
        `cluster.context: '${context}' is no context of the kubeconfig (it has ${names.join(", ") || "none"}).\n` +
          "Mend the setting, or point KUBECONFIG at the kubeconfig that has it.",
      );
    }
    config.setCurrentContext(context);
  }
  return config;
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
