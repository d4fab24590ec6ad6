import { type ClusterSnapshot, guardKey } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { memberLabel, stackLabel } from "../../naming/labels.ts";
import { httpRouteName, ingressName, namespaceName } from "../../naming/names.ts";
import { isUnread, routeStands } from "../decisions/unread/unread.ts";

/**
 * Whether a path of a member's is open on the cluster, whatever their Service and the list of members say. Where that is
 * not known, what Pulumi's state has is what a run would close.
 */
export function isOpen(
  member: Pick<Member, "name">,
  { stack }: Pick<Settings, "stack">,
  { ingresses, guards, unread }: Pick<ClusterSnapshot, "ingresses" | "guards" | "unread">,
): boolean {
  if (unread?.last !== undefined && (["Ingress", "HTTPRoute"] as const).some((kind) => isUnread(kind, { unread }))) {
    return routeStands(member, { unread });
  }
  const httpRoute = guards.get(guardKey("HTTPRoute", httpRouteName(member), namespaceName(member)));
  return [ingresses.get(ingressName(member)), httpRoute].some(
    (live) => live?.labels[stackLabel] === stack && live.labels[memberLabel] === member.name,
  );
}
