import type { Member } from "./member.ts";

type Standing = Pick<Member, "standing">;

/** Whether a member has access to the cluster and to buckets: also while asleep. */
export const hasAccess = ({ standing }: Standing): boolean => standing === "active" || standing === "asleep";

/** Whether a member may have pods, and so a path. */
export const mayRun = ({ standing }: Standing): boolean => standing === "active";
