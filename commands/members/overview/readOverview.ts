import type {
  KubernetesObject,
  V1Deployment,
  V1EndpointSlice,
  V1ResourceQuota,
  V1Service,
} from "@kubernetes/client-node";
import { type ApiServer, type Waiting, withApiServer } from "../../../cluster/api/client.ts";
import { findApiTarget } from "../../../cluster/api/kubeconfig/kubeconfig.ts";
import { allOf, kinds, oursNamed, oursOf, resourceOf } from "../../../cluster/kinds/kinds.ts";
import { doorKinds, stackKinds } from "../../../cluster/kinds/stackKinds.ts";
import { unfinishedPods } from "../../../cluster/read/namespaceContents.ts";
import { starterName } from "../../../naming/names.ts";
import { noBuckets, readBucketLists } from "./buckets.ts";
import type { OverviewLists } from "./overview.ts";

/**
 * Reads what an overview of the members is made of: six LISTs at once, whatever the number of members, and one
 * more each where there are HTTPRoutes, where a member's Service is headless, and for buckets.
 * @param context context of the kubeconfig; undefined for the current one
 * @param shows whether members' buckets are shown: only then is the right to list ConfigMaps needed
 * @throws RunError when any of them is not answered
 */
export async function readOverviewLists(
  context: string | undefined,
  shows: { readonly buckets: boolean },
  waiting: Partial<Waiting> = {},
): Promise<OverviewLists> {
  const target = findApiTarget(context, undefined, "--context");
  return await withApiServer(target, waiting, (api) => read(api, shows.buckets), "overview");
}

/** What has members' paths, of all kinds: settings, which could tell of which, an overview does not have. */
async function readDoors(api: ApiServer): Promise<KubernetesObject[]> {
  const lists = doorKinds.map(async (kind) => {
    const isKnown = stackKinds[kind].isOptional !== true || (await api.has(resourceOf(kind), kinds[kind].apiVersion));
    return isKnown ? await api.list<KubernetesObject>(oursOf(kind)) : [];
  });
  return (await Promise.all(lists)).flat();
}

async function read(api: ApiServer, showsBuckets: boolean): Promise<OverviewLists> {
  const [namespaces, quotas, services, doors, pods, starters, buckets] = await Promise.all([
    api.list<KubernetesObject>({ ...oursOf("Namespace"), metadataOnly: true }),
    api.list<V1ResourceQuota>(oursOf("ResourceQuota")),
    // Members make their own, so that no label tells which ones count.
    api.list<V1Service>(allOf("Service")),
    readDoors(api),
    api.list<KubernetesObject>(unfinishedPods),
    api.list<V1Deployment>(oursNamed("Deployment", starterName)),
    showsBuckets ? readBucketLists(api) : noBuckets,
  ]);
  // Nothing but its pods tells whether a path can lead to a headless Service.
  const headless = services.some(
    ({ metadata, spec }) => spec?.clusterIP === "None" && metadata?.name === `${metadata?.namespace}-svc`,
  );
  const endpointSlices = headless ? await api.list<V1EndpointSlice>(allOf("EndpointSlice")) : [];
  return { namespaces, quotas, services, endpointSlices, doors, pods, starters, buckets };
}
