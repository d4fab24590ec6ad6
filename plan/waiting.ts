import type { ClusterSnapshot } from "../cluster/read/snapshot.ts";
import type { Member } from "../config/model/settings.ts";
import type { Planned } from "./plan.ts";
import { isOpen } from "./routes/openRoutes.ts";

/** A member whose Service a run waits for. */
export interface Waited {
  readonly member: Member;
  /** In seconds, from the moment at which the waiting begins. */
  readonly timeoutSeconds: number;
  /** Why the path can't open yet. */
  readonly reason: string;
}

/**
 * Those whose Service a run waits for: their path is to open, and is not open yet. One that is open and leads to a Service
 * that has become unfit hurts others, so that it is closed instead. What is in its way beside the Service, no wait takes away.
 */
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
