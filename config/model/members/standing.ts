import type { Member } from "./member.ts";

type Standing = Pick<Member, "standing">;

/** Whether a member has access to the cluster and to buckets: also while asleep. */
export const hasAccess = ({ standing }: Standing): boolean => standing === "active" || standing === "asleep";

/** Whether a member may have pods, and so a path. */
export const mayRun = ({ standing }: Standing): boolean => standing === "active";

/** Whether a member has a ResourceQuota: by type, or because a suspended or expired member may run no pod. */
export function hasQuota({ type, standing }: Pick<Member, "type" | "standing">): boolean {
  return type.quota || !mayRun({ standing });
}
