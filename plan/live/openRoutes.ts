import type { Kind } from "../../cluster/kinds/kinds.ts";
import { doorKinds, isWrittenByMembers } from "../../cluster/kinds/stackKinds.ts";
import { endpointsMatter } from "../../cluster/read/services.ts";
import { type ClusterSnapshot, liveOf } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { memberLabel, stackLabel } from "../../config/names/labels.ts";
import { logicalNames } from "../../config/names/logicalNames.ts";
import type { Settings } from "../../config/settings.ts";
import { doors, objectOf, partsOf, routeParts } from "../../objects/route/drivers/drivers.ts";
import { isUnread, namespaceStands } from "./unread.ts";

/** On the cluster, whatever the Service and the list say; if nobody could read that, by Pulumi's state. */
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

/** By Pulumi's state. True if unknown: a preview had better show a route too many than claim that one is closed. */
export function routeStands(member: Pick<Member, "name">, { unread }: Pick<ClusterSnapshot, "unread">): boolean {
  const { last } = unread ?? {};
  return last === undefined || routeParts.some(({ part }) => last.has(logicalNames.route(member, part)));
}

/** A kind that decides whether the path opens and that nobody could read; undefined if all are known. */
export function undecided(
  member: Member,
  settings: Pick<Settings, "route">,
  snapshot: Pick<ClusterSnapshot, "services" | "unread">,
): Kind | undefined {
  // Route objects in the member's namespace that members can make too: they may be in the way, or not fit into the quota.
  const fitted = partsOf(settings, member.route?.path)
    .filter((part) => part.place === "home" && isWrittenByMembers(part))
    .map(({ kind }) => kind);
  const deciding: Kind[] = [
    "Service",
    ...(endpointsMatter([member], snapshot.services) ? ["EndpointSlice" as const] : []),
    ...fitted,
    ...(fitted.length === 0 ? [] : ["ResourceQuota" as const]),
  ];
  return deciding.find((kind) => isUnread(kind, snapshot));
}

/** By Pulumi's state. For a new member, a Service that the run makes opens the path at once. */
export function standsOpen(member: Member, snapshot: Pick<ClusterSnapshot, "unread">): boolean {
  const { mode, requires } = member.route?.readiness ?? {};
  const joins = !namespaceStands(member, snapshot);
  return routeStands(member, snapshot) || (joins && mode === "managed" && requires === "service");
}
