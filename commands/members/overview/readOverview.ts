import type {
  KubernetesObject,
  V1Deployment,
  V1EndpointSlice,
  V1Ingress,
  V1ResourceQuota,
  V1Service,
} from "@kubernetes/client-node";
import { type ApiServer, type Waiting, withApiServer } from "../../../cluster/api/client.ts";
import { findApiTarget } from "../../../cluster/api/kubeconfig/kubeconfig.ts";
import { allOf, ours, oursNamed, oursOf } from "../../../cluster/kinds/kinds.ts";
import { httpRoutesIfAny } from "../../../cluster/read/gateway.ts";
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

async function read(api: ApiServer, showsBuckets: boolean): Promise<OverviewLists> {
  const [namespaces, quotas, services, ingresses, httpRoutes, pods, starters, buckets] = await Promise.all([
    api.list<KubernetesObject>({ ...oursOf("Namespace"), metadataOnly: true }),
    api.list<V1ResourceQuota>(oursOf("ResourceQuota")),
    // Members make their own, so that no label tells which ones count.
    api.list<V1Service>(allOf("Service")),
    api.list<V1Ingress>(oursOf("Ingress")),
    httpRoutesIfAny(ours, api),
    api.list<KubernetesObject>(unfinishedPods),
    api.list<V1Deployment>(oursNamed("Deployment", starterName)),
    showsBuckets ? readBucketLists(api) : noBuckets,
  ]);
  // Nothing but its pods tells whether a path can lead to a headless Service.
  const headless = services.some(
    ({ metadata, spec }) => spec?.clusterIP === "None" && metadata?.name === `${metadata?.namespace}-svc`,
  );
  const endpointSlices = headless ? await api.list<V1EndpointSlice>(allOf("EndpointSlice")) : [];
  return { namespaces, quotas, services, endpointSlices, ingresses, httpRoutes, pods, starters, buckets };
}
