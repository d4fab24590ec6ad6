import type { V1Deployment } from "@kubernetes/client-node";
import { type ClusterSnapshot, contentOf, liveOf } from "../../../cluster/read/snapshot/snapshot.ts";
import type { StarterMode } from "../../../config/member/types.ts";
import { starterObject } from "../../../objects/starter/names.ts";
import type { MemberFacts } from "../../manifest/row.ts";
import { isUnread } from "../unread/unread.ts";

/** Status of a member's starter app. */
export interface StarterStatus {
  readonly mode: StarterMode;
  /** Number of pods wanted. */
  readonly replicas: number;
  /** Number of pods ready when the run began; 0 for a new app. */
  readonly available: number;
}

/** Status of an app that a run makes or keeps, or has made before; undefined without one, or if nobody could read it. */
export function starterStatusOf(
  { member, settings, starter: plan }: MemberFacts,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "unread">,
): StarterStatus | undefined {
  const isMembers = plan?.mode === "once" && plan.left.some(({ kind }) => kind === "Deployment");
  if (plan === undefined || isUnread("Deployment", snapshot) || !(isMembers || plan.made.includes("Deployment"))) {
    return undefined;
  }
  const { spec, status } = contentOf(liveOf(starterObject(member, "Deployment"), snapshot)) as V1Deployment;
  return {
    mode: plan.mode,
    replicas: isMembers ? (spec?.replicas ?? 1) : settings.starter.replicas,
    available: status?.availableReplicas ?? 0,
  };
}
