import type { Member, Settings } from "../config/settings.ts";
import { memberLabel, stackLabel } from "../naming/labels.ts";
import { httpRouteName, ingressName, namespaceName } from "../naming/names.ts";
import { type ClusterSnapshot, guardKey } from "./snapshot.ts";

/** Whether a path of a member's is open on the cluster, whatever their Service and the list of members say. */
export function isOpen(
  member: Pick<Member, "name">,
  { stack }: Pick<Settings, "stack">,
  { ingresses, guards }: Pick<ClusterSnapshot, "ingresses" | "guards">,
): boolean {
  const httpRoute = guards.get(guardKey("HTTPRoute", httpRouteName(member), namespaceName(member)));
  return [ingresses.get(ingressName(member)), httpRoute].some(
    (live) => live?.labels[stackLabel] === stack && live.labels[memberLabel] === member.name,
  );
}
