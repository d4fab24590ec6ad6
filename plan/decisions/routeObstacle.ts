import { dataBeside, mostData } from "../../cluster/kinds/dataSize.ts";
import { keyOf, kubectlDelete, objectNameOf, serviceKey } from "../../cluster/kinds/objectName.ts";
import { isKindOfRoute } from "../../cluster/kinds/stackKinds.ts";
import { isServedBy, urlsOf } from "../../cluster/read/hostPaths.ts";
import { type ClusterSnapshot, liveOf, type ManagedObject } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { stackLabel } from "../../config/names/labels.ts";
import { backendCaName, namespaceName, routeUrl, serviceName } from "../../config/names/names.ts";
import { controllers } from "../../config/route/controllers.ts";
import { isBeside, serversOf } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import { driverOf, objectOf } from "../../objects/route/drivers/drivers.ts";
import { endingReason, isEnding } from "../live/ending.ts";
import { foreign, isOurs } from "../live/owner.ts";
import { type BucketsPlan, newConfigMaps } from "./bucketsPlan.ts";
import { lackOfHeadroom } from "./quotaHeadroom.ts";
import { newPages, type StarterPlan } from "./starterPlan.ts";

type OfStack = Pick<Settings, "stack" | "shards" | "route">;

interface DecidedFirst {
  readonly member: Member;
  readonly starter: StarterPlan | undefined;
  readonly buckets: Pick<BucketsPlan, "made">;
  readonly servers: ReturnType<typeof serversFor>;
}

export function routeObstacle(
  decided: DecidedFirst,
  settings: OfStack,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "forgotten">,
): string | undefined {
  const { member, servers } = decided;
  if (isEnding(member, snapshot)) {
    return endingReason(member, snapshot);
  }
  return (servers.free.length === 0 ? servers.why : undefined) ?? backendCaObstacle(decided, settings, snapshot);
}

/** Those that can serve a member's path, and why another can't. */
export function serversFor<S extends OfStack>(
  member: Member,
  settings: S,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "services" | "taken">,
) {
  const judged = serversOf(settings).map((server) => ({
    server,
    why: takenObstacle(member, server, snapshot) ?? configuringObstacle(member, server, snapshot),
  }));
  return {
    free: judged.flatMap(({ server, why }) => (why === undefined ? [server] : [])),
    why: judged.find(({ why }) => why !== undefined)?.why,
  };
}

/** A controller reads also the annotations of the Service that an Ingress names, which is the member's. */
function configuringObstacle(
  member: Member,
  { route }: OfStack,
  { services }: Pick<ClusterSnapshot, "services">,
): string | undefined {
  const prefixes = route.kind === "gateway" || isBeside(route) ? [] : controllers[route.controller].prefixes;
  const [namespace, name] = [namespaceName(member), serviceName(member)];
  const { annotations = {} } = services.get(serviceKey(namespace, name)) ?? {};
  const key = Object.keys(annotations).find((each) => prefixes.some((prefix) => each.startsWith(prefix)));
  return key === undefined
    ? undefined
    : `Service '${name}' has the annotation ${key}, by which it would configure the ingress controller; ` +
        `take it off ('kubectl annotate service ${name} -n ${namespace} ${key}-')`;
}

/** Why a member's path can't open: it is somebody else's already. An open path stays open. */
function takenObstacle(
  member: Member,
  server: OfStack,
  { managedObjects, taken }: Pick<ClusterSnapshot, "managedObjects" | "taken">,
): string | undefined {
  const url = member.route && routeUrl(member.route);
  const key = taken?.get(url ?? "")?.find((each) => {
    const live = managedObjects.get(each);
    return live !== undefined && isServedBy(each, live, server);
  });
  if (url === undefined || key === undefined) {
    return undefined;
  }
  const own = keyOf(objectOf(driverOf(server).door, member, server));
  const door = managedObjects.get(own);
  const isOpen = door !== undefined && isOurs(door, server) && urlsOf(door).includes(url);
  // An object with the name of the member's own is left to the ownership check, or taken over.
  if (isOpen || key === own) {
    return undefined;
  }
  const { kind, namespace, name } = objectNameOf(key);
  const stack = managedObjects.get(key)?.labels[stackLabel];
  const whose = stack === undefined ? "" : ` of stack '${stack}'`;
  return (
    `${url} is the address of ${kind} '${namespace}/${name}'${whose} already, and the older of two gets the requests; ` +
    "give the member another path or host (route.path, route.host), or have that one give it up"
  );
}

const entry = "ca.crt";

/** Members write the ConfigMap too: only their own route stays closed. A try to change it would fail all of the run. */
function backendCaObstacle(
  { member, starter, buckets }: DecidedFirst,
  settings: OfStack,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
): string | undefined {
  if (!isKindOfRoute("ConfigMap", settings, member.route?.path)) {
    return undefined;
  }
  const object = { kind: "ConfigMap", name: backendCaName, namespace: namespaceName(member) } as const;
  const live = liveOf(object, { managedObjects });
  if (live === undefined) {
    const others = newPages(member, starter, { managedObjects }) + newConfigMaps(buckets, { managedObjects });
    const why = lackOfHeadroom(member, "ConfigMap", { managedObjects }, { more: others + 1 });
    return why === undefined ? undefined : `ConfigMap '${backendCaName}' can't be made: ${why}`;
  }
  const why = unfit(live, member, settings);
  return why === undefined
    ? undefined
    : `ConfigMap '${backendCaName}' ${why}; delete it ('${kubectlDelete([object])}'), and the next run makes it anew`;
}

function unfit(live: ManagedObject, member: Member, settings: OfStack): string | undefined {
  const { ca = "" } = settings.route.backend;
  const { data, immutable } = live.content as { readonly data?: Record<string, string>; readonly immutable?: boolean };
  // An object that a run has applied is ours, even with other labels.
  if (live.applied === undefined && foreign("", live, settings, member).length > 0) {
    return "is not kubecamp's";
  }
  if (live.terminating === true) {
    return "is being deleted";
  }
  if (immutable === true && data?.[entry] !== ca) {
    return "is immutable, and has another CA than the stack's";
  }
  const isFull = live.isLarge === true || dataBeside(live.content, [entry]) + Buffer.byteLength(ca) > mostData;
  return isFull ? "has so much in it that nothing can be added" : undefined;
}
