import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { isOpen } from "../live/openRoutes.ts";
import type { Planned } from "./plan.ts";

export interface Waited {
  readonly member: Member;
  /** In seconds from the start of the wait. */
  readonly timeoutSeconds: number;
  readonly reason: string;
}

/** An open path to a Service that became unfit is closed instead. Waiting removes no obstacle but the Service. */
export function waitedFor({
  members,
  settings,
  snapshot,
}: Planned<Pick<ClusterSnapshot, "managedObjects" | "unread">>): Waited[] {
  return members.flatMap(({ member, readiness, obstacle }) => {
    const { mode, timeoutSeconds = 0 } = member.route?.readiness ?? {};
    const isAwaited = mode === "wait" && readiness.state === "pending" && !isOpen(member, settings, snapshot);
    return isAwaited && obstacle === undefined ? [{ member, timeoutSeconds, reason: readiness.reason }] : [];
  });
}
