import type {
  KubernetesObject,
  V1Deployment,
  V1EndpointSlice,
  V1ResourceQuota,
  V1RoleBinding,
  V1Service,
} from "@kubernetes/client-node";
import { type ApiServer, type Waiting, withApiServer } from "../../../cluster/api/client.ts";
import type { ApiTarget } from "../../../cluster/api/kubeconfig/kubeconfig.ts";
import { allOf, kinds, oursNamed, oursOf, resourceOf } from "../../../cluster/kinds/kinds.ts";
import { doorKinds, stackKinds } from "../../../cluster/kinds/stackKinds.ts";
import { unfinishedPods, withHolders } from "../../../cluster/read/namespaceContents.ts";
import { isHeadless } from "../../../cluster/read/services.ts";
import { serviceName, starterName } from "../../../config/names/names.ts";
import { isMeant } from "../../../config/sources/shardSource.ts";
import { apiTargetOf, refuseUnknownStack, type StackPlace } from "../../common/stackTarget.ts";
import { noBuckets, readBucketLists } from "./buckets.ts";
import { type MemberOverview, type OverviewLists, overviewOf } from "./overview.ts";

/**
 * Reads the objects for an overview of members: six LISTs at once, for any number of members. Further LISTs are for
 * HTTPRoutes, for buckets, for staff and CI jobs, and for EndpointSlices if a member's Service is headless.
 * @param shows whether to show members' buckets, staff and CI jobs, which needs the right to list ConfigMaps and RoleBindings
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
  // Only a headless Service's endpoints show whether a path can lead to it.
  const headless = services.some(
    ({ metadata, spec = {} }) =>
      isHeadless(spec) && metadata?.name === serviceName({ name: metadata?.namespace ?? "" }),
  );
  const endpointSlices = headless ? await api.list<V1EndpointSlice>(allOf("EndpointSlice")) : [];
  return { namespaces, quotas, services, endpointSlices, doors, pods, starters, buckets, bindings };
}

interface Members {
  /** By stack, then by name. */
  readonly members: readonly MemberOverview[];
  /** Those of other stacks than the requested one. */
  readonly others: readonly MemberOverview[];
  /** All namespaces that the members are from. */
  readonly namespaces: OverviewLists["namespaces"];
}

/**
 * Reads the members on a cluster.
 * @param shows whether to read members' buckets, staff and CI jobs too
 * @param today the day in UTC, as `2026-12-31`
 * @throws Problem when the cluster has only members of other stacks than the one that is asked for
 * @throws RunError when the cluster gives no answer
 */
export async function readMemberOverviews(
  place: StackPlace,
  shows: { readonly details: boolean },
  today: string,
): Promise<Members> {
  const { stack } = place;
  const lists = await readOverviewLists(apiTargetOf(place), shows, { notify: (message) => console.error(message) });
  const all = overviewOf(lists, today);
  const isTheirs = stack === undefined ? () => true : isMeant(process.cwd(), stack);
  const { members = [], others = [] } = Object.groupBy(all, ({ stack: theirs }) =>
    isTheirs(theirs) ? "members" : "others",
  );
  if (stack !== undefined && members.length === 0) {
    refuseUnknownStack(stack, [...new Set(all.map((member) => member.stack))]);
  }
  return { members, others, namespaces: lists.namespaces };
}
