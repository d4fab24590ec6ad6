import type {
  KubernetesObject,
  V1ConfigMap,
  V1Deployment,
  V1EndpointSlice,
  V1ResourceQuota,
  V1RoleBinding,
  V1Service,
} from "@kubernetes/client-node";
import { bucketLabel, routeLabel } from "../../config/names/labels.ts";
import { serviceName, starterName } from "../../config/names/names.ts";
import { routeNeedsOf } from "../../config/names/routeNeeds.ts";
import { type ApiServer, withApiServer } from "../api/client.ts";
import type { ApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import type { Waiting } from "../api/requests.ts";
import { cosiKinds, cosiVersion } from "../kinds/bucketKinds.ts";
import { allOf, byKubecamp, kinds, listPath, oursNamed, oursOf, resourceOf } from "../kinds/kinds.ts";
import { doorKinds, stackKinds } from "../kinds/stackKinds.ts";
import { unfinishedPods, withHolders } from "./namespaceContents.ts";
import { isHeadless } from "./services.ts";

export interface OverviewLists {
  readonly namespaces: readonly KubernetesObject[];
  readonly quotas: readonly V1ResourceQuota[];
  readonly services: readonly V1Service[];
  /** Empty if no member's path depends on ready pods. */
  readonly endpointSlices: readonly V1EndpointSlice[];
  readonly doors: readonly KubernetesObject[];
  readonly pods: readonly KubernetesObject[];
  readonly starters: readonly V1Deployment[];
  readonly buckets: BucketLists;
  /** Empty for an overview that shows no staff and no CI jobs. */
  readonly bindings: readonly V1RoleBinding[];
}

/** Objects that describe buckets in members' namespaces; never a Secret. */
export interface BucketLists {
  readonly configMaps: readonly V1ConfigMap[];
  /** Empty on a cluster without COSI. */
  readonly claims: readonly KubernetesObject[];
}

export const noBuckets: BucketLists = { configMaps: [], claims: [] };

const withLabel = `${byKubecamp},${bucketLabel}`;

async function readBucketLists(api: ApiServer): Promise<BucketLists> {
  const [configMaps, claims] = await Promise.all([
    api.list<V1ConfigMap>({
      what: "the ConfigMaps of buckets",
      path: listPath("ConfigMap") + withLabel,
      kind: "ConfigMap",
    }),
    readClaims(api),
  ]);
  return { configMaps, claims };
}

async function readClaims(api: ApiServer): Promise<KubernetesObject[]> {
  const kind = "BucketClaim";
  for (const version of ["v1alpha2", "v1alpha1"] as const) {
    const group = cosiVersion({ version });
    if (await api.has(cosiKinds[kind], group)) {
      const path = `/apis/${group}/${cosiKinds[kind]}${withLabel}`;
      return await api.list<KubernetesObject>({ what: "the BucketClaims", path, kind });
    }
  }
  return [];
}

/**
 * Six LISTs at once, for any number of members; more for HTTPRoutes, details, and paths that depend on ready pods.
 * @param shows buckets, staff and CI jobs, which needs the right to list ConfigMaps and RoleBindings
 * @throws RunError when a LIST is not answered
 */
export async function readOverviewLists(
  target: ApiTarget,
  shows: { readonly details: boolean },
  waiting: Partial<Waiting> = {},
): Promise<OverviewLists> {
  return await withApiServer(target, waiting, (api) => read(api, shows.details), "overview");
}

/** Reads all kinds of routes, since an overview has no settings that name the one in use. */
async function readDoors(api: ApiServer): Promise<KubernetesObject[]> {
  const lists = doorKinds.map(async (kind) => {
    const isKnown = stackKinds[kind].isOptional !== true || (await api.has(resourceOf(kind), kinds[kind].apiVersion));
    return isKnown ? await api.list<KubernetesObject>(oursOf(kind)) : [];
  });
  return (await Promise.all(lists)).flat();
}

async function read(api: ApiServer, showsDetails: boolean): Promise<OverviewLists> {
  const [namespaces, quotas, services, doors, pods, starters, buckets, bindings] = await Promise.all([
    api.list<KubernetesObject>({ ...oursOf("Namespace"), metadataOnly: true }).then((all) => withHolders(all, api)),
    api.list<V1ResourceQuota>(oursOf("ResourceQuota")),
    // Members make their own Services, so no label selects the relevant ones.
    api.list<V1Service>(allOf("Service")),
    readDoors(api),
    api.list<KubernetesObject>(unfinishedPods),
    api.list<V1Deployment>(oursNamed("Deployment", starterName)),
    showsDetails ? readBucketLists(api) : noBuckets,
    showsDetails ? api.list<V1RoleBinding>(oursOf("RoleBinding")) : [],
  ]);
  const endpointSlices = endpointsMatter(namespaces, services)
    ? await api.list<V1EndpointSlice>(allOf("EndpointSlice"))
    : [];
  return { namespaces, quotas, services, endpointSlices, doors, pods, starters, buckets, bindings };
}

/** Only endpoints show whether a path can lead to a headless Service, or to ready pods where the settings require them. */
function endpointsMatter(namespaces: readonly KubernetesObject[], services: readonly V1Service[]): boolean {
  return (
    namespaces.some(({ metadata }) => routeNeedsOf(metadata?.labels?.[routeLabel]).requires === "endpoints") ||
    services.some(
      ({ metadata, spec = {} }) =>
        isHeadless(spec) && metadata?.name === serviceName({ name: metadata?.namespace ?? "" }),
    )
  );
}
