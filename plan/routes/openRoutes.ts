import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { memberLabel, stackLabel } from "../../naming/labels.ts";
import { isUnread, routeStands } from "../decisions/unread/unread.ts";
import { doors } from "./drivers/drivers.ts";

/**
 * Whether a path of a member's is open on the cluster, whatever their Service and the list of members say. Where that is
 * not known, what Pulumi's state has is what a run would close.
 */
export function isOpen(
  member: Pick<Member, "name">,
  { stack }: Pick<Settings, "stack">,
  snapshot: Pick<ClusterSnapshot, "ingresses" | "guards" | "unread">,
): boolean {
  if (snapshot.unread?.last !== undefined && doors.some(({ kind }) => isUnread(kind, snapshot))) {
    return routeStands(member, snapshot);
  }
  return doors
    .map(({ find }) => find(member, snapshot))
    .some((live) => live?.labels[stackLabel] === stack && live.labels[memberLabel] === member.name);
}
