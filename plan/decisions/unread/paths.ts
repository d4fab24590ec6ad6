import type { Kind } from "../../../cluster/kinds/kinds.ts";
import { isWrittenByMembers } from "../../../cluster/kinds/stackKinds.ts";
import { endpointsMatter } from "../../../cluster/read/services.ts";
import type { ClusterSnapshot } from "../../../cluster/read/snapshot/snapshot.ts";
import type { Member } from "../../../config/member/member.ts";
import type { Settings } from "../../../config/settings.ts";
import { partsOf } from "../../../objects/route/drivers/drivers.ts";
import { routeStands } from "../../routes/openRoutes.ts";
import { isUnread, namespaceStands } from "./unread.ts";

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

/**
 * Whether a path is open as far as Pulumi's state shows. For a new member, a Service that the run makes opens the path at
 * once.
 */
export function standsOpen(member: Member, snapshot: Pick<ClusterSnapshot, "unread">): boolean {
  const { mode, requires } = member.route?.readiness ?? {};
  const joins = !namespaceStands(member, snapshot);
  return routeStands(member, snapshot) || (joins && mode === "managed" && requires === "service");
}
