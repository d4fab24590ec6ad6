import type { Kind } from "../../../cluster/kinds/kinds.ts";
import { isWrittenByMembers } from "../../../cluster/kinds/stackKinds.ts";
import { endpointsMatter } from "../../../cluster/read/services.ts";
import type { ClusterSnapshot } from "../../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../../config/model/settings.ts";
import { partsOf } from "../../routes/drivers/drivers.ts";
import { routeStands } from "../../routes/openRoutes.ts";
import { isUnread, namespaceStands } from "./unread.ts";

/** A kind that tells whether the path opens, and of which nothing is known; undefined where all is. */
export function undecided(
  member: Member,
  settings: Pick<Settings, "route">,
  snapshot: Pick<ClusterSnapshot, "services" | "unread">,
): Kind | undefined {
  // Whether what lies in the member's namespace has to fit into it, and does.
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
 * Whether a path stands open as far as Pulumi's state tells. A Service that the run makes for somebody who is only to join
 * opens theirs at once.
 */
export function standsOpen(member: Member, snapshot: Pick<ClusterSnapshot, "unread">): boolean {
  const { mode, requires } = member.route?.readiness ?? {};
  const joins = !namespaceStands(member, snapshot);
  return routeStands(member, snapshot) || (joins && mode === "managed" && requires === "service");
}
