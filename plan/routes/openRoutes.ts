import { doorKinds } from "../../cluster/kinds/stackKinds.ts";
import { type ClusterSnapshot, liveOf } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { memberLabel, stackLabel } from "../../naming/labels.ts";
import { logicalNames } from "../../naming/logicalNames.ts";
import { isUnread } from "../decisions/unread/unread.ts";
import { doors, objectOf, routeParts } from "./drivers/drivers.ts";

/**
 * Whether a path of a member's is open on the cluster, whatever their Service and the list of members say. Where that is
 * not known, what Pulumi's state has is what a run would close.
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
 * Whether a member's route is open as far as Pulumi's state tells. Where it does not, it is: a preview would claim that
 * an open route is closed otherwise, and that is worse than to show one that opens later.
 */
export function routeStands(member: Pick<Member, "name">, { unread }: Pick<ClusterSnapshot, "unread">): boolean {
  const { last } = unread ?? {};
  return last === undefined || routeParts.some(({ part }) => last.has(logicalNames.route(member, part)));
}
