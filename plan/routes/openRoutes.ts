import { doorKinds } from "../../cluster/kinds/stackKinds.ts";
import { type ClusterSnapshot, liveOf } from "../../cluster/read/snapshot/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { memberLabel, stackLabel } from "../../config/names/labels.ts";
import { logicalNames } from "../../config/names/logicalNames.ts";
import type { Settings } from "../../config/settings.ts";
import { doors, objectOf, routeParts } from "../../objects/route/drivers/drivers.ts";
import { isUnread } from "../decisions/unread/unread.ts";

/**
 * Whether a member's path is open on the cluster, whatever their Service and the list say. If nobody could read that,
 * Pulumi's state shows the routes that a run would close.
 */
export function isOpen(
  member: Pick<Member, "name">,
  settings: Pick<Settings, "stack" | "route">,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "unread">,
): boolean {
  if (snapshot.unread?.last !== undefined && doorKinds.some((kind) => isUnread(kind, snapshot))) {
    return routeStands(member, snapshot);
  }
  return doors
    .map((door) => liveOf(objectOf(door, member, settings), snapshot))
    .some((live) => live?.labels[stackLabel] === settings.stack && live.labels[memberLabel] === member.name);
}

/**
 * Whether a member's route is in Pulumi's state; true if the state is unknown. A preview had better show a route that opens
 * later than claim that an open one is closed.
 */
export function routeStands(member: Pick<Member, "name">, { unread }: Pick<ClusterSnapshot, "unread">): boolean {
  const { last } = unread ?? {};
  return last === undefined || routeParts.some(({ part }) => last.has(logicalNames.route(member, part)));
}
