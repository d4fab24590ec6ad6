import type { KubernetesObject, V1EndpointSlice, V1Service } from "@kubernetes/client-node";
import type { Member, Settings } from "../config/settings.ts";
import { type ApiServer, type Waiting, withApiServer } from "./apiServer/client.ts";
import { ListError, readError } from "./apiServer/errors.ts";
import { findTarget } from "./apiServer/kubeconfig.ts";
import { unprogrammed } from "./attachment.ts";
import { belongingsMatter, readBelongings } from "./belongings.ts";
import { controllerKinds } from "./controllerKinds.ts";
import { gatewayKinds, readGateway } from "./gateway.ts";
import { guardsOf, liveObject, ownedOf } from "./guards.ts";
import { allEndpointSlices, allServices, endpointsMatter, liveServices } from "./services.ts";
import type { ClusterSnapshot, GuardKind, LiveObject, LiveService } from "./snapshot.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const networking = "/apis/networking.k8s.io/v1";

/**
 * Reads the live cluster, one LIST per kind, whatever the number of members.
 * @throws RunError when any of them is not answered: only a successful answer may say that a thing is absent
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/
 */
export async function readCluster(
  members: readonly Member[],
  settings: Settings,
  waiting: Partial<Waiting> = {},
): Promise<ClusterSnapshot> {
  const { cluster, route } = settings;
  const target = findTarget(cluster.context);
  return await withApiServer(target, waiting, async (api) => {
    // First, and alone: whatever is wrong with the cluster or the credentials is then told once.
    const what = "the Namespaces";
    const namespaces = await api.list<KubernetesObject>({
      what,
      path: "/api/v1/namespaces",
      kind: "Namespace",
      metadataOnly: true,
    });
    const id = namespaces.find(({ metadata }) => metadata?.name === "kube-system")?.metadata?.uid;
    if (id === undefined) {
      const cause = new ListError("there is no kube-system among them: the answer is not a cluster's.");
      throw readError(`${what} from the API server ${target.server}`, cause);
    }
    const whole = (kind: GuardKind, path: string, what: string) => api.list<KubernetesObject>({ what, path, kind });
    const [services, gateway, guards] = await Promise.all([
      api.list<V1Service>(allServices),
      readGateway(settings, api),
      // All there are, not just those with our labels: a label is the first thing that somebody could take off.
      named({
        ClusterRole: whole("ClusterRole", `${rbac}/clusterroles`, "the ClusterRoles"),
        ClusterRoleBinding: whole("ClusterRoleBinding", `${rbac}/clusterrolebindings`, "the ClusterRoleBindings"),
        Ingress: whole(
          "Ingress",
          `${networking}/namespaces/${route.namespace}/ingresses`,
          `the Ingresses of namespace '${route.namespace}'`,
        ),
        ...controllerKinds(settings, api),
        ...gatewayKinds(settings, api),
        LimitRange: whole("LimitRange", "/api/v1/limitranges", "the LimitRanges"),
        NetworkPolicy: whole("NetworkPolicy", `${networking}/networkpolicies`, "the NetworkPolicies"),
        ResourceQuota: whole("ResourceQuota", "/api/v1/resourcequotas", "the ResourceQuotas"),
        Role: whole("Role", `${rbac}/roles`, "the Roles"),
        RoleBinding: whole("RoleBinding", `${rbac}/rolebindings`, "the RoleBindings"),
      }),
    ]);
    const snapshot = {
      id,
      namespaces: byName(namespaces),
      services: await withEndpoints(services, members, api),
      ingresses: byName(guards.Ingress),
      gateway: gateway === undefined ? undefined : { ...liveObject(gateway), unprogrammed: unprogrammed(gateway) },
      clusterRoles: byName(guards.ClusterRole),
      clusterRoleBindings: byName(guards.ClusterRoleBinding),
      guards: guardsOf({ ...guards, Namespace: namespaces }),
      owned: ownedOf({ ...guards, Namespace: namespaces, Service: services }),
    };
    // Last: only the guard rails tell of those whose namespace has lost its labels.
    const belongings = belongingsMatter(members, settings, snapshot) ? await readBelongings(api) : new Map();
    return { ...snapshot, belongings };
  });
}

/** What is behind the Services is read only where it matters: there are as many EndpointSlices, and they change often. */
async function withEndpoints(
  services: readonly V1Service[],
  members: readonly Member[],
  api: ApiServer,
): Promise<Map<string, LiveService>> {
  const alone = liveServices(services);
  return endpointsMatter(members, alone)
    ? liveServices(services, await api.list<V1EndpointSlice>(allEndpointSlices))
    : alone;
}

/** Waits for all of them, as Promise.all does, and gives them back by their names. */
async function named<K extends string, T>(promises: Readonly<Record<K, Promise<T>>>): Promise<Record<K, T>> {
  const names = Object.keys(promises) as K[];
  const answers = await Promise.all(names.map(async (name) => [name, await promises[name]] as const));
  return Object.fromEntries(answers) as Record<K, T>;
}

function byName(objects: readonly KubernetesObject[]): Map<string, LiveObject> {
  return new Map(objects.map((object) => [object.metadata?.name ?? "", liveObject(object)]));
}
