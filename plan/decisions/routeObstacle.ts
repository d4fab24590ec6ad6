import { keyOf, objectNameOf } from "../../cluster/kinds/objectName.ts";
import { urlsOf } from "../../cluster/read/hostPaths.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { stackLabel } from "../../config/names/labels.ts";
import { routeUrl } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { driverOf, objectOf } from "../../objects/route/drivers/drivers.ts";
import { endingReason, isEnding } from "../live/ending.ts";
import { isOurs } from "../live/owner.ts";
import { backendCaObstacle, type DecidedFirst } from "./backendCa.ts";

export function routeObstacle(
  decided: DecidedFirst,
  settings: Pick<Settings, "stack" | "shards" | "route">,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "taken" | "forgotten">,
): string | undefined {
  const { member } = decided;
  if (isEnding(member, snapshot)) {
    return endingReason(member, snapshot);
  }
  return takenObstacle(member, settings, snapshot) ?? backendCaObstacle(decided, settings, snapshot);
}

type OfStack = Pick<Settings, "stack" | "shards" | "route">;

/** Why a member's path can't open: it is somebody else's already. An open path stays open. */
function takenObstacle(
  member: Member,
  settings: OfStack,
  { managedObjects, taken }: Pick<ClusterSnapshot, "managedObjects" | "taken">,
): string | undefined {
  const url = member.route && routeUrl(member.route);
  const key = url === undefined ? undefined : taken?.get(url);
  if (url === undefined || key === undefined) {
    return undefined;
  }
  const own = keyOf(objectOf(driverOf(settings).door, member, settings));
  const live = managedObjects.get(own);
  const isOpen = live !== undefined && isOurs(live, settings) && urlsOf(live).includes(url);
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
