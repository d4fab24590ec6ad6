import type { KubernetesObject, V1EndpointSlice, V1Service } from "@kubernetes/client-node";
import type { Member } from "../../config/member/member.ts";
import { gatewayOf } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import { withApiServer } from "../api/client.ts";
import { ListError, readError } from "../api/errors.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import type { Waiting } from "../api/requests.ts";
import { unprogrammed } from "../kinds/gatewayStatus.ts";
import { allOf, oneOf } from "../kinds/kinds.ts";
import { isLeftOutUnread, listedKinds } from "../kinds/stackKinds.ts";
import { readCopies } from "./copies.ts";
import { hasFillIns, readClasses, readHardware } from "./hardware.ts";
import { takenPaths } from "./hostPaths.ts";
import { liveObject, managedObjectsOf, ownedOf } from "./managedObjects.ts";
import { namespaceContentsMatter, readNamespaceContents, withHolders } from "./namespaceContents.ts";
import { type Lists, mayWrite, toleratingRefusals } from "./rights.ts";
import { refuseOldEnvoyGateway, refuseUnfitKinds, refuseUnknownCosi } from "./servedKinds.ts";
import { endpointsMatter, liveServices } from "./services.ts";
import type { ClusterSnapshot, LiveService } from "./snapshot.ts";
import { keptByRuns, stackObjects } from "./stackObjects.ts";

interface ReadingRun {
  /** A preview goes on without kinds that it may not list; the watch without those that only some need. Default: up. */
  readonly run?: "preview" | "up" | "watch" | undefined;
  readonly now?: Date;
}

/** One LIST per kind. @throws RunError if one fails that `run` needs: only an answer shows that an object is absent */
export async function readCluster(
  members: readonly Member[],
  settings: Settings,
  waiting: Partial<Waiting> = {},
  { run = "up", now = new Date() }: ReadingRun = {},
): Promise<ClusterSnapshot> {
  const target = findApiTarget(settings.cluster.context);
  return await withApiServer(target, waiting, async (api) => {
    // First and alone, so that a problem with the cluster or the credentials is reported once.
    const all = await api.list<KubernetesObject>({
      ...allOf("Namespace"),
      metadataOnly: true,
      keep: keptByRuns("Namespace"),
    });
    const id = all.find(({ metadata }) => metadata?.name === "kube-system")?.metadata?.uid;
    if (id === undefined) {
      const cause = new ListError("there is no kube-system among them: the answer is not a cluster's.");
      throw readError(`${allOf("Namespace").what} from the API server ${target.server}`, cause);
    }
    await refuseUnknownCosi(members, settings, api);
    await refuseUnfitKinds(settings, api);
    await refuseOldEnvoyGateway(settings, api);
    const isTolerated = { preview: () => true, watch: isLeftOutUnread, up: () => false }[run];
    const { lists, refused } = toleratingRefusals(api, isTolerated);
    const mutates = await hasFillIns(settings, api);
    const stack = { members, settings, mutates };
    const [namespaces, services, gateway, classes, copies, hardware, managedObjects] = await Promise.all([
      withHolders(all, api),
      lists.list<V1Service>({ ...allOf("Service"), keep: keptByRuns("Service") }),
      readGateway(settings, lists),
      readClasses(settings, lists, refused),
      run === "watch" ? readCopies(settings, lists, refused) : readCopies(settings, api),
      readHardware(settings, api),
      named(listedKinds(settings).map((kind) => [kind, stackObjects(kind, stack, lists)] as const)),
    ]);
    const everything = { ...managedObjects, Namespace: namespaces, Service: services };
    const snapshot = {
      id,
      namespaces: new Map(
        all.map((object) => [object.metadata?.name ?? "", { ...liveObject(object), uid: object.metadata?.uid }]),
      ),
      services: await withEndpoints(services, members, lists),
      gateway: gateway === undefined ? undefined : { ...liveObject(gateway), unprogrammed: unprogrammed(gateway) },
      managedObjects: managedObjectsOf({ ...managedObjects, Namespace: namespaces }),
      mutates,
      classes,
      copies,
      hardware,
      owned: ownedOf(everything),
    };
    // Last, because only managed objects reveal members whose namespace lost its labels.
    const namespaceContents = namespaceContentsMatter(members, settings, snapshot, now)
      ? await readNamespaceContents(lists)
      : new Map();
    return {
      ...snapshot,
      taken: takenPaths(snapshot.managedObjects, settings),
      namespaceContents,
      mayWrite: run === "preview" ? await mayWrite(api) : undefined,
      unread:
        refused.size === 0
          ? undefined
          : { offline: false, kinds: refused, ...(run === "watch" ? { isLeftOut: true } : {}) },
    };
  });
}

/** EndpointSlices are as many as Services and change often, so they are read only if a route depends on them. */
async function withEndpoints(
  services: readonly V1Service[],
  members: readonly Member[],
  lists: Lists,
): Promise<Map<string, LiveService>> {
  const alone = liveServices(services);
  return endpointsMatter(members, alone)
    ? liveServices(services, await lists.list<V1EndpointSlice>(allOf("EndpointSlice")))
    : alone;
}

async function named<K extends string, T>(promises: readonly (readonly [K, Promise<T>])[]): Promise<Record<K, T>> {
  const answers = await Promise.all(promises.map(async ([name, promise]) => [name, await promise] as const));
  return Object.fromEntries(answers) as Record<K, T>;
}

async function readGateway(settings: Settings, lists: Lists): Promise<KubernetesObject | undefined> {
  const gateway = gatewayOf(settings);
  if (gateway === undefined) {
    return undefined;
  }
  const [found] = await lists.list<KubernetesObject>(oneOf("Gateway", gateway.name, gateway.namespace));
  return found;
}
